"""Rows of the table as text and paths, for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.cost.sentences import error_text
from analysis.what_to_do.query import WhatToDoQuery
from analysis.what_to_do.sentences import forks_words
from analysis.what_to_do.strips import (
    ERRORS,
    HEIGHT,
    WIDTH,
    EarlyStrip,
    ErrorStrip,
    LeftOutStrip,
    WayStrips,
    early_strip,
    error_strip,
)
from analysis.what_to_do.ways import Group, Way, WaysTable
from detectors.planning.plan_words import duration_words
from people.templatetags.writing import grouped

HEADS: Final[dict[Group, str]] = {
    "answer": "What the answer above rests on",
    "harness": "What your harness would do",
    "method": "What a method would decide on these series",
}


@dataclass(frozen=True, slots=True)
class WayRow:
    """A way as text, with its pictures."""

    way: Way
    strip: LeftOutStrip
    off: str
    error: ErrorStrip | None
    error_words: str
    early: EarlyStrip
    time: str

    @property
    def is_answer(self) -> bool:
        """True if the answer rests on the row."""
        return self.way.group == "answer"


def table_context(table: WaysTable, query: WhatToDoQuery) -> dict[str, Any]:
    """Context of `_others.html`."""
    strips = WayStrips(table)
    groups = [
        (HEADS[group], [way_row(way, strips) for way in ways])
        for group, ways in table.groups(is_full=query.every_way)
    ]
    return {
        "table": table,
        "strips": strips,
        "groups": groups,
        "sizes": {"strip": WIDTH, "height": HEIGHT, "error": ERRORS},
        "series_words": forks_words(table.n) if table.fork_count else f"{grouped(table.n)} series",
        "every": every_words(table, [ways for _, ways in table.groups(is_full=query.every_way)]),
        "every_query": query.changed(every_way=not query.every_way).query(),
    }


def every_words(table: WaysTable, shown_groups: Sequence[Sequence[Way]]) -> str:
    """Words of the link to all rows; empty where all are shown."""
    if sum(map(len, shown_groups)) == len(table.ways):
        return ""
    harness_count, method_count = table.count("harness"), table.count("method")
    parts = [f"{harness_count} harnesses"]
    if method_count:
        parts.append("1 method" if method_count == 1 else f"{method_count} methods")
    return f"All {' and '.join(parts)}"


def way_row(way: Way, strips: WayStrips) -> WayRow:
    error = way.error
    range_words = f"{error_text(error.low)} to {error_text(error.high)}" if error else ""
    return WayRow(
        way=way,
        strip=strips.left_out(way),
        off=error_text(error.middle) if error else "–",
        error=error_strip(way),
        error_words=range_words,
        early=early_strip(way),
        time="–" if way.seconds is None else duration_words(way.seconds),
    )
