"""How an exploration is cut into parts, and what the command line calls its ranges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.statistics.parameter_space import PUBLISHED_GRID, PUBLISHED_SOBOL
from analysis.statistics.sensitivity import IndexConvergence, SensitivityIndices, SobolIndex
from analysis.tuning import plan
from analysis.tuning.designs import pack_answers, unpack_answers
from analysis.tuning.figures import front_range, index_bars, range_mask
from analysis.tuning.models import Exploration
from analysis.tuning.query import (
    CannotExplore,
    Kind,
    ParameterRange,
    checked_range,
    even_range,
    level_range,
)
from analysis.web.figures import WebFigure
from detectors.registry import get
from people.models import Study

KB = get("kb-kssd")


@pytest.mark.parametrize(
    ("set_count", "series_count", "milliseconds"),
    [(24_576, 407, 0.002), (15_001, 407, 0.5), (1000, 20, 200.0), (3, 2, 90_000.0), (1, 1, 1e-9)],
)
def test_parts_cover_every_set_of_every_series_once(
    set_count: int, series_count: int, milliseconds: float
) -> None:
    exploration = Exploration(kind=Kind.GRID, series_count=series_count)

    parts = list(plan.plan_parts(exploration, 0, set_count, milliseconds))

    cover_counts = np.zeros((set_count, series_count), np.int8)
    for part_row in parts:
        ends = part_row.first_set + part_row.sets, part_row.first_series + part_row.series
        cover_counts[part_row.first_set : ends[0], part_row.first_series : ends[1]] += 1
    assert (cover_counts == 1).all()
    assert sum(part_row.size for part_row in parts) == set_count * series_count
    assert len(parts) <= 2 * plan.MOST_PARTS


def test_the_published_sensitivity_shares_stages_and_moves_its_bar(study: Study) -> None:
    exploration = Exploration(kind=Kind.SENSITIVITY, series_count=407)
    milliseconds = plan.answer_milliseconds(study, KB, 24_576)

    parts = list(plan.plan_parts(exploration, 0, 24_576, milliseconds))

    assert {part_row.sets for part_row in parts} == {24_576}
    # As many as are worth a message each, where all of them take a few seconds.
    n_shares = 24_576 * 407 * milliseconds / plan.LEAST_MILLISECONDS
    assert len(parts) >= min(20, int(n_shares))
    assert len(parts) > 1


def test_a_part_s_answers_are_read_back_as_they_were() -> None:
    table = np.array([[3, -1, -2], [2999, 0, 7]], np.int32)

    assert np.array_equal(unpack_answers(pack_answers(table), 2, 3), table)


@pytest.mark.parametrize("parameter", PUBLISHED_SOBOL.varied, ids=lambda each: each.name)
def test_a_range_is_stored_and_read_again(parameter: object) -> None:
    assert isinstance(parameter, type(PUBLISHED_SOBOL.varied[0]))
    assert ParameterRange.from_json(ParameterRange(parameter).as_json()) == ParameterRange(
        parameter
    )


def test_the_published_grid_is_evenly_spaced() -> None:
    for name, levels in PUBLISHED_GRID.items():
        spaced_range = even_range(KB, name, levels[0], levels[-1], len(levels))

        assert spaced_range == level_range(KB, name, levels)


@pytest.mark.parametrize(
    ("parameter_range", "words", "argument"),
    [
        (checked_range(KB, "t_crit", 3, 5.5), "3 to 5.5", "t_crit=3:5.5"),
        (checked_range(KB, "prob_window", 400, 600), "400 to 600", "prob_window=400:600"),
        (checked_range(KB, "medfilt", 2, 10), "3 to 9, odd numbers", "medfilt=3:10:odd"),
        (level_range(KB, "medfilt", [101, 1]), "1, 101", "medfilt=1,101"),
        (
            ParameterRange(PUBLISHED_SOBOL.varied[4]),
            "81 to 119, odd numbers",
            "outlier_window=81:120:odd",
        ),
    ],
)
def test_a_range_in_words_and_on_the_command_line(
    parameter_range: ParameterRange, words: str, argument: str
) -> None:
    assert (parameter_range.words, parameter_range.argument) == (words, argument)


@pytest.mark.parametrize(
    ("name", "low", "high", "sentence"),
    [
        ("t_crit", -1, 5, "KB-KSSD: t_crit must be from 1e-06 to 1000000; got -1"),
        ("kernels", 0, 1, "KB-KSSD: 'kernels' cannot be varied"),
        ("t_crit", 5, 3, "KB-KSSD: t_crit: found the range 5 to 3"),
    ],
)
def test_a_range_that_cannot_be_is_refused(
    name: str, low: float, high: float, sentence: str
) -> None:
    with pytest.raises(CannotExplore) as error_info:
        checked_range(KB, name, low, high)

    assert str(error_info.value).startswith(sentence)


def test_the_picture_holds_the_front_and_most_sets_but_not_the_worst() -> None:
    values = np.array([1.0, 2.0, 3.0, 2.5, np.nan, 4000.0])

    low, high = front_range(values, [0, 1, 2])

    assert low < 1.0
    assert 3.0 < high < 10.0
    assert range_mask(values, (low, high)).tolist() == [True, True, True, True, False, False]
    assert front_range(np.array([0.0]), [0])[0] < 0  # the point is not on the edge


def test_bars_of_indices_say_what_the_table_says(check_figure: Callable[[WebFigure], None]) -> None:
    first, total = SobolIndex(("k",), -0.0212, 0.05), SobolIndex(("k",), 0.41, 0.1)
    quarter_index = SobolIndex(("k",), 0.6, 0.2)
    sensitivity_indices = SensitivityIndices(96, 16, 1.0, 2.0, (first,), (total,), ())
    fewer_indices = SensitivityIndices(24, 4, 1.0, 2.0, (first,), (quarter_index,), ())

    figure = index_bars(
        IndexConvergence(sensitivity_indices, fewer_indices), "var(--slot-0)", "/file/"
    )

    assert figure.table is not None
    assert [cell.text for cell in figure.table.rows[0]] == [
        *("k", "0.410", "0.100", "−0.021", "0.050", "0.600")
    ]
    assert figure.document["data"][0]["hovertext"] == [
        "k, in all: 0.410 ± 0.100; a quarter of the samples 0.600"
    ]
    assert figure.document["data"][0]["error_x"]["array"] == [0.1]
    low, high = figure.layout["xaxis"]["range"]
    assert low < -0.0712
    assert high > 0.6  # the ring of the quarter is in the picture
    check_figure(figure)
