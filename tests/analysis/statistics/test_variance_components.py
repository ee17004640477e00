"""Components of variance are unbiased whatever the sizes, and those of Kalibera and Jones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.statistics.answers import Floats
from analysis.statistics.machine_plan import (
    LevelVariances,
    MachineCosts,
    machine_plan,
    machines_needed,
)
from analysis.statistics.variance_components import GroupIndices, fork_moments, variance_components

SIZES = st.lists(st.lists(st.integers(2, 4), min_size=2, max_size=3), min_size=2, max_size=3)


def nested(sizes: Sequence[Sequence[int]]) -> list[GroupIndices]:
    """Benchmark and machine of each fork; `sizes` has forks by benchmark and machine."""
    machines = [(index, count) for index, counts in enumerate(sizes) for count in counts]
    benchmark_indices = np.repeat([index for index, _ in machines], [n for _, n in machines])
    return [benchmark_indices, np.repeat(np.arange(len(machines)), [n for _, n in machines])]


@settings(max_examples=30)
@given(SIZES)
def test_they_are_unbiased_for_groups_of_any_size(sizes: list[list[int]]) -> None:
    """A component is a quadratic form; its expectation is a sum over effects of its levels.

    A unit of variance in one level adds the form of each of that level's effects.
    """
    groups = nested(sizes)
    forks = np.arange(groups[0].size)
    zeros = np.zeros(forks.size)

    for level_index, level in enumerate([*groups, forks]):
        effects = [(level == group).astype(float) for group in np.unique(level)]
        sums = sum(np.array(variance_components(groups, effect, zeros)) for effect in effects)
        np.testing.assert_allclose(sums, np.eye(3)[level_index], atol=1e-9)
    errors = np.linspace(1, 2, forks.size)
    unit_components = [variance_components(groups, (forks == fork) * 1.0, zeros) for fork in forks]
    error_components = variance_components(groups, zeros, errors)
    np.testing.assert_allclose(errors @ np.array(unit_components) + error_components, 0, atol=1e-9)


def test_of_equal_sizes_they_are_those_of_kalibera_and_jones() -> None:
    """Section 8: T² of a level is S² of its means less S² of the level within over its size."""
    values = np.random.default_rng(1).normal(size=(4, 3, 10))

    machine, fork = variance_components(
        [np.repeat(np.arange(4), 3)],
        values.mean(axis=2).ravel(),
        values.var(axis=2, ddof=1).ravel() / 10,
    )

    inner_variance = values.var(axis=2, ddof=1).mean()
    between_forks = values.mean(axis=2).var(axis=1, ddof=1).mean()
    assert fork == pytest.approx(between_forks - inner_variance / 10)
    assert machine == pytest.approx(values.mean(axis=(1, 2)).var(ddof=1) - between_forks / 3)


def test_one_fork_a_machine_leaves_forks_unknown() -> None:
    machine, fork = variance_components([np.arange(3)], np.array([1.0, 2.0, 3.0]), np.zeros(3))

    assert (machine, np.isnan(fork)) == (pytest.approx(1.0), True)


def test_moments_of_dependent_values_know_it() -> None:
    steps = np.repeat(np.random.default_rng(2).normal(size=100), 10)  # ten equal neighbours

    moments = fork_moments(steps)

    assert moments.long_run > 5 * moments.variance
    assert fork_moments(steps[:15]).long_run == fork_moments(steps[:15]).variance
    assert np.isnan(fork_moments(steps[:1]).variance)


def brute_force(variances: LevelVariances, costs: MachineCosts, target: float) -> float:
    """Least seconds over all plans of up to 50 forks and 40 iterations."""
    seconds = []
    for forks in range(1, 51):
        for iterations in range(1, 41):
            deviation = float(np.sqrt(variances.of_machine(forks, iterations)))
            if machines := machines_needed(deviation, target):
                fork_seconds = costs.fork + iterations * costs.iteration
                seconds.append(machines * (costs.machine + forks * fork_seconds))
    return min(seconds)


@pytest.mark.parametrize("shares", [(0.02, 0.01, 0.05), (0.0, 0.03, 0.01), (0.05, 0.0, 0.0)])
def test_a_plan_keeps_its_target_and_is_nearly_the_cheapest(
    shares: tuple[float, float, float],
) -> None:
    variances = LevelVariances(*(share**2 for share in shares))
    costs = MachineCosts(60, 2, 0.1)

    plan = machine_plan(variances, costs, 0.02, most_iterations=40)

    assert plan is not None
    assert plan.half <= 0.02
    assert plan.seconds <= 1.05 * brute_force(variances, costs, 0.02)


def test_no_plan_reaches_what_takes_thousands_of_machines() -> None:
    costs = MachineCosts(60, 2, 0.1)

    assert machine_plan(LevelVariances(1.0, 0.0, 0.0), costs, 0.01) is None
    assert machines_needed(1.0, 0.01) is None
    assert machines_needed(0.0, 0.01) == 2


def test_means_of_planned_machines_lie_within_the_target() -> None:
    """Nineteen of twenty do, and more where few machines make Student's t wide."""
    variances, generator = LevelVariances(0.03**2, 0.01**2, 0.04**2), np.random.default_rng(3)
    plan = machine_plan(variances, MachineCosts(60, 2, 0.1), 0.02, most_iterations=40)
    assert plan is not None

    deviation = np.sqrt(variances.of_machine(plan.forks, plan.iterations))
    means: Floats = generator.normal(1, deviation, (4000, plan.machines)).mean(axis=1)

    assert 0.95 <= np.mean(abs(means - 1) <= 0.02) <= 0.985
