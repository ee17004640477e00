"""Trends of files as rows: the columns of `plateau trend --format csv` and `json`.

Where `manage.py trend` has a column of the same name, it means the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from detectors.trends.trend import Trend, TrendChange, state_of
from detectors.trends.trend_files import FileTrend
from formats import tables
from formats.tables import Cell, TableColumn


class _Found(NamedTuple):
    row: FileTrend
    trend: Trend

    def label(self, build_index: int | None) -> str | None:
        return None if build_index is None else self.row.builds[build_index].label


class _Changed(NamedTuple):
    found: _Found
    change: TrendChange


def _found(row: FileTrend) -> _Found | None:
    return _Found(row, row.trend) if row.trend else None


def _changed(row: FileTrend) -> _Changed | None:
    change = row.trend.last_change if row.trend else None
    return _Changed(_Found(row, row.trend), change) if row.trend and change else None


_OF_TREND: Final[tuple[TableColumn[_Found], ...]] = (
    TableColumn(
        "better",
        lambda one: "more" if one.trend.higher_is_better else "less",
        "less or more: which values are better",
    ),
    TableColumn("first_recording", lambda one: one.label(0), "label of the first"),
    TableColumn("last_recording", lambda one: one.label(-1), "label of the last"),
    TableColumn("trend", lambda one: one.trend.level, "the present level, in the unit"),
    TableColumn(
        "trend_deviation", lambda one: one.trend.deviation, "of the results on it, in the unit"
    ),
    TableColumn("last_group", lambda one: one.trend.last_size, "recordings on that level"),
    TableColumn(
        "last_group_since", lambda one: one.label(one.trend.groups[-1].start), "the first of them"
    ),
)
_OF_CHANGE: Final[tuple[TableColumn[_Changed], ...]] = (
    TableColumn(
        "change", lambda one: one.change.share, "the newest change, as a share: 0.1 is 10 % more"
    ),
    TableColumn("kind", lambda one: one.change.kind, "regression or progression"),
    TableColumn(
        "pattern",
        lambda one: one.change.pattern,
        "small, short, reverted, reversal, unconfirmed or ordinary",
    ),
    TableColumn(
        "appeared_with",
        lambda one: one.found.label(one.change.shown),
        "recording that first showed the change",
    ),
)
_OF_BEST: Final[tuple[TableColumn[_Found], ...]] = (
    TableColumn(
        "long_term_best", lambda one: one.trend.best, "best trend that is older than a week"
    ),
    TableColumn(
        "long_term_best_recording", lambda one: one.label(one.trend.best_at), "its recording"
    ),
    TableColumn(
        "against_best", lambda one: one.trend.against, "the present level against it, as a share"
    ),
    TableColumn("loss", lambda one: one.trend.loss, "what is lost at most, as a share; 0 for none"),
)
COLUMNS: Final[tuple[TableColumn[FileTrend], ...]] = (
    TableColumn("system", lambda one: one.name.system),
    TableColumn("benchmark", lambda one: one.name.name),
    TableColumn("params", lambda one: one.name.params),
    TableColumn("unit", lambda one: one.unit),
    TableColumn("recordings", lambda one: len(one.builds), "recordings with a result"),
    *(each.for_part(_found) for each in _OF_TREND),
    *(each.for_part(_changed) for each in _OF_CHANGE),
    *(each.for_part(_found) for each in _OF_BEST),
    TableColumn(
        "state",
        lambda one: state_of(one.trend, len(one.builds)),
        "regression, below, progression, level, single or none",
    ),
    TableColumn("problem", lambda one: one.problem, "why there is no trend"),
)


def as_csv(rows: Sequence[FileTrend]) -> Iterator[str]:
    """A row a benchmark; an empty cell is "does not apply"."""
    return tables.write_rows(COLUMNS, rows)


def as_json(rows: Sequence[FileTrend], report_fields: dict[str, Any]) -> Iterator[str]:
    """Write what the figures rest on, and `rows`."""
    records: list[dict[str, Cell]] = [
        {column.name: column.cell(row) for column in COLUMNS} for row in rows
    ]
    document = {**report_fields, "rows": records}
    yield json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
