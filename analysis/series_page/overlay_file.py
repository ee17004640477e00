"""The table of detections of a series as a file, and the columns of a result."""

from __future__ import annotations

from typing import Final

from analysis.runs.certainty import certainty_cells
from analysis.runs.models import CERTAINTY_FIELDS
from analysis.series_page.series_overlay import OverlayRow, SeriesOverlay
from analysis.statistics.steady_summary import ResultChange, SteadySummary
from formats.iterations import NOT_KNOWN
from formats.tables import Cell, picked

RESULT_COLUMNS: Final = (
    "steady_n",
    "mean",
    "median",
    "mean_low",
    "mean_high",
    "effective_n",
    "autocorrelation_time",
    "enough_for_1_percent",
    "change",
    "change_low",
    "change_high",
    "consequence",
)
ANSWER_COLUMNS: Final = (
    "method",
    "version",
    "params",
    "steady_start",
    "published_index",
    "decided_at",
    "yardstick",
    "truth",
    "error",
    "error_seconds",
    "iteration",
    "tolerance",
    "verdict",
    "flags",
    "reason",
    "milliseconds",
    "problem",
)
COLUMNS: Final = (*ANSWER_COLUMNS, *RESULT_COLUMNS, *CERTAINTY_FIELDS)


def overlay_file_rows(overlay: SeriesOverlay) -> list[tuple[Cell, ...]]:
    """The table of detections as it stands on the page."""
    finished_rows = [row for row in overlay.rows if row.state not in {"queued", "running"}]
    return [_file_row(overlay, row) for row in finished_rows]


def _file_row(overlay: SeriesOverlay, row: OverlayRow) -> tuple[Cell, ...]:
    answer = picked(
        ANSWER_COLUMNS,
        row,
        row.look,
        method=row.look.slug,
        params=row.look.key.partition("?")[2],
        steady_start=row.start,
        yardstick=overlay.yardstick.code if overlay.yardstick else None,
        truth=overlay.truth,
        error=row.delta,
        error_seconds=row.seconds,
        iteration=str(overlay.series.iteration_length or NOT_KNOWN),
        tolerance=overlay.tolerance,
        problem=row.error,
    )
    return (*answer, *result_cells(row.summary, row.change), *certainty_cells(row.sure))


def result_cells(summary: SteadySummary | None, change: ResultChange | None) -> tuple[Cell, ...]:
    """Cells of RESULT_COLUMNS; empty where there is no result, or none to compare it with."""
    result: tuple[Cell, ...] = (None,) * 8
    if summary is not None:
        interval = summary.interval
        enough = {None: None, True: "yes", False: "no"}[interval.enough()]
        sure = (interval.low, interval.high, interval.effective, interval.time, enough)
        result = (summary.n, summary.mean, summary.median, *sure)
    if change is None:
        return (*result, None, None, None, None)
    return (*result, change.share, change.low, change.high, change.word)
