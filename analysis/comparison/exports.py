"""The tables of a comparison as CSV and JSON: page, download and command line read the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Final

from analysis.comparison import consequences, drilldown as behind
from analysis.comparison.alternative import AlternativeRow, alternative_rows, key_figure
from analysis.comparison.breakdown import breakdown_by_property
from analysis.comparison.columns import LEADERBOARD
from analysis.comparison.pair_exports import PAIR_TABLES
from analysis.comparison.query import DrilldownCell
from analysis.comparison.table import ComparisonResult, agreements, error_curves
from analysis.statistics.rows import COLUMNS
from formats.tables import Cell as FileCell

BESIDE: Final = {
    "there": "the sorted figure by the second setting; this and the next only with one",
    "change": "first − second setting",
    "change_low": "lower end of its 95 % interval",
    "change_high": "upper end of the same",
    "rank_there": "the rank by the second setting",
}
IN_GROUPS: Final = tuple(
    name
    for name in COLUMNS
    if name not in {"median_abs_low", "median_abs_high"} and not name.endswith("seconds")
)
DIGITS: Final = 12  # significant: of more, the last depend on the processor, and so would digests
WHATS: Final = {
    "leaderboard": "Leaderboard",
    "left-out": "Series left out, by rule",
    "kept-out": "Common series that each method removes",
    "errors": "Quantiles of the signed error",
    "ecdf": "Distribution of the absolute error",
    "agreement": "Agreement of every pair",
    "ranks": "Every pair of methods, by rank test",
    "tests": "Every test of every pair",
    "effects": "Effect sizes of every pair",
    "differences": "Differences of every pair, with intervals",
    "many": "Tests over all methods",
    "joint": "Right together, every pair",
    "directions": "Under, exact, over",
    "histograms": "Histograms of the signed error",
    "breakdown": "Breakdown by groups of series",
    "queue": "Queue of disagreements",
    "series": "Series behind a number",
}


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """Columns and rows; a cell is None where it does not apply."""

    columns: tuple[str, ...]
    rows: tuple[tuple[FileCell, ...], ...]

    def records(self) -> list[dict[str, FileCell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def comparison_table(
    compared: ComparisonResult, what: str, cell: DrilldownCell | None = None
) -> ComparisonTable:
    """The table named `what`, one of WHATS, its figures to `DIGITS`.

    Raises UnknownCell for `series`.
    """
    found = _table(compared, what, cell)
    return ComparisonTable(found.columns, tuple(tuple(map(as_figure, row)) for row in found.rows))


def as_figure(cell: FileCell) -> FileCell:
    """A float with `DIGITS` significant digits; anything else as it is."""
    return float(f"{cell:.{DIGITS}g}") if isinstance(cell, float) else cell


def _table(compared: ComparisonResult, what: str, cell: DrilldownCell | None) -> ComparisonTable:
    if what == "series":
        found = behind.drilldown_of(compared, cell or DrilldownCell())
        changes = consequences.changes_by_series(found.rows)
        rows = tuple(
            (
                *behind.drilldown_cells(compared, found, row),
                *consequences.change_cells(changes.get(row.line.pk)),
                row.excluded or None,
            )
            for row in found.rows
        )
        return ComparisonTable((*behind.COLUMNS, *consequences.COLUMNS, behind.EXCLUDED), rows)
    if what in PAIR_TABLES:
        columns, rows_of = PAIR_TABLES[what]
        return ComparisonTable(columns, tuple(rows_of(compared)))
    return TABLES[what](compared)


def _leaderboard(compared: ComparisonResult) -> ComparisonTable:
    if compared.other is None:
        return _of_records(tuple(LEADERBOARD), (entry.cells() for entry in compared.entries))
    found = alternative_rows(compared)
    nothing = dict.fromkeys(BESIDE)
    rows = (
        {**entry.cells(), **(_beside(found[entry.name]) if entry.name in found else nothing)}
        for entry in compared.entries
    )
    return _of_records((*LEADERBOARD, *BESIDE), rows)


def _beside(one: AlternativeRow) -> dict[str, FileCell]:
    return dict(zip(BESIDE, astuple(one), strict=True))


def _left_out(compared: ComparisonResult) -> ComparisonTable:
    rows = [(rule.rule, rule.sentence, rule.n) for rule in compared.result.left_out]
    left_out = compared.inputs.left_out
    because = left_out.because
    hidden = ("hidden", f"{because[:1].upper()}{because[1:]}.", int(left_out))
    excluded = ("excluded", "Excluded in review.", len(compared.inputs.excluded))
    return ComparisonTable(("rule", "sentence", "series"), (*rows, hidden, excluded))


def _kept_out(compared: ComparisonResult) -> ComparisonTable:
    columns = ("method", "no_answer", "never", "alone")
    return _of_records(columns, map(asdict, compared.result.costs))


def _errors(compared: ComparisonResult) -> ComparisonTable:
    columns = ("method", "n", "q05", "q25", "q50", "q75", "q95")
    rows = (
        {"method": name, **asdict(quantiles)}
        for name, (_, quantiles) in error_curves(compared.inputs).items()
    )
    return _of_records(columns, rows)


def _ecdf(compared: ComparisonResult) -> ComparisonTable:
    rows = [
        (name, size, share)
        for name, (steps, _) in error_curves(compared.inputs).items()
        for size, share in zip(steps.sizes, steps.shares, strict=True)
    ]
    return ComparisonTable(("method", "absolute_error", "share"), tuple(rows))


def _agreement(compared: ComparisonResult) -> ComparisonTable:
    matrix = agreements(compared.inputs)
    pairs = [(a, b) for at, a in enumerate(matrix.names) for b in matrix.names[at + 1 :]]
    rows = [(a, b, matrix.cell(a, b)) for a, b in pairs]
    return ComparisonTable(
        ("first", "second", "agree", "of", "share"),
        tuple((a, b, cell.agree, cell.of, cell.share) for a, b, cell in rows),
    )


def _breakdown(compared: ComparisonResult) -> ComparisonTable:
    found = breakdown_by_property(compared)
    columns = ("by", "group", "series", *IN_GROUPS)
    if found is None:
        return ComparisonTable(columns, ())
    rows = (
        {"by": found.by, "group": group.name, "series": group.n, **row.columns()}
        for group in found.groups
        for row in group.rows
    )
    return _of_records(columns, rows)


def _queue(compared: ComparisonResult) -> ComparisonTable:
    queue = behind.disagreement_queue(compared)
    largest = consequences.largest_changes(compared, queue)
    rows = tuple(
        (
            *behind.queue_cells(compared, one),
            *consequences.change_queue_cells(largest.get(one.series)),
        )
        for one in queue
    )
    return ComparisonTable((*behind.QUEUE_COLUMNS, *consequences.QUEUE_COLUMNS), rows)


TABLES: Final = {
    "leaderboard": _leaderboard,
    "left-out": _left_out,
    "kept-out": _kept_out,
    "errors": _errors,
    "ecdf": _ecdf,
    "agreement": _agreement,
    "breakdown": _breakdown,
    "queue": _queue,
}


def _of_records(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> ComparisonTable:
    return ComparisonTable(
        tuple(columns), tuple(tuple(record[name] for name in columns) for record in records)
    )


def comparison_document(
    compared: ComparisonResult, what: str, found: ComparisonTable
) -> dict[str, Any]:
    """The JSON of one table, with what its figures rest on."""
    result, asked = compared.result, compared.asked
    return {
        "what": what,
        "study": compared.yardstick.study.slug,
        "yardstick": compared.yardstick.code,
        "index": asked.index,
        "error": "predicted - truth, in iterations",
        "tolerance": compared.one_tolerance if asked.tolerance is None else asked.tolerance,
        "common": result.common,
        "excluding": list(compared.inputs.deciding),
        "series": result.n_series,
        "hidden_until_answered": compared.inputs.left_out,
        "excluded": len(compared.inputs.excluded),
        "with_truth": result.n_truth,
        "yes_no": result.n_yes_no,
        "distances": result.n_distances,
        "common_distances": result.n_common,
        "left_out": {rule.rule: rule.n for rule in result.left_out},
        "best_constant": None if result.constant is None else asdict(result.constant),
        "bootstrap": asdict(result.bootstrap),
        "alpha": asked.alpha,
        "against": _against(compared.other, key_figure(asked)),
        "rows": found.records(),
    }


def _against(other: ComparisonResult | None, figure: str) -> dict[str, Any] | None:
    """The second setting, and the figure by which the two are compared."""
    if other is None:
        return None
    return {
        "figure": figure,
        "yardstick": other.yardstick.code,
        "index": other.asked.index,
        "tolerance": other.one_tolerance,
        "common": other.result.common,
        "series": other.result.n_series,
        "distances": other.result.n_distances,
    }
