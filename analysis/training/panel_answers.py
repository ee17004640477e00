"""Answers of a panel in a campaign."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.training.labelled_series import settled_series
from annotate.models import Campaign
from annotate.truth.results import SeriesResult
from detectors.contract import NEVER, Values
from detectors.learned.crossfit import benchmark_key
from detectors.panel.panel_models import SHORTEST
from detectors.training.labels.panel_answers import Group, MarkedSeries, PanelAnswers, ShownSeries


def panel_of_campaign(campaign: Campaign) -> PanelAnswers:
    """The settled ground truth of a campaign, with the marks it was made of.

    Series that are too short to be judged, and undecided ones, are left out. Groups are systems;
    of a campaign with one system, benchmarks. Rates are durations, as `plateau` reads them.
    """
    results_and_values = settled_series(campaign, SHORTEST)
    systems = {result.series.benchmark.system for result, _ in results_and_values}
    group: Group = "system" if len(systems) > 1 else "benchmark"
    return PanelAnswers(
        [
            _marked_series(result, group, values)
            for result, values in results_and_values
            if result.settled.steady
        ],
        [_shown_series(result, group, values) for result, values in results_and_values],
        group,
    )


def _group_name(result: SeriesResult, group: Group) -> str:
    benchmark = result.series.benchmark
    return (
        benchmark.system
        if group == "system"
        else benchmark_key(benchmark.system, benchmark.name, benchmark.params)
    )


def _marked_series(result: SeriesResult, group: Group, values: Values) -> MarkedSeries:
    truth = result.settled
    return MarkedSeries(
        _group_name(result, group),
        values,
        int(truth.value or 0),
        truth.agreement == "clustered",
        dict(_steady_marks(result)),
    )


def _shown_series(result: SeriesResult, group: Group, values: Values) -> ShownSeries:
    marks = tuple(mark for _, mark in _steady_marks(result))
    return ShownSeries(_group_name(result, group), values, marks, result.settled.steady)


def _steady_marks(result: SeriesResult) -> Iterator[tuple[str, int]]:
    for vote in result.votes:
        if vote.cell is not None and vote.cell != NEVER:
            yield vote.pseudonym, vote.cell
