"""Trials of plans: results, oracles and intervals, on forks whose variances are known."""

from __future__ import annotations

from argparse import Namespace
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.planning.benchmark_plan import MeasuredFork
from evidence.replication import kept_plans
from evidence.replication.kept_plans import (
    ForkMoments,
    Trial,
    fork_moments,
    kept_interval,
    plan_trials,
    tried_benchmark,
    window_means,
)


def recorded(seed: int = 0, between: float = 0.01, start: int = 30) -> list[MeasuredFork]:
    rng = np.random.default_rng(seed)
    forks = []
    for _ in range(kept_plans.FORKS):
        values = 1 + between * rng.standard_normal() + 0.02 * rng.standard_normal(400)
        values[:start] += 0.5
        forks.append(MeasuredFork(values, start))
    return forks


def test_results_of_few_forks_vary_as_much_as_forks_nobody_drew() -> None:
    rng = np.random.default_rng(1)
    means = 1 + 0.01 * rng.standard_normal((5, 20_000))
    truth = ForkMoments(np.array(1.0), np.array(1.0), 1.0)
    assert truth.share_within(1.96 / 2, np.array([4]))[0] == pytest.approx(1 - 0.05, abs=1e-4)

    squares = [
        fork_moments([MeasuredFork(np.ones(4), 0)] * 5, column[:, np.newaxis]).deviation[0] ** 2
        for column in means.T
    ]

    assert np.mean(squares) == pytest.approx(0.01**2, rel=0.02)  # not 4/5 of it


def test_a_bias_and_forks_that_do_not_differ_decide_alone() -> None:
    moments = ForkMoments(np.array([1.02, 1.005]), np.zeros(2), 1.0)

    assert moments.share_within(0.01, np.array([2, 30])).tolist() == [[0, 0], [1, 1]]


def test_windows_beyond_what_is_recorded_are_never_kept() -> None:
    forks = recorded()
    means = window_means(forks, [0, 390], np.array([10, 20]))

    assert means[:, 0, 0] == pytest.approx([fork.values[:10].mean() for fork in forks])
    assert np.isnan(means[:, 1, 1]).all()
    assert np.isfinite(means[:, 1, 0]).all()
    assert fork_moments(forks, means).share_within(9.0, np.array([2]))[1, 1, 0] == 0


def test_a_fork_that_never_becomes_steady_counts_with_its_second_half() -> None:
    values = np.repeat([1.0, 3.0], 10)

    assert fork_moments([MeasuredFork(values, NEVER)] * 2, np.ones((2, 1))).level == 3
    assert fork_moments([MeasuredFork(values, 0)] * 2, np.ones((2, 1))).level == 2


def test_the_trial_oracle_takes_at_least_what_five_forks_ask_for() -> None:
    trial = tried_benchmark(recorded(), np.random.default_rng(0))

    assert all(
        sorted(planned + other_forks) == list(range(10)) for planned, other_forks in trial.halves
    )
    assert trial.oracle[0.05] == 2 * (1 + 0.1 * (30 + 1))  # two forks, one iteration
    assert trial.oracle[0.05] < trial.oracle[0.02] < trial.oracle[0.01]
    assert trial.trial_oracle[0.01] > trial.oracle[0.01]
    assert 0 < np.mean(trial.oracle_kept[0.01]) < 1

    never = tried_benchmark([MeasuredFork(np.ones(50), NEVER)] * 10, np.random.default_rng(0))
    assert never.oracle[0.05] == np.inf
    assert never.oracle_kept[0.05] == []


def test_plans_are_tried_on_the_forks_they_were_not_made_from() -> None:
    trial = tried_benchmark(recorded(), np.random.default_rng(0))
    trials, lack_counts = plan_trials([trial], 0.05, assurance=0.95)
    plans = [trial for trial in trials if trial.kind != kept_plans.REFUSED]

    assert len(plans) == kept_plans.SPLITS
    assert {(trial.kind, trial.promise) for trial in plans} == {(kept_plans.AT_TARGET, 0.05)}
    assert not lack_counts
    assert all(trial.is_kept and trial.seconds >= trial.oracle for trial in plans)

    restless = tried_benchmark(recorded(between=0.2), np.random.default_rng(0))
    trials, lack_counts = plan_trials([restless], 0.01, assurance=0.95)
    kinds = [trial.kind for trial in trials]
    assert kinds.count(kept_plans.NEAREST) + lack_counts["out of reach"] == kept_plans.SPLITS
    assert kept_plans.AT_TARGET not in kinds
    assert all(trial.promise > 0.01 for trial in trials if trial.kind == kept_plans.NEAREST)


def test_the_interval_of_the_share_kept_is_by_benchmark() -> None:
    trials = [
        Trial("", number % 8, number, 0.01, float(number % 2), 1.0, 1.0, 1.0)
        for number in range(80)
    ]

    assert kept_interval(trials) != (0.5, 0.5)  # even benchmarks keep none, odd ones all
    assert kept_interval([trial for trial in trials if trial.is_kept]) == (1, 1)


def test_the_table_has_a_line_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    benchmarks = [
        SimpleNamespace(forks=[fork.values for fork in recorded(seed)]) for seed in range(3)
    ]
    study = SimpleNamespace(measured=[*benchmarks, SimpleNamespace(forks=[])])

    assert kept_plans.print_table(study, Namespace(assurance=0.95)) == 0  # type: ignore[arg-type]

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 benchmarks with 10 forks, 20 halves each")
    assert [line.split(" | ")[0] for line in lines[4:20:4]] == ["| ±1%", "| ±2%", "| ±5%", "| ±10%"]
    assert [line.split(" | ")[0] for line in lines[5:8]] == [
        *("| ±1%: the target itself", "| ±1%: the nearest in reach", "| ±1%: refused")
    ]
    assert lines[21].startswith("| promised |")
    assert [line.split(" | ")[0] for line in lines[23:25]] == ["| ±1%", "| ±1.5%"]
