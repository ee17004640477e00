"""Plain series: their answers follow from how they are made, and shares count them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from detectors.contract import NEVER, Values
from detectors.methods.fixed import Fixed
from detectors.simulated.plain_series import (
    EVALUATION,
    LEVELS,
    NEVER_SHAPES,
    NOISES,
    SHORT_SHAPES,
    TRAINING,
    PlainSeries,
    PlainShape,
    is_even,
    plain_noise,
    plain_series,
    shapes_of,
)
from detectors.simulated.uneven_noise import UNEVEN_NOISES
from evidence.corpus.plain_noise import recorded_tails, tail_noise
from evidence.corpus.plain_shares import (
    SOURCES,
    document,
    judge_plain_answers,
    main,
    plain_suite,
    shares,
)


def draw_plain_series(
    shape: PlainShape, n: int = 500, number: int = 0, noise: str = "normal"
) -> PlainSeries:
    return plain_series(shape, noise, n, number, EVALUATION, NOISES[noise])


def test_a_number_is_a_series_and_another_number_another() -> None:
    series, same_series, other_series = (
        draw_plain_series("step-up"),
        draw_plain_series("step-up"),
        draw_plain_series("step-up", number=1),
    )

    assert np.array_equal(series.values, same_series.values)
    assert not np.array_equal(series.values, other_series.values)


@pytest.mark.parametrize("shape", LEVELS)
def test_only_what_never_settles_has_no_right_iteration(shape: PlainShape) -> None:
    for number in range(5):
        series = draw_plain_series(shape, number=number)

        assert series.is_right(NEVER) is (shape in NEVER_SHAPES)
        assert series.is_steady is (shape not in NEVER_SHAPES)
        assert series.low <= series.high < series.values.size


@pytest.mark.parametrize("shape", ["step-down", "step-up", "two-steps"])
def test_levels_differ_at_the_answer(shape: PlainShape) -> None:
    for number in range(5):
        series = draw_plain_series(shape, number=number)
        middle = (series.low + series.high) // 2
        values_before, values_after = (
            series.values[series.low - 20 : series.low],
            series.values[series.high :],
        )
        scatter = values_after.std()

        assert abs(np.median(values_before) - np.median(values_after)) > 3 * scatter
        assert series.is_right(middle)


@pytest.mark.parametrize("noise", SOURCES)
def test_noise_has_a_spread_near_one_and_no_level(noise: str) -> None:
    random = np.random.default_rng(0)
    medians = [np.median(SOURCES[noise](random, 2000)) for _ in range(20)]
    spread = np.median([np.median(np.abs(SOURCES[noise](random, 2000))) for _ in range(20)])

    assert abs(np.mean(medians)) < 0.3
    assert 0.4 < spread < 1.1


@pytest.mark.parametrize("n", [10, 29, 30, 100, 3000])
def test_every_shape_of_a_length_can_be_drawn_with_every_noise(n: int) -> None:
    assert shapes_of(n) == (tuple(LEVELS) if n >= 30 else SHORT_SHAPES)
    for series in plain_suite([n]):
        assert series.values.size == n
        assert (series.values > 0).all()
        assert np.isfinite(series.values).all()


def test_recorded_noise_is_taken_from_recordings_that_stay() -> None:
    assert len(recorded_tails()) > 20
    assert tail_noise(np.random.default_rng(0), 5000).size == 5000
    assert tail_noise(np.random.default_rng(0), 10).size == 10


@pytest.mark.parametrize("noise", [*SOURCES, *UNEVEN_NOISES])
@pytest.mark.parametrize("n", [30, 1000])
def test_noise_of_every_source_stays_where_it_is(noise: str, n: int) -> None:
    source = {**SOURCES, **UNEVEN_NOISES}[noise]
    drawn_noise = plain_noise(np.random.default_rng(0), n, source)
    low, high = np.quantile(drawn_noise, (0.05, 0.95))

    assert high - low == pytest.approx(3.29)
    assert is_even(np.clip(drawn_noise, low, high))


@pytest.mark.parametrize(
    "distort",
    [
        lambda i: np.where(i < 250, 0.0, 3.0),  # a step
        lambda i: np.where((i >= 450) & (i < 490), 30.0, 0.0),  # a burst of a tenth
        lambda i: i / 150,  # a drift
    ],
)
def test_noise_with_a_change_of_its_own_is_drawn_anew(distort: Callable[[Values], Values]) -> None:
    levels = distort(np.arange(500.0))
    sources = iter([levels, levels, np.zeros(500)])

    def source(random: np.random.Generator, n: int) -> Values:
        return random.standard_normal(n) + next(sources)

    plain_noise(np.random.default_rng(0), 500, source)

    assert next(sources, None) is None


def test_noise_whose_spread_changes_by_itself_is_not_even() -> None:
    random = np.random.default_rng(0)
    scatter = np.where(np.arange(500) < 200, 5.0, 1.0)

    assert not is_even(scatter * random.standard_normal(500) / 3)


def test_noise_that_always_changes_is_refused() -> None:
    with pytest.raises(ValueError, match="2000 draws of 50 values"):
        plain_noise(np.random.default_rng(0), 50, lambda _, n: np.arange(float(n)))


def test_no_noise_that_trains_alone_is_in_the_suite() -> None:
    assert not SOURCES.keys() & UNEVEN_NOISES.keys()


def test_training_and_evaluation_share_no_series() -> None:
    training_series = plain_series("flat", "normal", 100, 0, TRAINING, NOISES["normal"])

    assert not np.array_equal(training_series.values, draw_plain_series("flat", 100).values)


def test_shares_count_right_answers_by_kind() -> None:
    suite = list(plain_suite([100]))
    results = judge_plain_answers(Fixed(iteration=0), suite)

    assert shares(results, "shape")["flat"] == 1
    assert shares(results, "shape")["drift"] == 0
    assert set(shares(results, "noise")) == set(SOURCES)
    assert document(results)["series"] == len(suite)


def test_the_command_prints_and_writes_shares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shares_path = tmp_path / "shares.json"

    assert main(["mser", "--lengths", "50", "--copies", "1", "--json", str(shares_path)]) == 0
    assert "| mser | " in capsys.readouterr().out
    assert json.loads(shares_path.read_text())["mser"]["length"].keys() == {"50"}
