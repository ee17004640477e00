"""The summary of a benchmark over its forks: published ones, and what it is made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.methods.barrett import Barrett, ClassifiedFork
from detectors.planning.forks import (
    ForksSummary,
    PerformanceChange,
    SteadyPerformance,
    compare_forks,
    performance,
    steady_segments,
    summarise_forks,
)
from tests.published_data import carried_vectors

WORDS = {
    "warmup": "warm-up",
    "no steady state": "no-steady-state",
    "good inconsistent": "good-inconsistent",
    "bad inconsistent": "bad-inconsistent",
}
Fork = tuple[Values, ClassifiedFork]


def classify(values: Values) -> Fork:
    return values, Barrett(window=20, least_steady=20).judge(values)


def levels(*pieces: tuple[int, float]) -> Values:
    return as_series(
        np.concatenate([level + 0.005 * np.sin(np.arange(n) ** 2.0) for n, level in pieces])
    )


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    """Computed by the published program with R's `changepoint` 2.2.2."""
    return carried_vectors("barrett")


def test_published_summaries(vectors: dict[str, Any]) -> None:
    forks = {case["name"]: classify(as_series(case["series"])) for case in vectors["cases"]}

    for group in vectors["groups"]:
        summary = summarise_forks([forks[name] for name in group["members"]], draws=10_000)

        class_counts = group["detailed_classification"].items()
        name = group["classification"]
        assert summary.benchmark_class == WORDS.get(name, name)
        assert summary.counts == {
            WORDS.get(class_name, class_name): count for class_name, count in class_counts
        }
        assert list(summary.iterations) == group["steady_state_iteration_list"]
        assert list(summary.times) == group["steady_state_time_to_reach_secs_list"]
        assert list(summary.means) == group["steady_state_time_list"]
        for spread, field in (
            (summary.iteration, "steady_state_iteration"),
            (summary.time, "steady_state_time_to_reach_secs"),
        ):
            expected = (group[field], group[f"{field}_iqr"])
            spread_values = (spread.median, [spread.low, spread.high]) if spread else (None, None)
            assert spread_values == expected


def test_published_intervals_but_for_their_random_numbers(vectors: dict[str, Any]) -> None:
    forks = {case["name"]: classify(as_series(case["series"])) for case in vectors["cases"]}

    for group in vectors["groups"]:
        interval = summarise_forks(
            [forks[name] for name in group["members"]], draws=10_000
        ).performance
        if group["steady_state_time"] is None:
            assert interval is None
            continue
        assert interval is not None
        assert interval.median == pytest.approx(group["steady_state_time"], rel=1e-3)
        assert interval.half_width == pytest.approx(group["steady_state_time_ci"], rel=0.1)


