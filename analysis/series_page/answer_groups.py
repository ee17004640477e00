"""Answers of a series in groups by verdict, and which of them are lines when a page opens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analysis.series_page.series_overlay import TRUTH, WITHOUT, OverlayRow, SeriesOverlay
from analysis.statistics.answers import NEVER
from detectors.registry import DEFAULT_METHOD
from people.templatetags.writing import grouped

NEAREST: Final = 3
"""Lines at first: so many methods that are nearest to the yardstick ..."""
FURTHEST: Final = 2
"""... and so many of those that differ most; all others are symbols under the chart."""
LINES: Final = NEAREST + FURTHEST
UNFOLDED: Final = 3
"""A group of at most so many is open from the start, and so are those that agree."""
SHOWN: Final = 8
"""Rows of those that agree at first; css/compare.css counts them, too."""
TITLES: Final = {
    "agree": ("✓", "Agree"),
    "early": ("←", "Early"),
    "late": ("→", "Late"),
    "never": ("○", "Never"),
    "steady": ("●", "Steady"),
    "none": ("–", "No answer"),
    "running": ("…", "Being computed"),
}
OF_VERDICT: Final = {
    "agrees": "agree",
    "both never": "agree",
    "early": "early",
    "late": "late",
    "missed": "never",
    "false plateau": "steady",
}


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """Answers with one verdict, in the order of the table; `shared_words` says what they share."""

    code: str
    sign: str
    title: str
    rows: Sequence[OverlayRow]
    shared_words: str

    @property
    def hidden_count(self) -> int:
        """Rows behind a button, of a group that begins unfolded."""
        return max(0, len(self.rows) - SHOWN) if self.code == "agree" else 0

    @property
    def is_unfolded(self) -> bool:
        return self.code == "agree" or len(self.rows) <= UNFOLDED


def answer_groups(overlay: SeriesOverlay) -> list[AnswerGroup]:
    """Groups that have a row, in the order of TITLES."""
    rows_by_group: dict[str, list[OverlayRow]] = {code: [] for code in TITLES}
    for row in overlay.rows:
        rows_by_group[_group(row)].append(row)
    return [
        AnswerGroup(code, sign, title, rows, _shared_phrase(code, rows, overlay))
        for code, (sign, title) in TITLES.items()
        if (rows := rows_by_group[code])
    ]


def _group(row: OverlayRow) -> str:
    if row.state in WITHOUT:
        return "none"
    if row.start is None:
        return "running"
    return OF_VERDICT.get(row.verdict) or ("never" if row.start == NEVER else "steady")


def _shared_phrase(code: str, rows: Sequence[OverlayRow], overlay: SeriesOverlay) -> str:
    if code == "agree" and overlay.truth is not None:
        return "with never" if overlay.truth == NEVER else f"within ±{grouped(overlay.tolerance)}"
    starts = [row.start for row in rows if row.start is not None and row.start >= 0]
    if len(starts) < 2:  # a single fork has no group
        return ""
    return f"{grouped(min(starts))} to {grouped(max(starts))}"


@dataclass(frozen=True, slots=True)
class FirstLines:
    """Names of the lines that a page begins with, and the rule that chose them, in words.

    The yardstick is always one of them.
    """

    names: Sequence[str]
    rule: str


def first_chart_lines(
    overlay: SeriesOverlay,
    methods: Sequence[str] = (),
    *,
    team_methods: Sequence[str] = (),
    team_name: str = "",
    ranked_names: Sequence[str] = (),
) -> FirstLines:
    """The lines of a page before its reader chooses others.

    `methods` are those of the list that the page was opened from, and then the only ones. Else
    those of the team's set, or the best ranked, or those nearest here; and of the rest those that
    differ most, as far as there is room. Without a start to measure from, the default method's
    line stands for those nearest, also where the yardstick says never.
    """
    drawn_rows = [row for row in overlay.rows if row.has_line]  # nearest first
    if methods:
        chosen_names = [row.name for row in drawn_rows if row.name in methods]
        return FirstLines([TRUTH, *chosen_names], "methods of the list")
    if len(drawn_rows) <= LINES:
        return FirstLines([TRUTH, *(row.name for row in drawn_rows)], "every method with a line")
    rows_with_delta = [row for row in drawn_rows if row.delta is not None]
    is_measured = bool(rows_with_delta)
    rows_with_delta = rows_with_delta or drawn_rows
    # Methods with the same answer share one line.
    distinct_rows = [*{row.start: row for row in reversed(rows_with_delta)}.values()][::-1]
    drawn_names = {row.name for row in drawn_rows}
    leading_names, rule = next(
        (names, rule_text)
        for names, rule_text in (
            (
                [name for name in team_methods if name in drawn_names][:LINES],
                f"the team’s set “{team_name}”",
            ),
            (
                [name for name in ranked_names if name in drawn_names][:NEAREST],
                "best ranked when you last opened Compare",
            ),
            (
                [DEFAULT_METHOD] if not is_measured and DEFAULT_METHOD in drawn_names else [],
                "the default method",
            ),
            (
                [row.name for row in distinct_rows[:NEAREST]],
                "nearest to the yardstick" if is_measured else "different answers",
            ),
        )
        if names
    )
    leading_starts = {row.start for row in drawn_rows if row.name in leading_names}
    other_names = [row.name for row in distinct_rows if row.start not in leading_starts]
    furthest_names = other_names[max(0, len(other_names) - LINES + len(leading_names)) :]
    others_words = "those that differ most" if is_measured else "others"
    rule_suffix = f", and {others_words}" if furthest_names else ""
    return FirstLines([TRUTH, *leading_names, *furthest_names], rule + rule_suffix)
