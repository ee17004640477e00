"""The hierarchical bootstrap against its definition: all outcomes, lists of draws, vectors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from analysis.statistics.answers import Floats
from analysis.statistics.bootstrap import BootstrapSettings
from analysis.statistics.measurement_deviation import (
    CondensedForks,
    RatioInterval,
    interval_of,
    preview,
    ratio_interval,
    steady_part,
)
from tests.published_data import replication_folder

FORKS = [np.array([1.0, 2.0]), np.array([4.0]), np.array([8.0, 8.0, 16.0])]


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return json.loads((replication_folder() / "vectors" / "quality.json").read_text())


def forks_of(vector: dict[str, Any], name: str) -> list[Floats]:
    return [np.array(fork) for fork in vector[name]]


def check_near(ratio_interval: RatioInterval | None, vector: dict[str, Any]) -> None:
    assert ratio_interval is not None
    ends = ratio_interval.low, ratio_interval.high
    for end, mean, sd in zip(
        ends, vector["ci_mean_of_5_seeds"], vector["ci_sd_of_5_seeds"], strict=True
    ):
        assert abs(end - mean) <= max(5 * sd, 0.003 * mean)


def test_intervals_are_those_of_the_published_program(vectors: dict[str, Any]) -> None:
    for vector in vectors["bootstrap_two_level"]:
        check_near(ratio_interval(forks_of(vector, "m"), forks_of(vector, "mstar")), vector)
    for vector in vectors["bootstrap_one_level"]:  # one fork is drawn for sure
        check_near(ratio_interval([np.array(vector["m1"])], [np.array(vector["m2"])]), vector)


def test_deviation_and_whether_it_differs(vectors: dict[str, Any]) -> None:
    for vector in vectors["arpc"]:
        low, high = vector["ci"]
        interval = RatioInterval(low, high, close=False)

        assert interval.deviation == vector["centre_deviation"]
        assert interval.differs == vector["differs"]


def test_a_steady_part_is_drawn_once_for_all_methods() -> None:
    reference = steady_part(FORKS, BootstrapSettings(seed=3))
    assert reference is not None

    for measured_forks in (FORKS[:1], [FORKS[0][:1], FORKS[2][1:], np.array([])]):
        assert reference.interval(measured_forks) == ratio_interval(
            measured_forks, FORKS, BootstrapSettings(seed=3)
        )


def test_scale_changes_nothing_and_equal_values_do_not_differ() -> None:
    plain_interval = ratio_interval(FORKS[:2], FORKS[1:])
    equal_interval = ratio_interval(
        [np.full(30, 0.1)], [np.full(3000, 0.1)] * 10, BootstrapSettings(repeats=50)
    )

    for scale in (2.0**900, 2.0**-900):
        scaled_forks = [fork * scale for fork in FORKS]
        assert ratio_interval(scaled_forks[:2], scaled_forks[1:]) == plain_interval
    assert equal_interval == RatioInterval(1.0, 1.0, close=False)


def test_no_interval_without_values_or_with_values_that_are_not_positive() -> None:
    zero_forks = [np.array([1.0, 0.0])]

    assert ratio_interval([], FORKS) is None
    assert ratio_interval(FORKS, [np.array([])]) is None
    assert ratio_interval(zero_forks, FORKS) is None
    assert ratio_interval(FORKS, zero_forks) is None
    assert preview(CondensedForks.from_forks([]), CondensedForks.from_forks(FORKS)) is None
    assert (
        preview(CondensedForks.from_forks([np.array([0.0])]), CondensedForks.from_forks(FORKS))
        is None
    )


def test_an_end_beside_one_is_close_to_the_line() -> None:
    """Where 1 is one of the ratios near an end, other seeds judge otherwise; and nowhere else."""
    rng = np.random.default_rng(4)
    steady_values = [rng.normal(10, 1, 400)]
    steady_bootstrap = steady_part(steady_values, BootstrapSettings())
    assert steady_bootstrap is not None
    plain_interval = steady_bootstrap.interval(steady_values)
    assert plain_interval is not None

    adjacent_interval = steady_bootstrap.interval([steady_values[0] / plain_interval.low])
    assert adjacent_interval is not None
    distant_interval = steady_bootstrap.interval([steady_values[0] * 1.2])

    assert adjacent_interval.close
    assert adjacent_interval.low == pytest.approx(1)
    assert not plain_interval.close
    assert distant_interval is not None
    assert (distant_interval.differs, distant_interval.close) == (True, False)


def test_a_preview_is_marked_and_near() -> None:
    rng = np.random.default_rng(6)
    steady_forks = [rng.gamma(9, 1, 800) for _ in range(6)]
    measured_forks = [fork[:100] * 1.05 for fork in steady_forks]
    exact_interval = ratio_interval(measured_forks, steady_forks)
    assert exact_interval is not None

    estimate = preview(
        CondensedForks.from_forks(measured_forks),
        CondensedForks.from_forks(steady_forks),
        BootstrapSettings(),
    )

    assert estimate is not None
    assert (estimate.exact, exact_interval.exact) == (False, True)
    assert estimate.low == pytest.approx(exact_interval.low, abs=0.003)
    assert estimate.high == pytest.approx(exact_interval.high, abs=0.003)


@pytest.mark.parametrize("outlier_count", [1, 3])
def test_a_preview_is_near_where_few_values_decide(outlier_count: int) -> None:
    """An outlier among a hundred values is drawn 0, 1, 2, … times: one end of two is long."""
    rng = np.random.default_rng(outlier_count)
    fork = rng.normal(1, 0.001, 2000)
    fork[rng.permutation(2000)[:outlier_count]] = 9.0
    measured = rng.normal(1, 0.001, 100)
    measured[10] = 3.0
    exact = ratio_interval([measured], [fork])
    assert exact is not None

    estimate = preview(CondensedForks.from_forks([measured]), CondensedForks.from_forks([fork]))
    plain = preview(CondensedForks.from_forks([measured], 0), CondensedForks.from_forks([fork], 0))

    assert estimate is not None
    assert plain is not None
    width = exact.high - exact.low
    assert estimate.low == pytest.approx(exact.low, abs=0.06 * width)
    assert estimate.high == pytest.approx(exact.high, abs=0.06 * width)
    assert max(abs(plain.low - exact.low), abs(plain.high - exact.high)) > 0.08 * width


def test_a_preview_of_few_values_is_near_too() -> None:
    measured_forks = [np.array([1.0, 1.2, 1.1])]
    steady_forks = [np.array([1.0, 1.1, 1.3, 0.9, 1.0, 5.0])]
    exact = ratio_interval(measured_forks, steady_forks)
    assert exact is not None

    estimate = preview(
        CondensedForks.from_forks(measured_forks), CondensedForks.from_forks(steady_forks)
    )

    assert estimate is not None
    width = exact.high - exact.low
    assert estimate.low == pytest.approx(exact.low, abs=0.2 * width)
    assert estimate.high == pytest.approx(exact.high, abs=0.2 * width)


@pytest.mark.parametrize("ratios", [[1.0, 2.0, np.inf], [-np.inf, 1.0, 2.0]])
def test_no_interval_of_ratios_that_leave_the_range(ratios: list[float]) -> None:
    assert interval_of(np.array(ratios), BootstrapSettings()) is None
    assert interval_of(np.array([1.0, 2.0, 3.0]), BootstrapSettings()) is not None
