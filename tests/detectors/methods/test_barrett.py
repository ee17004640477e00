"""Barrett et al. as a detector: published cases, counting, evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from detectors.contract import (
    NEVER,
    Context,
    Detection,
    Events,
    Figures,
    Levels,
    TooShort,
    Values,
    as_series,
)
from detectors.methods.barrett import Barrett, ClassifiedFork, variance_of
from detectors.rules.segments.benchmark_classes import class_counts, class_of_forks
from tests.published_data import carried_vectors

WORDS = {
    "warmup": "warm-up",
    "no steady state": "no-steady-state",
    "good inconsistent": "good-inconsistent",
    "bad inconsistent": "bad-inconsistent",
}
SMALL: dict[str, Any] = {"window": 20, "least_steady": 20}
PERCENT: dict[str, Any] = {"delta": 5.0, "delta_unit": "percent", "raw_deltas": True}


def vectors() -> dict[str, Any]:
    """Computed by the published program with R's `changepoint` 2.2.2."""
    return carried_vectors("barrett")


def classified_forks() -> dict[str, tuple[Values, ClassifiedFork]]:
    cases = {case["name"]: as_series(case["series"]) for case in vectors()["cases"]}
    return {name: (x, Barrett(**SMALL).judge(x)) for name, x in cases.items()}


@pytest.mark.parity("barrett")
def test_published_segments_to_the_last_digit() -> None:
    forks = classified_forks()

    for case in vectors()["cases"]:
        values, fork = forks[case["name"]]
        outlier_indices = np.setdiff1d(np.arange(values.size), fork.segments.kept)
        assert outlier_indices.tolist() == case["outliers"]
        assert list(fork.segments.ends[:-1]) == case["changepoints"]
        assert list(fork.segments.means) == case["means"]
        assert list(fork.segments.variances) == case["variances"]


@pytest.mark.parity("barrett")
def test_published_classes() -> None:
    for case in vectors()["cases"]:
        values = as_series(case["series"])
        seconds_answer = Barrett(**SMALL).answer(values)
        percent_answer = Barrett(**SMALL, **PERCENT).answer(values)

        for detection, name in (
            (seconds_answer, case["classification"]),
            (percent_answer, case["classification_delta_5pct_raw"]),
        ):
            assert detection.flags == (WORDS.get(name, name),)
            assert (detection.steady_start == NEVER) == (name == "no steady state")


def test_published_benchmarks() -> None:
    forks = classified_forks()

    for group in vectors()["groups"]:
        members = [forks[name] for name in group["members"]]
        classes = [fork.fork_class for _, fork in members]
        steady_forks = [(x, fork) for x, fork in members if fork.fork_class != "no-steady-state"]
        counts = group["detailed_classification"].items()
        assert class_of_forks(classes) == WORDS.get(
            group["classification"], group["classification"]
        )
        assert class_counts(classes) == {WORDS.get(name, name): count for name, count in counts}
        assert [fork.printed for _, fork in steady_forks] == group["steady_state_iteration_list"]
        times = [fork.seconds_before(x) for x, fork in steady_forks]
        assert times == group["steady_state_time_to_reach_secs_list"]
        assert [fork.steady_mean for _, fork in steady_forks] == group["steady_state_time_list"]


def levels(*pieces: tuple[int, float]) -> Values:
    ripple = np.concatenate([level + 0.005 * np.sin(np.arange(n) ** 2.0) for n, level in pieces])
    return as_series(ripple)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (((80, 1.0),), Detection(0, 1, flags=("flat",))),
        (((25, 1.5), (55, 1.0)), Detection(25, 25, flags=("warm-up",))),
        (((30, 0.8), (50, 1.0)), Detection(30, 30, flags=("slowdown",))),
        (((15, 0.7), (25, 1.5), (55, 1.0)), Detection(40, 40, flags=("slowdown",))),
        (((61, 1.5), (19, 1.0)), Detection(61, 61, flags=("warm-up",))),
        (((62, 1.5), (18, 1.0)), Detection(NEVER, NEVER, flags=("no-steady-state",))),
    ],
)
def test_classes_of_levels(pieces: tuple[tuple[int, float], ...], expected: Detection) -> None:
    assert Barrett(**SMALL).answer(levels(*pieces)) == expected


def test_what_lies_before_a_different_segment_is_not_steady() -> None:
    x = levels((30, 1.0), (30, 2.0), (60, 1.0))

    assert Barrett(**SMALL).answer(x) == Detection(60, 60, flags=("warm-up",))


@pytest.mark.parametrize("factor", [1e-6, 1e3])
def test_percent_does_not_depend_on_the_unit(factor: float) -> None:
    x = as_series(factor * levels((25, 1.5), (55, 1.0)))

    assert Barrett(**SMALL, **PERCENT).answer(x).flags == ("warm-up",)
    assert Barrett(**SMALL).answer(as_series(1e-6 * x)).flags == ("flat",)


@pytest.mark.parametrize("exponent", [-1060, -400, 400, 1015])
def test_values_whose_squares_leave_the_range(exponent: int) -> None:
    x = levels((25, 1.5), (55, 1.0))
    segments = Barrett(**SMALL, **PERCENT).judge(as_series(np.ldexp(x, exponent))).segments

    assert segments.ends == (24, 79)
    assert segments.means == tuple(
        np.ldexp(mean, exponent) for mean in Barrett(**SMALL).judge(x).segments.means
    )


def test_one_value_has_no_variance() -> None:
    assert variance_of(np.array([3.0])) == 0.0


def test_too_short_says_how_long() -> None:
    with pytest.raises(TooShort, match="needs at least 501 values; got 500"):
        Barrett().answer(np.ones(500))
    assert Barrett().answer(np.ones(501)).steady_start == 0


def test_evidence_shows_class_and_segments() -> None:
    x = np.array(levels((25, 1.5), (55, 1.0)))
    x[50] = 9
    events, changes, means, figures = Barrett(**SMALL).evidence(as_series(x), Context(unit="s"))

    assert isinstance(events, Events)
    assert events.at == (50,)
    assert isinstance(changes, Events)
    assert changes.at == (24,)
    assert isinstance(means, Levels)
    assert [(a, b) for a, b, _ in means.pieces] == [(0, 25), (25, 80)]
    assert isinstance(figures, Figures)
    assert [name for name, _, _ in figures.rows] == [
        "class",
        "least difference that matters",
        "equivalent from",
        "equivalent up to",
        "time to the steady state",
        "steady mean",
    ]


def test_no_steady_state_has_no_time_to_reach_it() -> None:
    figures = Barrett(**SMALL).evidence(levels((70, 1.5), (10, 1.0)), Context())[-1]

    assert isinstance(figures, Figures)
    assert figures.rows[0][1] == "no-steady-state"
    assert len(figures.rows) == 4
