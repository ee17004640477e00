"""Stability metrics choose what their program would, and a suite adds up its benchmarks."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER, Values
from detectors.planning.benchmark_plan import MeasuredFork, RepeatCosts, benchmark_plan
from detectors.planning.stability_metrics import (
    METRICS,
    coefficient_of_variation,
    least_stable,
    median_deviation,
    percentile_width,
)
from detectors.planning.suite_saving import WAYS, saving_rows, suite_ways


def noisy_forks(spread: float, forks: int = 5, iterations: int = 200) -> Values:
    random = np.random.default_rng(7)
    return random.normal(1.0, spread, (forks, iterations))


def test_metrics_by_hand() -> None:
    values = np.array([1.0, 2.0, 3.0, 10.0])

    assert coefficient_of_variation(values) == pytest.approx(np.sqrt(12.5) / 4)
    assert median_deviation(values) == pytest.approx(1.0 / 2.5)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("values", [np.zeros(5), np.array([-1.0, 0.0, 1.0]), np.zeros(60)])
def test_around_zero_nothing_is_stable(name: str, values: Values) -> None:
    assert METRICS[name](values) == np.inf


@pytest.mark.parametrize("name", METRICS)
def test_a_negative_benchmark_is_as_unstable_as_a_positive_one(name: str) -> None:
    values = noisy_forks(0.3, 1, 20).ravel()

    assert METRICS[name](-values) == pytest.approx(METRICS[name](values))


@pytest.mark.parametrize("name", ["rciw-mean", "rciw-mean-t", "rciw-median"])
def test_limits_of_the_bootstrap_meet_its_resamples(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = noisy_forks(0.05, 1, 400).ravel()
    limit = METRICS[name](values)

    monkeypatch.setattr("detectors.planning.stability_metrics.RESAMPLED", 1000)

    assert METRICS[name](values) == pytest.approx(limit, rel=0.12)


def test_the_least_stable_configuration_is_the_shortest_below_one_percent() -> None:
    values = noisy_forks(0.02)

    least_size = least_stable(values, percentile_width)

    size = least_size.forks * least_size.iterations
    assert least_size.instability < 0.01
    for forks in range(1, 6):
        for iterations in (1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 160, 200):
            if 3 <= forks * iterations < size:
                assert percentile_width(values[:forks, :iterations].ravel()) >= 0.01


def test_an_unstable_benchmark_keeps_all_that_was_recorded() -> None:
    assert least_stable(noisy_forks(0.5), coefficient_of_variation)[:2] == (5, 200)


def test_a_suite_adds_up_its_benchmarks() -> None:
    rows = []
    for name, spread in (("a", 0.004), ("b", 0.02)):
        forks = [MeasuredFork(values, 0) for values in noisy_forks(spread)]
        plan = benchmark_plan(forks, RepeatCosts(1.0, 2.0), present=5 * 202.0)
        rows += list(saving_rows(name, plan, forks))

    ways = suite_ways(rows)

    assert [way.way for way in ways] == list(WAYS)
    configured_way, planned_way, varied = ways[:3]
    assert (configured_way.seconds, configured_way.share, configured_way.width_ratio) == (
        2020.0,
        1.0,
        1.0,
    )
    assert planned_way.seconds == sum(row.seconds for row in rows if row.way == "plan")
    assert varied.seconds == sum(row.seconds for row in rows if row.way == "cv")
    assert planned_way.share < 1
    assert planned_way.width_ratio is not None
    assert planned_way.width_ratio > 1
    assert varied.without_interval == sum(row.forks == 1 for row in rows if row.way == "cv")


def test_the_interval_of_a_plan_is_that_after_its_own_warm_up() -> None:
    """Forks differ by 3 % more until iteration 200; the plan measures from 100."""
    levels = np.linspace(0.97, 1.03, 8)[:, np.newaxis] ** (np.arange(3000) < 200)
    random = np.random.default_rng(7)
    forks = [MeasuredFork(row, 200) for row in levels + random.normal(0, 0.01, (8, 3000))]
    plan = benchmark_plan(forks, RepeatCosts(0.1, 1.0), target=0.1)

    configured_row, planned_row, *_ = saving_rows("a", plan, forks)

    assert plan.warm_up is not None
    assert plan.recommended is not None
    assert plan.recommended.warm_up < plan.warm_up.iterations
    assert planned_row.half_width == plan.recommended.half_width
    assert planned_row.half_width is not None
    assert configured_row.half_width is not None
    assert planned_row.width_ratio == pytest.approx(
        planned_row.half_width / configured_row.half_width
    )


def test_steady_values_around_zero_have_no_relative_change() -> None:
    """Three forks steady at 0, and one that never is, so that a plan knows its own mean."""
    random = np.random.default_rng(7)
    forks = [MeasuredFork(np.zeros(100), 0) for _ in range(3)]
    forks.append(MeasuredFork(random.normal(1.0, 0.01, 100), NEVER))
    plan = benchmark_plan(forks, RepeatCosts(1.0, 2.0))

    _, _, *metrics = saving_rows("a", plan, forks)

    assert [(row.way, row.mean_change) for row in metrics] == [(name, None) for name in METRICS]


def test_a_benchmark_without_a_plan_stays_as_configured() -> None:
    forks = [MeasuredFork(values, 0) for values in noisy_forks(0.004)]
    plan = benchmark_plan(forks, RepeatCosts(1.0, 2.0), target=1e-9, present=5.0)

    configured_row, planned_row, *_ = saving_rows("a", plan, forks)

    assert planned_row.lacking == plan.lacking == "out of reach"
    assert planned_row.seconds == configured_row.seconds == 5.0
