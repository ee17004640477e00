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


def judged_fork(values: Values) -> Fork:
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
    forks = {case["name"]: judged_fork(as_series(case["series"])) for case in vectors["cases"]}

    for group in vectors["groups"]:
        summary = summarise_forks([forks[name] for name in group["members"]], draws=10_000)

        figures = group["detailed_classification"].items()
        name = group["classification"]
        assert summary.benchmark_class == WORDS.get(name, name)
        assert summary.counts == {
            WORDS.get(class_name, class_name): count for class_name, count in figures
        }
        assert list(summary.iterations) == group["steady_state_iteration_list"]
        assert list(summary.times) == group["steady_state_time_to_reach_secs_list"]
        assert list(summary.means) == group["steady_state_time_list"]
        for spread, own_spread in (
            (summary.iteration, "steady_state_iteration"),
            (summary.time, "steady_state_time_to_reach_secs"),
        ):
            expected = (group[own_spread], group[f"{own_spread}_iqr"])
            own_figures = (spread.median, [spread.low, spread.high]) if spread else (None, None)
            assert own_figures == expected


def test_published_intervals_but_for_their_random_numbers(vectors: dict[str, Any]) -> None:
    forks = {case["name"]: judged_fork(as_series(case["series"])) for case in vectors["cases"]}

    for group in vectors["groups"]:
        summary = summarise_forks(
            [forks[name] for name in group["members"]], draws=10_000
        ).performance
        if group["steady_state_time"] is None:
            assert summary is None
            continue
        assert summary is not None
        assert summary.median == pytest.approx(group["steady_state_time"], rel=1e-3)
        assert summary.half_width == pytest.approx(group["steady_state_time_ci"], rel=0.1)


def defined_bootstrap(forks: list[Fork], draws: int) -> SteadyPerformance:
    """The bootstrap with NumPy's generator."""
    random = np.random.default_rng(1)
    means = sorted(
        float(
            np.concatenate(
                [random.choice(values_part, values_part.size) for values_part in parts]
            ).mean()
        )
        for parts in (steady_segments(*fork) for fork in forks)
        for _ in range(draws // len(forks) + 1)
    )
    middle = float(np.median(means))
    low, high = means[int(0.005 * len(means))], means[int(0.995 * len(means) + 0.1) - 1]
    return SteadyPerformance(middle, ((high - middle) + (middle - low)) / 2)


def test_the_interval_is_the_one_of_the_definition() -> None:
    forks = [
        judged_fork(levels((25, 1.5), (55, 1.0))),
        judged_fork(levels((30, 1.0005), (60, 1.0))),
    ]

    own_spread, plain_spread = performance(forks, draws=10_000), defined_bootstrap(forks, 10_000)

    assert own_spread.median == pytest.approx(plain_spread.median, rel=1e-4)
    assert own_spread.half_width == pytest.approx(plain_spread.half_width, rel=0.1)


def test_the_last_segment_begins_one_value_early_as_published() -> None:
    values, judged_cases = judged_fork(levels((25, 1.5), (55, 1.0)))

    (segment,) = steady_segments(values, judged_cases)

    assert segment.tolist() == values[24:].tolist()
    assert [
        steady_segment.size for steady_segment in steady_segments(*judged_fork(levels((80, 1.0))))
    ] == [80]


def test_outliers_are_not_resampled() -> None:
    values = levels((80, 1.0)).copy()
    values[40] = 9.0

    (segment,) = steady_segments(*judged_fork(as_series(values)))

    assert segment.size == 79
    assert segment.max() < 9


def test_the_seed_alone_decides_the_interval() -> None:
    forks = [judged_fork(levels((25, 1.5), (55, 1.0)))] * 2

    assert performance(forks, draws=500) == performance(forks, draws=500)
    assert performance(forks, draws=500) != performance(forks, draws=500, seed=1)


def test_forks_of_constants_have_an_interval_without_width() -> None:
    assert performance([judged_fork(as_series(np.full(80, 2.0)))], draws=500) == SteadyPerformance(
        2.0, 0.0
    )


@pytest.mark.parametrize("exponent", [-1030, 1000])
def test_values_of_any_size_have_an_interval(exponent: int) -> None:
    flat_pieces = levels((80, 1.0))

    plain_spread = performance([judged_fork(flat_pieces)], draws=500)
    interval = performance([judged_fork(as_series(np.ldexp(flat_pieces, exponent)))], draws=500)

    assert interval.median == pytest.approx(np.ldexp(plain_spread.median, exponent))
    assert interval.half_width == pytest.approx(np.ldexp(plain_spread.half_width, exponent))


# --- two benchmarks ---------------------------------------------------------------------------
Pieces = tuple[tuple[int, float], ...]

WARM = ((25, 1.5), (55, 1.0))
LATER = ((45, 1.5), (35, 1.0))
FLAT = ((80, 1.0),)
NEVER_STEADY = ((70, 1.2), (10, 1.0))


def summary_of_pieces(*forks: Pieces) -> ForksSummary:
    return summarise_forks([judged_fork(levels(*pieces)) for pieces in forks], draws=500)


@pytest.mark.parametrize(
    ("before_pieces", "after_pieces", "words", "overall_word"),
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
    before_pieces: list[Pieces],
    after_pieces: list[Pieces],
    words: tuple[str, ...],
    overall_word: str,
) -> None:
    change = compare_forks(
        summary_of_pieces(*before_pieces), summary_of_pieces(*after_pieces), least_change=1.0
    )

    assert (change.iteration, change.performance, change.variation) == words
    assert change.overall == overall_word


def level_of(median: float, half_width: float) -> ForksSummary:
    return replace(summary_of_pieces(FLAT), performance=SteadyPerformance(median, half_width))


@pytest.mark.parametrize(
    ("span_before", "span_after", "words"),
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
    span_before: tuple[float, float], span_after: tuple[float, float], words: tuple[str, str]
) -> None:
    change = compare_forks(level_of(*span_before), level_of(*span_after))

    assert (change.performance, change.variation) == words


def test_better_and_worse_together_are_only_different() -> None:
    assert PerformanceChange("better", "worse", "same").overall == "different"
