"""Ways on the steady series of a data set: the yardstick, then rules of harnesses, then methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import TRUTH, compare_stored
from analysis.cost.query import CostQuery
from analysis.cost.table import ComparisonCosts, comparison_costs
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import JUDGE, HarnessRuns, harness_runs
from analysis.harness.rules import HarnessChoice
from analysis.planner.reads import PREFERRED
from analysis.runs.models import Detection
from analysis.what_to_do.benchmark_ways import NEVER_STEADY, OWN_RULE, RULES
from analysis.what_to_do.query import WhatToDoQuery
from analysis.what_to_do.ways import MeasuredWindows, Way, WaysTable, way_from_windows
from annotate.blind import Reader
from detectors.planning.harness_commands import HarnessName
from detectors.registry import DEFAULT_METHOD
from series.models import Dataset

REPLAYED: Final = CostQuery(cap=None)
"""Methods measure `MEASURED` iterations of each series, from where they decide."""


def read_harness_runs(
    dataset: Dataset, reader: Reader, query: WhatToDoQuery, seconds: float | None
) -> HarnessRuns:
    """Rules of harnesses on the data set, as far as the seconds go. Raises UnknownYardstick."""
    return harness_runs(dataset, reader, HarnessQuery(yardstick=query.yardstick_code), seconds)


def replay_costs(runs: HarnessRuns, reader: Reader) -> ComparisonCosts | None:
    """Stored methods replayed on the steady series, the yardstick the same; None without any."""
    code = runs.yardstick.code if runs.yardstick else f"method:{DEFAULT_METHOD}"
    if runs.yardstick is None and not _has_stored_default(runs.dataset):
        return None
    query = ComparisonQuery(dataset=runs.dataset.slug, yardstick=code, index="steady_start")
    steady_pks = [series.line.pk for series in runs.series]
    return comparison_costs(
        compare_stored(runs.dataset.study, reader, query, subset=steady_pks), REPLAYED
    )


def _has_stored_default(dataset: Dataset) -> bool:
    stored_detections = Detection.objects.filter(series__benchmark__dataset__study=dataset.study)
    return stored_detections.filter(detector_key=JUDGE.key).exists()


def dataset_ways(
    runs: HarnessRuns, costs: ComparisonCosts | None, harness: HarnessName, *, is_complete: bool
) -> WaysTable:
    """Every way on the steady series; the methods where `costs` has them."""
    starts = np.sort(np.array([series.seconds for series in runs.series], np.float64))
    return WaysTable(
        unit="seconds",
        ways=[
            _answer_way(runs, costs),
            *(_harness_way(runs, choice) for choice in runs.choices),
            *(_method_ways(costs) if costs else ()),
        ],
        starts=starts,
        first=(RULES[harness], OWN_RULE, *PREFERRED),
        is_complete=is_complete,
    )


def _answer_way(runs: HarnessRuns, costs: ComparisonCosts | None) -> Way:
    if costs is None:
        unknown_values = np.full(len(runs.series), np.nan)
        omitted_seconds = np.array([series.seconds for series in runs.series], np.float64)
        windows = MeasuredWindows(
            omitted_seconds, unknown_values, unknown_values > 0, unknown_values
        )
    else:
        windows = _windows(costs, TRUTH)
    return way_from_windows(
        "answer", runs.judge, windows, _median_seconds(windows), symbol="symbol-truth"
    )


def _median_seconds(windows: MeasuredWindows) -> float | None:
    known_seconds = windows.seconds[~np.isnan(windows.seconds)]
    return float(np.median(known_seconds)) if known_seconds.size else None


# --- harnesses ------------------------------------------------------------------------------------
def _harness_way(runs: HarnessRuns, choice: HarnessChoice) -> Way:
    outcomes = [series.outcomes[choice.name] for series in runs.series]
    windows = MeasuredWindows.from_rows(
        (outcome.seconds, outcome.error, outcome.early > 0, outcome.spent)
        for outcome in outcomes
        if not outcome.reason
    )
    reasons = Counter(outcome.reason for outcome in outcomes if outcome.reason)
    return way_from_windows(
        "harness",
        choice.title,
        windows,
        _median_seconds(windows),
        name=choice.name,
        words=choice.words,
        reason=reasons.most_common(1)[0][0] if reasons else "",
    )


# --- methods --------------------------------------------------------------------------------------
def _method_ways(costs: ComparisonCosts) -> Iterator[Way]:
    for name in costs.methods:
        style, windows = costs.compared.looks[name], _windows(costs, name)
        yield way_from_windows(
            "method",
            style.label,
            windows,
            _median_seconds(windows),
            name=name,
            symbol=style.symbol,
            reason=NEVER_STEADY,
        )


def _windows(costs: ComparisonCosts, name: str) -> MeasuredWindows:
    method_replay = costs.replay_table.replays["published"][name]
    is_measured = costs.counted_mask(name) & method_replay.replay.measures
    true_starts = costs.inputs.truth.answers.index
    return MeasuredWindows(
        left_out=method_replay.left_out[is_measured],
        error=method_replay.error[is_measured],
        is_early=(method_replay.replay.start < true_starts)[is_measured],
        seconds=method_replay.seconds[is_measured],
    )
