"""Trends of files as rows: the columns of `plateau trend --format csv` and `json`.

Where `manage.py trend` has a column of the same name, it means the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from detectors.trends.trend import state_of
from detectors.trends.trend_files import FileTrend
from formats import tables
from formats.tables import Cell

COLUMNS: Final = (
    *("system", "benchmark", "params", "unit", "recordings", "better"),
    *("first_recording", "last_recording", "trend", "trend_deviation"),
    *("last_group", "last_group_since", "change", "kind", "pattern", "appeared_with"),
    *("long_term_best", "long_term_best_recording", "against_best", "loss", "state", "problem"),
)


def trend_record(row: FileTrend) -> dict[str, Cell]:
    """Cells of COLUMNS by name; None where there is no trend, or no change of it."""
    cells: dict[str, Cell] = {
        **dict.fromkeys(COLUMNS),
        "system": row.name.system,
        "benchmark": row.name.name,
        "params": row.name.params,
        "unit": row.unit,
        "recordings": len(row.builds),
        "state": state_of(row.trend, len(row.builds)),
        "problem": row.problem,
    }
    if (trend := row.trend) is None:
        return cells
    cells |= {
        "better": "more" if trend.higher_is_better else "less",
        "first_recording": row.builds[0].label,
        "last_recording": row.builds[-1].label,
        "trend": trend.level,
        "trend_deviation": trend.deviation,
        "last_group": trend.last_size,
        "last_group_since": row.builds[trend.groups[-1].start].label,
        "long_term_best": trend.best,
        "long_term_best_recording": (
            None if trend.best_at is None else row.builds[trend.best_at].label
        ),
        "against_best": trend.against,
        "loss": trend.loss,
    }
    if change := trend.last_change:
        cells |= {
            "change": change.share,
            "kind": change.kind,
            "pattern": change.pattern,
            "appeared_with": row.builds[change.shown].label,
        }
    return cells


def as_csv(rows: Sequence[FileTrend]) -> Iterator[str]:
    """A row a benchmark; an empty cell is "does not apply"."""
    return tables.table_text(COLUMNS, (tuple(trend_record(row).values()) for row in rows))


def as_json(rows: Sequence[FileTrend], report_fields: dict[str, Any]) -> Iterator[str]:
    """Write what the figures rest on, and `rows`."""
    document = {**report_fields, "rows": list(map(trend_record, rows))}
    yield json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
