"""Tables of harnesses: what their rules would have done with the series of a data set."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from analysis.harness.outcomes import HarnessOutcome
from analysis.harness.query import HarnessQuery
from analysis.harness.reads import harness_runs
from analysis.harness.sentences import harness_lines
from analysis.harness.table import HarnessTable
from analysis.references.yardsticks import UnknownYardstick
from analysis.web.page_tables import (
    DATASET,
    PageTable,
    PageTables,
    TableNotReady,
    TableRequest,
    column_table,
)
from analysis.web.series_columns import NAMING
from detectors.registry import DEFAULT_METHOD
from formats.tables import Cell

FILE_SECONDS: Final = 20.0  # seconds of computing for a download
_HARNESS_COLUMNS: Final = {
    "harness": "name of the harness",
    "rule": "its rule in words",
    "method": "key of the method that follows the rule",
    "n": "steady series on which it measures something",
    "of": "steady series",
    "warm_up_q25": "25 % quantile of its warm-up, in seconds",
    "warm_up_q50": "median of its warm-up, in seconds",
    "warm_up_q75": "75 % quantile of its warm-up, in seconds",
    "error_q25": "25 % quantile of the error of the result, as a share",
    "error_q50": "median of the error, as a share; empty: fewer than 10 series",
    "error_q75": "75 % quantile of the error, as a share",
    "error_low": "lower end of the 95 % interval of the median error",
    "error_high": "upper end of the same",
    "early": "mean share of measured iterations before the steady start",
    "past": "share of the series whose warm-up reaches the steady start",
    "wasted_q50": "median of the steady time before the measurement, in seconds",
    "wasted_total": "sum of that time over all series, in seconds",
    "reason": "most frequent reason why it measures nothing of the other series",
}
_SERIES_COLUMNS: Final = {
    **NAMING,
    "steady_start": "first steady iteration, 0-based",
    "steady_seconds": "time until then, in seconds",
    "harness": "name of the harness",
    "method": "key of the method that follows its rule",
    "warm_up": "recorded iterations before the measurement",
    "warm_up_seconds": "time from the start of the process to the measurement, in seconds",
    "measured": "iterations of the measurement, as far as the series goes",
    "error": "difference of their mean from that of the steady state, as a share",
    "early": "share of the measured iterations before the steady start",
    "wasted": "steady time before the measurement, in seconds",
    "reason": "why it measures nothing; empty: it does",
}


def _series_rows(table: HarnessTable) -> Iterator[tuple[Cell, ...]]:
    for series, choice in product(table.runs.series, table.runs.choices):
        start_cells = series.start, series.seconds, choice.name, choice.rule.key
        yield (*series.line.named, *start_cells, *_outcome_cells(series.outcomes[choice.name]))


def _outcome_cells(outcome: HarnessOutcome) -> tuple[Cell, ...]:
    if outcome.reason:
        return (None,) * 6 + (outcome.reason,)
    error = None if outcome.error != outcome.error else outcome.error  # None for NaN
    figures = outcome.warmup, outcome.seconds, outcome.measured, error
    return (*figures, outcome.early, outcome.wasted, "")


def _table(request: TableRequest) -> HarnessTable:
    """The table, complete: TableNotReady where a download would take too long."""
    seconds = None if request.is_command else FILE_SECONDS
    (query,) = request.queries
    table = HarnessTable(harness_runs(request.scope, request.reader, query, seconds))
    if count := table.runs.waiting_count:
        sentence = f"{count} series are still being computed; ask again in a moment"
        raise TableNotReady(sentence, retry_seconds=5)
    return table


def _settings_and_counts(table: HarnessTable, table_name: str) -> dict[str, Any]:
    runs = table.runs
    return {
        "what": f"harnesses: {table_name}",
        "dataset": runs.dataset.slug,
        "yardstick": runs.yardstick.code if runs.yardstick else DEFAULT_METHOD,
        "series": runs.visible_count,
        "asked": runs.asked_count,
        "never": runs.never_count,
        "unanswered": runs.unanswered_count,
        "untimed": runs.untimed_count,
        "unrecorded": runs.unrecorded_count,
        "excluded": runs.excluded_count,
        "left_out": int(runs.hidden_count),
        "steady": table.n,
    }


HARNESS_TABLES: Final = PageTables(
    scope=DATASET,
    queries={HarnessQuery: ()},
    compute=_table,
    tables={
        "harnesses": column_table("Harnesses", _HARNESS_COLUMNS, lambda table: table.rows),
        "series": PageTable("Every harness on every series", _SERIES_COLUMNS, _series_rows),
    },
    refusals=(UnknownYardstick,),
    about=_settings_and_counts,
    lines=lambda table, name: harness_lines(table) if name == "harnesses" else None,
)
