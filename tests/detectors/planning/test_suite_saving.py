"""Stability metrics choose what their program would, and a suite adds up its benchmarks."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import Values
from detectors.planning.benchmark_plan import MeasuredFork, RepeatCosts, benchmark_plan
from detectors.planning.stability_metrics import (
    METRICS,
    coefficient_of_variation,
    least_stable,
    median_deviation,
    percentile_width,
)
from detectors.planning.suite_saving import WAYS, saving_rows, suite_ways


def noisy(spread: float, forks: int = 5, iterations: int = 200) -> Values:
    random = np.random.default_rng(7)
    return random.normal(1.0, spread, (forks, iterations))


def test_metrics_by_hand() -> None:
    values = np.array([1.0, 2.0, 3.0, 10.0])

    assert coefficient_of_variation(values) == pytest.approx(np.sqrt(12.5) / 4)
    assert median_deviation(values) == pytest.approx(1.0 / 2.5)


@pytest.mark.parametrize("name", ["rciw-mean", "rciw-mean-t", "rciw-median"])
def test_limits_of_the_bootstrap_meet_its_resamples(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = noisy(0.05, 1, 400).ravel()
    limit = METRICS[name](values)

    monkeypatch.setattr("detectors.planning.stability_metrics.RESAMPLED", 1000)

    assert METRICS[name](values) == pytest.approx(limit, rel=0.12)


def test_the_least_stable_configuration_is_the_shortest_below_one_percent() -> None:
    values = noisy(0.02)

    least = least_stable(values, percentile_width)

    size = least.forks * least.iterations
    assert least.instability < 0.01
    for forks in range(1, 6):
        for iterations in (1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 160, 200):
            if 3 <= forks * iterations < size:
                assert percentile_width(values[:forks, :iterations].ravel()) >= 0.01


def test_an_unstable_benchmark_keeps_all_that_was_recorded() -> None:
    assert least_stable(noisy(0.5), coefficient_of_variation)[:2] == (5, 200)


def test_a_suite_adds_up_its_benchmarks() -> None:
    rows = []
    for name, spread in (("a", 0.004), ("b", 0.02)):
        forks = [MeasuredFork(values, 0) for values in noisy(spread)]
        plan = benchmark_plan(forks, RepeatCosts(1.0, 2.0), present=5 * 202.0)
        rows += list(saving_rows(name, plan, forks))

    ways = suite_ways(rows)

    assert [way.way for way in ways] == list(WAYS)
    configured, planned, varied = ways[:3]
    assert (configured.seconds, configured.share, configured.width_ratio) == (2020.0, 1.0, 1.0)
    assert planned.seconds == sum(row.seconds for row in rows if row.way == "plan")
    assert varied.seconds == sum(row.seconds for row in rows if row.way == "cv")
    assert planned.share < 1
    assert planned.width_ratio is not None
    assert planned.width_ratio > 1
    assert varied.without_interval == sum(row.forks == 1 for row in rows if row.way == "cv")


def test_a_benchmark_without_a_plan_stays_as_configured() -> None:
    forks = [MeasuredFork(values, 0) for values in noisy(0.004)]
    plan = benchmark_plan(forks, RepeatCosts(1.0, 2.0), target=1e-9, present=5.0)

    configured, planned, *_ = saving_rows("a", plan, forks)

    assert planned.lacking == plan.lacking == "out of reach"
    assert planned.seconds == configured.seconds == 5.0
