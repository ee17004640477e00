"""Costs of tests by where they begin to measure: a look-up, held to the replay of the costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.statistics.answers import Answers
from analysis.statistics.benchmark_replay import ReplayRules, replay
from analysis.statistics.error_seconds import running_seconds
from analysis.statistics.start_outcomes import MeasuredSeries, StartOutcomes, start_outcomes
from analysis.statistics.tuning_objectives import figures, score, search_scores
from detectors.parameter_sets.evaluation import NO_ANSWER, Table

NEVER = -1
WARM = np.array([8.0, 8.0, 5.0, 4.0, 4.0, 4.0])


def outcomes(
    *series: tuple[list[float], int], benchmarks: list[int] | None = None
) -> StartOutcomes:
    """Of seconds, with a warm-up of at most 4 and a measurement of 2 iterations."""
    measured_series = [
        MeasuredSeries(np.array(x), running_seconds(np.array(x)), start) for x, start in series
    ]
    benchmark_numbers = benchmarks or list(range(len(measured_series)))
    return start_outcomes(measured_series, benchmark_numbers, "s", cap=4, window=2)


def test_worked_by_hand() -> None:
    warm_outcomes = outcomes((list(WARM), 3))

    time, error = warm_outcomes.figures(
        np.array([[0], [2], [3], [9], [NEVER], [NO_ANSWER]], np.int32)
    )

    assert time.tolist() == [16, 25, 29, 33, 33, 33]
    assert error.tolist() == [100.0, 12.5, 0, 0, 0, 0]


@pytest.mark.parametrize(("recorded_from", "latest"), [(3, 1), (4, 0), (9, 0)])
def test_warm_up_before_the_first_value_counts_for_the_cap(recorded_from: int, latest: int) -> None:
    measured_series = MeasuredSeries(WARM, running_seconds(WARM), 3, recorded_from)

    totals = start_outcomes([measured_series], [1], "s", cap=4, window=2).total[0].tolist()

    assert totals == [WARM[min(start, latest) :][:2].sum() for start in range(5)]


def test_all_forks_make_the_result_of_a_benchmark_and_the_middle_benchmark_counts() -> None:
    """Fork 1 is never steady: it is measured, and no part of what is steady."""
    fork_outcomes = outcomes((list(WARM), 3), ([10.0] * 6, NEVER), benchmarks=[7, 7])
    three_outcomes = outcomes((list(WARM), 3), ([1.0] * 6, 0), ([2.0, 1.0, 1.0], 1))

    assert fork_outcomes.figures(np.array([[3, 3]], np.int32))[1].tolist() == [75.0]
    assert three_outcomes.figures(np.array([[0, 0, 0]], np.int32))[1].tolist() == [50.0]


def test_of_which_nothing_is_measured_is_the_worst_result() -> None:
    early_outcomes = outcomes(([2.0, 1.0, 1.0], 1))

    assert early_outcomes.figures(np.array([[3], [4]], np.int32))[1].tolist() == [np.inf, np.inf]


def test_without_series_without_time_and_without_a_steady_fork_there_is_no_figure() -> None:
    no_figures = outcomes().figures(np.empty((2, 0), np.int32))
    untimed_outcomes = start_outcomes([MeasuredSeries(WARM, None, 3)], [1], "s", cap=4, window=2)
    never_outcomes = outcomes((list(WARM), NEVER))
    start_set = np.array([[3]], np.int32)

    assert np.isnan(no_figures).all()
    assert np.isnan(untimed_outcomes.figures(start_set)[0])
    assert untimed_outcomes.figures(start_set)[1] == 0
    assert np.isnan(never_outcomes.figures(start_set)[1])
    assert untimed_outcomes.basis.timed == 0
    assert (never_outcomes.basis.timed, never_outcomes.basis.benchmarks) == (1, 0)


def test_a_giant_first_iteration_does_not_spoil_what_is_measured_after_it() -> None:
    values = [1e18, 1.1, 1.0, 1.0, 1.0, 1.0]

    assert outcomes((values, 2)).figures(np.array([[1]], np.int32))[1] == pytest.approx(5.0)


@settings(max_examples=40)
@given(
    st.lists(st.floats(0.1, 9.0), min_size=1, max_size=12),
    st.integers(-1, 11),
    st.lists(st.integers(-1, 14), min_size=1, max_size=5),
)
def test_time_and_result_are_those_of_the_replay(
    values: list[float], truth: int, answers: list[int]
) -> None:
    x, start = np.array(values), min(truth, len(values) - 1)
    total = running_seconds(x)
    lengths = np.array([x.size])
    figures_of_answers = outcomes((values, start)).figures(np.array(answers, np.int32)[:, None])

    for answer_index, answer in enumerate(answers):
        rules = ReplayRules(cap=4, measured=2)
        replay_result = replay(Answers.from_list([answer]), np.array([np.nan]), lengths, rules)
        begin, stop = int(replay_result.start[0]), int(replay_result.stop[0])
        assert figures_of_answers[0][answer_index] == pytest.approx(total[stop])
        if start >= 0 and stop > begin:
            error = abs(x[begin:stop].mean() / x[start:].mean() - 1)
            assert figures_of_answers[1][answer_index] == pytest.approx(100 * error, abs=1e-9)


# --- a limit --------------------------------------------------------------------------------------
TABLE: Table = np.array([[0], [2], [3], [4]], np.int32)


def test_beyond_the_limit_a_set_has_no_score_and_a_search_learns_how_far_it_is() -> None:
    figures_of_sets = figures(TABLE, Answers.from_list([3]), outcomes=outcomes((list(WARM), 3)))

    scores = score(figures_of_sets, {"machine_time": 1.0}, most_error=12.5)

    assert scores.tolist() == [np.inf, 25, 29, 33]
    assert search_scores(scores, figures_of_sets, 12.5).tolist() == [33 + 87.5, 25, 29, 33]
    assert search_scores(scores, figures_of_sets, None) is scores


def test_without_outcomes_costs_are_no_figures() -> None:
    figures_of_sets = figures(TABLE, Answers.from_list([3]))

    assert np.isnan([figures_of_sets["machine_time"], figures_of_sets["result_error"]]).all()


def test_a_benchmark_is_judged_by_one_steady_iteration_of_one_fork() -> None:
    steady_fork, never_pair = ([2.0, 2.0, 1.0], 2), ([2.0, 1.0, 1.0], NEVER)

    basis = outcomes(steady_fork, never_pair, never_pair, benchmarks=[4, 4, 9]).basis

    assert (basis.timed, basis.series, basis.benchmarks) == (3, 3, 1)
