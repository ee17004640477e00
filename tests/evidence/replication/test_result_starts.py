"""Tests on paper: their time, whether they are right, and the least time for a share."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.methods.fixed import Fixed
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.plateau import Plateau
from detectors.training.figures.method_figures import method_name
from evidence.replication import result_starts
from evidence.replication.result_starts import (
    CAP,
    OWN,
    JudgedFork,
    MeasuringRule,
    judge_tests,
    own_starts,
    start_of,
    starts_of_others,
    time_for,
)


def judged_fork(values: list[float], steady_mean: float = 2.0) -> JudgedFork:
    return JudgedFork("system#bench#", np.array(values), steady_mean)


def test_a_test_takes_warm_up_and_measurement_and_is_right_within_the_error() -> None:
    steady_fork = judged_fork([5.0, 3.0, 2.0, 2.0])

    times, is_right = MeasuringRule(0.25, 2).outcomes(steady_fork, np.array([1, 0, 2, 9]))

    assert times.tolist() == [3, 2, 4, 4]  # the last begins behind the end: its last value
    assert is_right.tolist() == [1, 0, 1, 1]
    assert steady_fork.system == "system"


def test_a_measurement_lasts_until_its_interval_is_narrow() -> None:
    rng = np.random.default_rng(0)
    quiet_values, loud_values = (
        1 + noise_share * rng.standard_normal(3000) for noise_share in (0.001, 5.0)
    )
    rule = MeasuringRule(0.01)

    assert rule.stop(quiet_values, 200) == 300
    assert rule.stop(loud_values, 200) == 3000
    assert 300 < rule.stop(1 + 0.2 * rng.standard_normal(3000), 200) < 3000


def test_who_says_never_measures_at_the_cap() -> None:
    drifting_fork = judged_fork(np.linspace(1, 1e6, 2000).tolist())

    assert KbKssd().answer(drifting_fork.values).steady_start == NEVER
    assert start_of(KbKssd(), drifting_fork) == CAP
    assert start_of(Fixed(iteration=20), drifting_fork) == 20
    assert start_of(Plateau(), judged_fork([1.0] * 5)) is None


def test_the_least_time_for_a_share_is_that_of_a_mixture() -> None:
    """Half of the tests by each: 200 iterations, and right in 0.6; the second is never used."""
    curve = np.array([100.0, 290.0, 300.0]), np.array([0.4, 0.6, 0.8])

    assert time_for(curve, 0.6) == pytest.approx(200)
    assert [time_for(curve, share) for share in (0.1, 0.4, 0.8)] == [100, 100, 300]
    assert time_for(curve, 0.81) == float("inf")


def test_answers_for_one_fork_are_tested_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second fork is steady 300 later than the first."""
    monkeypatch.setattr(result_starts, "_other_methods", lambda: [Fixed(iteration=40)])
    rng = np.random.default_rng(0)
    forks = [
        JudgedFork("system#b#", np.asarray(1 + (np.arange(3000) < stop) + noise, float), 1.0)
        for stop, noise in ((200, 0.01 * rng.standard_normal(3000)), (500, 0.0))
    ]
    rule = MeasuringRule(0.01)
    starts = own_starts(forks, rule) | starts_of_others(forks)

    same_fork_tests = {
        test.name: test for test in judge_tests(forks, rule, starts, np.arange(2), np.arange(2))
    }
    cross_tests = {
        test.name: test for test in judge_tests(forks, rule, starts, np.array([0]), np.array([1]))
    }

    assert starts[OWN].shape == (len(result_starts.WORTHS), 2)
    assert same_fork_tests[OWN].right[-1].tolist() == [1, 1]
    assert cross_tests["constant"].right[:, 0].tolist() == [
        float(rule.outcomes(forks[1], np.array([start]))[1, 0])
        for start in starts["constant"][:, 0]
    ]
    assert same_fork_tests[method_name(Fixed(iteration=40))].times.shape == (1, 2)
