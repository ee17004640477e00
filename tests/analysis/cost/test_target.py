"""The target of a measurement: what it costs, and why methods beat it."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import TRUTH, compare_stored
from analysis.cost.query import CostQuery
from analysis.cost.result_errors import ResultError, result_error
from analysis.cost.sentences import error_text, length_text, truth_sentence
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.statistics.bootstrap import BootstrapSettings
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from people.templatetags.writing import HARD
from series.models import Series


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.cost.intervals.BOOTSTRAP", BootstrapSettings(repeats=200))


@pytest.fixture
def costs(compared_study: Campaign) -> ComparisonCosts:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    costs = comparison_costs(comparison, CostQuery(measured=20))
    assert costs is not None
    return costs


def test_lengths_and_errors_have_few_digits() -> None:
    texts = [length_text(seconds, in_seconds=True) for seconds in (0.0, 0.0643, 23.4, 600.0)]
    assert [text.replace(HARD, " ") for text in texts] == ["0 s", "64 ms", "23 s", "10 min"]
    assert length_text(612, in_seconds=False) == f"612{HARD}iterations"
    assert [error_text(share) for share in (0.1234, 0.0004)] == [f"12.3{HARD}%", f"0.04{HARD}%"]


def test_the_target_measures_from_where_the_yardstick_says(costs: ComparisonCosts) -> None:
    [row] = costs.truth_by_benchmark

    assert (row.forks, row.measured, row.wasted, row.contaminated) == (3, 3, 0.0, 0.0)
    assert row.interval is not None
    assert result_error(costs.truth_by_benchmark) == ResultError(3, row.interval.deviation)
    assert result_error([]) is None


def test_errors_of_results_are_those_of_the_measured_means(
    costs: ComparisonCosts, four_series: list[Series]
) -> None:
    """Each measured mean against the mean from the yardstick's start on."""
    truth = costs.inputs.truth.answers
    for name in (*costs.methods, TRUTH):
        replay = costs.replay_table.replays["published"][name]
        for fork, series in enumerate(four_series):
            start, stop = replay.replay.start[fork], replay.replay.stop[fork]
            values = series.array()
            if not truth.steady[fork] or stop <= start or not replay.replay.given[fork]:
                assert np.isnan(replay.error[fork])
                continue
            mean = values[int(truth.index[fork]) :].mean()
            assert replay.error[fork] == pytest.approx(abs(values[start:stop].mean() / mean - 1))
            assert replay.left_out[fork] == pytest.approx(values[:start].sum())


def test_a_target_that_methods_beat_has_its_reason(
    costs: ComparisonCosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both reasons: a cap before the yardstick's start, and steady iterations that still fall."""
    capped_costs = ComparisonCosts(costs.compared, CostQuery(measured=20, cap=10))

    def reason(any_costs: ComparisonCosts, result_error: ResultError, target: float = 0.36) -> str:
        target_error = ResultError(30, target)
        monkeypatch.setattr("analysis.cost.sentences.result_error", lambda _: target_error)
        monkeypatch.setattr("analysis.cost.sentences.method_errors", lambda _: [result_error])
        return truth_sentence(any_costs).replace(HARD, " ")

    small_error = ResultError(30, 0.05)
    assert reason(costs, small_error).startswith(
        "The target itself is off by 36.0 %, and 1 method comes nearer. It measures the first"
    )
    assert "3 of 3 series" in reason(capped_costs, small_error)
    assert "the cap of 10 iterations" in reason(capped_costs, small_error)
    assert reason(costs, ResultError(30, 0.35)) == reason(costs, ResultError(9, 0.05)) == ""
    assert reason(costs, small_error, 0.009) == ""
