"""Differences of figures: values of the table, and intervals of resamples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.statistics.answers import Answers
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.comparison import compare
from analysis.statistics.leaderboard_figures import FIGURES, MeasuredAnswers
from analysis.statistics.paired_bootstrap import FigureDifference, FigureSample, Kind, differences

BOUNDS = {"median_abs_low", "median_abs_high"}
FEW = BootstrapSettings(repeats=400)
TRUTH = Answers.from_list([10, 20, -1, 30, 40, None, -1, 50, 60, 70])
METHODS = {
    "early": Answers.from_list([5, 18, -1, -1, 39, 7, 4, 50, 10, 70]),
    "late": Answers.from_list([12, 90, 3, 30, -1, 8, -1, 55, 61, None]),
}
CLUSTERED = np.array([True, False] * 5)
SECONDS = {"early": np.linspace(-3, 3, 10), "late": np.linspace(0, 1, 10)}


@pytest.mark.parametrize("common", [True, False])
def test_every_sample_gives_the_figure_of_its_column(*, common: bool) -> None:
    table = compare(
        METHODS, TRUTH, tolerance=4, is_clustered=CLUSTERED, common=common, seconds=SECONDS
    )

    for name, answers in METHODS.items():
        cells = table.rows[name]
        measured_answers = MeasuredAnswers(answers, table.scope, SECONDS[name])
        samples = {key: figure.sample(measured_answers) for key, figure in FIGURES.items()}
        assert {key for key, sample in samples.items() if not sample} == BOUNDS
        differences_by_figure = differences(
            {key: (sample, sample) for key, sample in samples.items() if sample}, FEW
        )
        assert {key: difference.first for key, difference in differences_by_figure.items()} == {
            key: None if cells[key] is None else pytest.approx(cells[key])
            for key in differences_by_figure
        }
        assert all(
            difference.difference in {0, None} for difference in differences_by_figure.values()
        )


def test_a_yardstick_without_marks_has_no_figure_of_marks() -> None:
    table = compare(METHODS, TRUTH, tolerance=4)
    measured_answers = MeasuredAnswers(METHODS["early"], table.scope)

    for key in ("n_clustered", "manhattan_clustered", "n_scattered", "manhattan_scattered"):
        assert table.rows["early"][key] is None
        assert FIGURES[key].sample(measured_answers) is None
        assert not FIGURES[key].series(measured_answers).any()


@pytest.mark.parametrize("size", [3, 31])
@pytest.mark.parametrize("kind", ["mean", "sum", "sd", "median"])
def test_intervals_are_those_of_resamples_drawn_one_by_one(kind: Kind, size: int) -> None:
    generator = np.random.default_rng(1)
    first, second = generator.normal(5, 2, size), generator.normal(4, 2, size)
    second[: size // 6] = np.nan
    statistics: dict[str, Any] = {
        "mean": np.nanmean,
        "sum": np.nansum,
        "sd": np.nanstd,
        "median": np.nanmedian,
    }
    statistic = statistics[kind]

    difference = differences({"x": (FigureSample(first, kind), FigureSample(second, kind))}, FEW)[
        "x"
    ]

    drawn_indices = np.random.default_rng(FEW.seed).integers(size, size=(FEW.repeats, size))
    drawn_differences = [
        float(statistic(first[indices]) - statistic(second[indices])) for indices in drawn_indices
    ]
    low, high = np.quantile(drawn_differences, [0.025, 0.975])
    assert (difference.low, difference.high) == pytest.approx((low, high))
    assert difference.difference == pytest.approx(float(statistic(first) - statistic(second)))


def test_what_is_hard_for_both_does_not_widen_the_interval() -> None:
    hard_values = np.random.default_rng(2).exponential(500, 80)

    difference = differences(
        {"x": (FigureSample(hard_values + 5, "mean"), FigureSample(hard_values, "mean"))}, FEW
    )["x"]

    assert (difference.low, difference.high) == pytest.approx((5, 5))
    assert difference.clear


def test_a_difference_that_is_not_defined_has_no_interval() -> None:
    empty_sample, full_sample = (
        FigureSample(np.full(3, np.nan), "median"),
        FigureSample(np.arange(3.0), "median"),
    )

    difference = differences({"x": (empty_sample, full_sample)}, FEW)["x"]

    assert (difference.first, difference.second, difference.difference, difference.low) == (
        None,
        1,
        None,
        None,
    )
    assert not difference.clear
    assert differences({}, FEW) == {}
    with pytest.raises(ValueError, match=r"found lengths \[2, 3\]"):
        differences({"x": (FigureSample(np.arange(2.0), "mean"), full_sample)}, FEW)


@pytest.mark.parametrize(
    ("low", "high", "is_clear"),
    [(-0.5, 0.5, False), (0.1, 2, True), (-2, -0.5, True), (0, 1, False), (None, None, False)],
)
def test_a_difference_is_clear_where_its_interval_leaves_zero_out(
    low: float | None, high: float | None, *, is_clear: bool
) -> None:
    assert FigureDifference("x", 1, 2, -1, low, high).clear is is_clear


def test_a_median_may_be_the_largest_value_of_a_draw() -> None:
    """Of three draws from 1, 2 and 30 two are 30 in 7 cases of 27."""
    values, zeros = np.array([1.0, 2.0, 30.0]), np.zeros(3)

    differences_by_figure = differences(
        {"x": (FigureSample(values, "median"), FigureSample(zeros, "median"))}, FEW
    )

    assert (
        differences_by_figure["x"].low,
        differences_by_figure["x"].high,
        differences_by_figure["x"].difference,
    ) == (1, 30, 2)
