"""The table of detections of a series as a file, and the columns of a result."""

from __future__ import annotations

from typing import Final

from analysis.comparison.query import ComparisonQuery
from analysis.references.yardsticks import UnknownYardstick
from analysis.runs.certainty import certainty_cells
from analysis.runs.models import CERTAINTY_MEANINGS
from analysis.series_page.series_overlay import OverlayRow, SeriesOverlay, read_overlay
from analysis.statistics.steady_summary import ResultChange, SteadySummary
from analysis.web.page_tables import SERIES, PageTable, PageTables, TableRequest
from formats.iterations import NOT_KNOWN
from formats.tables import ANSWER_MEANINGS, METHOD_MEANINGS, Cell, attribute_row

RESULT_COLUMNS: Final = {
    "steady_n": "iterations from the start on",
    "mean": "their mean, in the unit",
    "median": "their median, in the unit",
    "mean_low": "lower end of the 95 % interval of the mean",
    "mean_high": "upper end of the same",
    "effective_n": "independent values that the iterations are worth",
    "autocorrelation_time": "integrated autocorrelation time, in iterations",
    "enough_for_1_percent": "yes: the mean is known to within 1 %; no: it is not",
    "change": "change of the mean against that from the yardstick's start, as a share",
    "change_low": "lower end of its 95 % interval",
    "change_high": "upper end of the same",
    "consequence": "what the change means for the result",
}
ANSWER_COLUMNS: Final = {
    **METHOD_MEANINGS,
    **{name: ANSWER_MEANINGS[name] for name in ("steady_start", "published_index", "decided_at")},
    "yardstick": "code of the yardstick",
    "truth": "answer of the yardstick, 0-based; -1 never",
    "error": "answer minus truth, in iterations; empty: not both are steady",
    "error_seconds": "that error in seconds",
    "iteration": "how long an iteration lasts",
    "tolerance": "iterations by which an answer may be off",
    "verdict": "what the answer is against the truth, such as agrees, early or missed",
    **{name: ANSWER_MEANINGS[name] for name in ("flags", "reason", "milliseconds")},
    "problem": ANSWER_MEANINGS["error"],
}
COLUMNS: Final = {**ANSWER_COLUMNS, **RESULT_COLUMNS, **CERTAINTY_MEANINGS}


def overlay_file_rows(overlay: SeriesOverlay) -> list[tuple[Cell, ...]]:
    """The table of detections as it stands on the page."""
    finished_rows = [row for row in overlay.rows if row.state not in {"queued", "running"}]
    return [_file_row(overlay, row) for row in finished_rows]


def _file_row(overlay: SeriesOverlay, row: OverlayRow) -> tuple[Cell, ...]:
    answer_cells = attribute_row(
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
    return (*answer_cells, *result_cells(row.summary, row.change), *certainty_cells(row.certainty))


def result_cells(summary: SteadySummary | None, change: ResultChange | None) -> tuple[Cell, ...]:
    """Cells of RESULT_COLUMNS; empty where there is no result, or none to compare it with."""
    cells: tuple[Cell, ...] = (None,) * 8
    if summary is not None:
        interval = summary.interval
        enough_word = {None: None, True: "yes", False: "no"}[interval.enough()]
        interval_cells = (
            interval.low,
            interval.high,
            interval.effective,
            interval.time,
            enough_word,
        )
        cells = (summary.n, summary.mean, summary.median, *interval_cells)
    if change is None:
        return (*cells, None, None, None, None)
    return (*cells, change.share, change.low, change.high, change.word)


def _read_overlay(request: TableRequest) -> SeriesOverlay:
    (query,) = request.queries
    return read_overlay(request.scope, code=query.yardstick, tolerance=query.tolerance)


OVERLAY_TABLES: Final = PageTables(
    scope=SERIES,
    queries={ComparisonQuery: ()},
    compute=_read_overlay,
    tables={"detections": PageTable("Detections", COLUMNS, overlay_file_rows)},
    refusals=(UnknownYardstick,),
)
