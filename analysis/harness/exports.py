"""Tables of the harness page as CSV and JSON: page, download and command read the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from analysis.harness.outcomes import HarnessOutcome
from analysis.harness.reads import HarnessRuns, SteadySeries
from analysis.harness.rules import HarnessChoice
from analysis.harness.table import HarnessRow, HarnessTable
from analysis.web.series_columns import NAMING
from detectors.registry import DEFAULT_METHOD
from formats.tables import Cell

FILES: Final[dict[str, tuple[str, ...]]] = {
    "harnesses": (
        *("harness", "rule", "method", "n", "of"),
        *("warm_up_q25", "warm_up_q50", "warm_up_q75"),
        *("error_q25", "error_q50", "error_q75", "error_low", "error_high"),
        *("early", "past", "wasted_q50", "wasted_total", "reason"),
    ),
    "series": (
        *NAMING,
        *("steady_start", "steady_seconds", "harness", "method"),
        *("warm_up", "warm_up_seconds", "measured", "error", "early", "wasted", "reason"),
    ),
}
"""Tables by name, with their columns; times in seconds, errors and `early` as shares."""
TITLES: Final = {"harnesses": "Harnesses", "series": "Every harness on every series"}


def harness_rows(table: HarnessTable, table_name: str) -> Iterator[tuple[Cell, ...]]:
    """Rows of the table `table_name`, in the order of its columns."""
    if table_name == "harnesses":
        return map(_row, table.rows)
    choices = table.runs.choices
    return (
        row for steady_series in table.runs.series for row in _series_rows(steady_series, choices)
    )


def _row(row: HarnessRow) -> tuple[Cell, ...]:
    choice, warmup, error = row.choice, row.warmup, row.error
    return (
        *(choice.name, choice.words, choice.rule.key, row.n, row.of),
        *(warmup.q25, warmup.q50, warmup.q75),
        *(error.q25, error.q50, error.q75, *(row.interval or (None, None))),
        *(row.early, row.past, row.wasted, row.wasted_total, row.reason),
    )


def _series_rows(
    series: SteadySeries, choices: Iterable[HarnessChoice]
) -> Iterator[tuple[Cell, ...]]:
    for choice in choices:
        start_columns = series.start, series.seconds, choice.name, choice.rule.key
        yield (*series.line.named, *start_columns, *_outcome(series.outcomes[choice.name]))


def _outcome(outcome: HarnessOutcome) -> tuple[Cell, ...]:
    if outcome.reason:
        return (None,) * 6 + (outcome.reason,)
    error = None if outcome.error != outcome.error else outcome.error  # NaN
    figures = outcome.warmup, outcome.seconds, outcome.measured, error
    return (*figures, outcome.early, outcome.wasted, "")


def harness_document(table: HarnessTable, table_name: str) -> dict[str, Any]:
    """The table with what it rests on."""
    runs = table.runs
    rows = [
        dict(zip(FILES[table_name], row, strict=True)) for row in harness_rows(table, table_name)
    ]
    return {"what": f"harnesses: {table_name}", **_about(runs), "steady": table.n, "rows": rows}


def _about(runs: HarnessRuns) -> dict[str, Any]:
    return {
        "dataset": runs.dataset.slug,
        "yardstick": runs.yardstick.code if runs.yardstick else DEFAULT_METHOD,
        "series": runs.of,
        "asked": runs.asked,
        "never": runs.never,
        "unanswered": runs.unanswered,
        "untimed": runs.untimed,
        "unrecorded": runs.unrecorded,
        "excluded": runs.excluded,
        "left_out": int(runs.hidden),
    }
