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


def harness_rows(table: HarnessTable, what: str) -> Iterator[tuple[Cell, ...]]:
    """Of the table `what`, in the order of its columns."""
    if what == "harnesses":
        return map(_row, table.rows)
    choices = table.runs.choices
    return (row for each in table.runs.series for row in _series_rows(each, choices))


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
        told = series.start, series.seconds, choice.name, choice.rule.key
        yield (*series.line.named, *told, *_outcome(series.outcomes[choice.name]))


def _outcome(outcome: HarnessOutcome) -> tuple[Cell, ...]:
    if outcome.reason:
        return (None,) * 6 + (outcome.reason,)
    error = None if outcome.error != outcome.error else outcome.error  # NaN
    figures = outcome.warmup, outcome.seconds, outcome.measured, error
    return (*figures, outcome.early, outcome.wasted, "")


def harness_document(table: HarnessTable, what: str) -> dict[str, Any]:
    """The table with what it rests on."""
    runs = table.runs
    rows = [dict(zip(FILES[what], row, strict=True)) for row in harness_rows(table, what)]
    return {"what": f"harnesses: {what}", **_about(runs), "steady": table.n, "rows": rows}


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