def defined_interval(forks: list[Fork], draws: int) -> SteadyPerformance:
    """The bootstrap with NumPy's generator."""
    random = np.random.default_rng(1)
    means = sorted(
        float(np.concatenate([random.choice(segment, segment.size) for segment in segments]).mean())
        for segments in (steady_segments(*fork) for fork in forks)
        for _ in range(draws // len(forks) + 1)
    )
    middle = float(np.median(means))
    low, high = means[int(0.005 * len(means))], means[int(0.995 * len(means) + 0.1) - 1]
    return SteadyPerformance(middle, ((high - middle) + (middle - low)) / 2)


def test_the_interval_is_the_one_of_the_definition() -> None:
    forks = [classify(levels((25, 1.5), (55, 1.0))), classify(levels((30, 1.0005), (60, 1.0)))]

    interval, expected = (performance(forks, draws=10_000), defined_interval(forks, 10_000))

    assert interval.median == pytest.approx(expected.median, rel=1e-4)
    assert interval.half_width == pytest.approx(expected.half_width, rel=0.1)


def test_the_last_segment_begins_one_value_early_as_published() -> None:
    values, classification = classify(levels((25, 1.5), (55, 1.0)))

    (segment,) = steady_segments(values, classification)

    assert segment.tolist() == values[24:].tolist()
    assert [segment.size for segment in steady_segments(*classify(levels((80, 1.0))))] == [80]


def test_outliers_are_not_resampled() -> None:
    values = levels((80, 1.0)).copy()
    values[40] = 9.0

    (segment,) = steady_segments(*classify(as_series(values)))

    assert segment.size == 79
    assert segment.max() < 9


def test_the_seed_alone_decides_the_interval() -> None:
    forks = [classify(levels((25, 1.5), (55, 1.0)))] * 2

    assert performance(forks, draws=500) == performance(forks, draws=500)
    assert performance(forks, draws=500) != performance(forks, draws=500, seed=1)


def test_forks_of_constants_have_an_interval_without_width() -> None:
    assert performance([classify(as_series(np.full(80, 2.0)))], draws=500) == SteadyPerformance(
        2.0, 0.0
    )


@pytest.mark.parametrize("exponent", [-1030, 1000])
def test_values_of_any_size_have_an_interval(exponent: int) -> None:
    values = levels((80, 1.0))

    expected = performance([classify(values)], draws=500)
    interval = performance([classify(as_series(np.ldexp(values, exponent)))], draws=500)

    assert interval.median == pytest.approx(np.ldexp(expected.median, exponent))
    assert interval.half_width == pytest.approx(np.ldexp(expected.half_width, exponent))


# --- two benchmarks ---------------------------------------------------------------------------
Pieces = tuple[tuple[int, float], ...]

WARM = ((25, 1.5), (55, 1.0))
LATER = ((45, 1.5), (35, 1.0))
FLAT = ((80, 1.0),)
NEVER_STEADY = ((70, 1.2), (10, 1.0))


def summary_of_pieces(*forks: Pieces) -> ForksSummary:
    return summarise_forks([classify(levels(*pieces)) for pieces in forks], draws=500)


@pytest.mark.parametrize(
    ("old_forks", "new_forks", "words", "overall_word"),
    [
        ([WARM, WARM], [LATER, LATER], ("worse", "same", "same"), "worse"),
        ([LATER, LATER], [WARM, WARM], ("better", "same", "same"), "better"),
        ([WARM, LATER, LATER], [LATER], ("same", "same", "same"), "same"),  # the spans touch
        ([WARM, WARM], [FLAT, FLAT], ("better", "same", "same"), "better"),
        ([FLAT, FLAT], [WARM, WARM], ("worse", "same", "same"), "worse"),
        ([FLAT, FLAT], [FLAT, FLAT], ("same", "same", "same"), "same"),
        ([FLAT, FLAT], [WARM, NEVER_STEADY], ("different", "different", "unknown"), "different"),
        ([WARM, WARM], [WARM, NEVER_STEADY], ("unknown", "unknown", "unknown"), "unknown"),
    ],
)
def test_two_benchmarks_differ_where_their_intervals_lie_apart(
    old_forks: list[Pieces], new_forks: list[Pieces], words: tuple[str, ...], overall_word: str
) -> None:
    change = compare_forks(
        summary_of_pieces(*old_forks), summary_of_pieces(*new_forks), least_change=1.0
    )

    assert (change.iteration, change.performance, change.variation) == words
    assert change.overall == overall_word


def summary_of_level(median: float, half_width: float) -> ForksSummary:
    return replace(summary_of_pieces(FLAT), performance=SteadyPerformance(median, half_width))


@pytest.mark.parametrize(
    ("old_level", "new_level", "words"),
    [
        ((2.0, 0.25), (1.5, 0.25), ("same", "same")),  # they touch at 1.75
        ((2.0, 0.25), (1.25, 0.25), ("better", "same")),
        ((2.0, 0.25), (2.75, 0.25), ("worse", "same")),
        ((2.0, 0.25), (2.0, 0.125), ("same", "better")),
        ((2.0, 0.25), (2.0, 0.5), ("same", "worse")),
        ((2.0, 0.25), (2.0, 0.25 - 0.00004), ("same", "same")),  # 0.00008 s narrower
        ((2.0, 0.25), (2.0, 0.25 - 0.00006), ("same", "better")),  # 0.00012 s
    ],
)
def test_only_a_narrowing_of_a_tenth_of_a_millisecond_counts(
    old_level: tuple[float, float], new_level: tuple[float, float], words: tuple[str, str]
) -> None:
    change = compare_forks(summary_of_level(*old_level), summary_of_level(*new_level))

    assert (change.performance, change.variation) == words


def test_better_and_worse_together_are_only_different() -> None:
    assert PerformanceChange("better", "worse", "same").overall == "different"
