"""Search for the build at which a benchmark changed."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.build_bisection import bisection

NAMES = [f"b{number}" for number in range(65)]


@pytest.mark.parametrize(("changed", "factor"), [(1, 1.05), (23, 0.9), (64, 1.05)])
def test_the_change_is_placed_with_as_few_builds_as_halving_takes(
    changed: int, factor: float
) -> None:
    random = np.random.default_rng(changed)

    def measure(name: str) -> np.ndarray:
        level = factor if NAMES.index(name) >= changed else 1.0
        return random.normal(level, 0.005, 4)

    forks = {name: measure(name) for name in ("b0", "b64")}
    most_further = bisection(NAMES, forks).most_further
    while state := bisection(NAMES, forks).next_build:
        assert state not in forks
        forks[state] = measure(state)
    placement = bisection(NAMES, forks)

    assert (placement.last_before, placement.first_after) == (f"b{changed - 1}", f"b{changed}")
    assert len(forks) - 2 <= most_further == 6


def test_unsure_levels_are_measured_again_before_anything_is_said() -> None:
    level, changed_level = np.array([1.0, 1.01, 0.99]), np.array([1.1, 1.11, 1.09])
    uncertain_bisection = bisection(["a", "b", "c"], {"a": level, "c": level * 1.001})
    one_fork = bisection(["a", "b", "c"], {"a": level, "b": changed_level[:1], "c": changed_level})
    middle_bisection = bisection(
        ["a", "b", "c"], {"a": level, "b": level * 1.05, "c": changed_level}
    )

    assert (uncertain_bisection.is_certain, uncertain_bisection.next_build) == (False, "a")
    assert [
        (state.next_build, state.levels["b"].level) for state in (one_fork, middle_bisection)
    ] == [("b", "unsure"), ("b", "unsure")]


def test_a_level_that_comes_back_is_told() -> None:
    low, high = np.array([1.0, 1.01]), np.array([1.2, 1.21])
    state = bisection(list("abcd"), {"a": low, "b": high, "c": low, "d": high})

    assert (state.last_before, state.first_after, state.next_build) == ("a", "b", "")
    assert state.contradicting == ["c"]
