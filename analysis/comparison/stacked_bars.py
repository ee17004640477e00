"""Stacked bars of a comparison, a row a method: each part opens the series that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from analysis.comparison.agreement_map import short_code
from analysis.comparison.figures import csv_file, pdf_file, series_list
from analysis.comparison.pairs import ChosenPair, choices, joint_counts
from analysis.comparison.table import ComparisonResult, LeaderboardRow, person_of
from analysis.statistics.answers import Number
from analysis.web.figures import (
    FigureCell,
    FigureTable,
    Trace,
    WebFigure,
    axis_words,
    bars,
    rows_axis,
)
from people.templatetags.writing import HARD, grouped, share

ROW: Final = 24  # px of a row
MARGIN: Final = {"l": 52, "t": 32, "b": 40}


class BarSegmentKind(NamedTuple):
    """A part of every bar: the list behind it, its colour, its words."""

    list_name: str
    colour: str
    words: str


class BarRow(NamedTuple):
    """One bar: its parts, its end, and whose series: those of `first_name`, or beside its row."""

    entry: LeaderboardRow
    values: Sequence[Number]
    total: Number
    first_name: str = ""

    @property
    def cell_fields(self) -> dict[str, str]:
        name = self.entry.name
        return {"of": self.first_name, "other": name} if self.first_name else {"of": name}


CLUSTERS: Final = (
    BarSegmentKind("clustered", "within", "marks in a cluster"),
    BarSegmentKind("scattered", "late", "marks scattered"),
)
DIRECTIONS: Final = (
    BarSegmentKind("under", "early", "under: too early"),
    BarSegmentKind("exact", "within", "exact"),
    BarSegmentKind("over", "late", "over: too late"),
)
DECISIONS: Final = (
    BarSegmentKind("tp", "within", "both steady"),
    BarSegmentKind("tn", "missed", "both never"),
    BarSegmentKind("fp", "late", "false plateau"),
    BarSegmentKind("fn", "early", "missed plateau"),
)
RIGHT: Final = (
    BarSegmentKind("both-right", "within", "both right"),
    BarSegmentKind("first-right", "early", "only {first}"),
    BarSegmentKind("second-right", "late", "only the other"),
    BarSegmentKind("both-wrong", "missed", "both wrong"),
)


def cluster_bars(comparison: ComparisonResult) -> WebFigure | None:
    """Manhattan distances in two parts; None for a yardstick without marks."""
    if comparison.inputs.truth.clustered is None:
        return None
    rows = [
        BarRow(entry, [total(f"manhattan_{s.list_name}") for s in CLUSTERS], total("manhattan"))
        for entry, total in ((entry, entry.figures.total) for entry in comparison.with_errors)
    ]
    return _chart(
        comparison,
        "clusters",
        CLUSTERS,
        sorted(rows, key=lambda row: (row.total, row.entry.name)),
        total="Σ|Δ|",
        axis="sum of |Δ| over the series whose error counts, least first",
        sentence=cluster_sentence(comparison),
        file="leaderboard",
    )


def cluster_sentence(comparison: ComparisonResult) -> str:
    """Sentence of the method with the least sum of |Δ|; sums are compared over equal series
    alone.
    """
    method_entries = [row for row in comparison.with_errors if row.kind == "method"]
    constant_entry = next((entry for entry in comparison.entries if entry.kind == "constant"), None)
    if not method_entries:
        return ""
    counts = [int(entry.figures.total("n")) for entry in method_entries]
    if min(counts) < comparison.result.n_distances:
        return incomparable_sentence("Sums", counts)
    best_entry = min(method_entries, key=lambda entry: entry.figures.total("manhattan"))
    least_sum = best_entry.figures.total("manhattan")
    text = (
        f"{best_entry.title} has {'the least sum' if len(counts) > 1 else 'the sum'}, "
        f"{grouped(least_sum)}"
    )
    text += _margin_words([entry for entry in method_entries if entry is not best_entry], least_sum)
    if constant_entry is None:
        return f"{text}."
    other_sum = constant_entry.figures.total("manhattan")
    comparison_words = (
        "as much" if other_sum == least_sum else "less still" if other_sum < least_sum else "more"
    )
    return f"{text}; the best constant answer has {comparison_words}, {grouped(other_sum)}."


def incomparable_sentence(figures: str, counts: Sequence[int]) -> str:
    """Why figures of different series are not set beside one another; `counts` of each method."""
    span = " to ".join(dict.fromkeys([grouped(min(counts)), grouped(max(counts))]))
    return f"{figures} rest on {span} series a method: only common series make them comparable."


def _margin_words(further_entries: Sequence[LeaderboardRow], least_sum: float) -> str:
    """Words for how much lower the sum is than the next one; empty without a next one."""
    sums = [(entry.figures.total("manhattan"), entry.title) for entry in further_entries]
    next_sum, title = min(sums, default=(0, ""))
    if not least_sum or next_sum == least_sum:
        return ""
    return (
        f", {100 * (1 - least_sum / next_sum):.1f}{HARD}% lower than {title} ({grouped(next_sum)})"
    )


def direction_bars(comparison: ComparisonResult) -> WebFigure:
    """Shares of too early, exact and too late, in whole iterations, without any tolerance."""
    entries = comparison.with_errors
    return _chart(
        comparison,
        "directions",
        DIRECTIONS,
        [
            BarRow(entry, [100 * (count / n) for count in direction_counts(comparison, entry)], n)
            for entry, n in ((row, row.figures.total("n")) for row in entries)
        ],
        total="n",
        axis="% of series, both steady; exact to the iteration",
        sentence=_direction_sentence(comparison, entries),
        file="directions",
        write_number=lambda percent: share(percent / 100),
    )


def direction_counts(comparison: ComparisonResult, entry: LeaderboardRow) -> tuple[int, int, int]:
    """Series on which a row is under, exact and over."""
    measured_answers = comparison.measured(entry.name)
    if measured_answers is None:
        return 0, 0, 0
    delta = measured_answers.delta[measured_answers.distances]
    return int((delta < 0).sum()), int((delta == 0).sum()), int((delta > 0).sum())


def _direction_sentence(comparison: ComparisonResult, entries: Sequence[LeaderboardRow]) -> str:
    rows = [entry for entry in entries if entry.kind == "method"]
    if not rows:
        return ""
    exact_shares = [direction_counts(comparison, row)[1] / row.figures.total("n") for row in rows]
    largest_share = max(exact_shares)
    best_rows = [
        row
        for row, method_share in zip(rows, exact_shares, strict=True)
        if method_share == largest_share
    ]
    return _most_exact_sentence(
        [row.title for row in best_rows], largest_share, int(best_rows[0].figures.total("n"))
    )


def _most_exact_sentence(best_titles: Sequence[str], largest_share: float, n: int) -> str:
    """Sentence of the largest share of exact answers; `n`: series of the first of the best."""
    if not largest_share:
        return "No method is exact on any series."
    if len(best_titles) == 1:
        return (
            f"Most often exact is {best_titles[0]}, on {share(largest_share)} of {grouped(n)} "
            "series."
        )
    return (
        f"Most often exact are {' and '.join(best_titles)}, each on {share(largest_share)} of its "
        "series."
    )


def decision_bars(comparison: ComparisonResult) -> WebFigure | None:
    """Agreements in steady or never, and both kinds of being wrong; None without an answer."""
    deciding_entries = [
        entry
        for entry in comparison.entries
        if entry.figures.total("n_yes_no") and not entry.untold
    ]
    if not deciding_entries:
        return None
    entries = sorted(
        deciding_entries, key=lambda entry: (-entry.figures.total("agreements"), entry.name)
    )
    return _chart(
        comparison,
        "decisions",
        DECISIONS,
        [
            BarRow(entry, [total(segment.list_name) for segment in DECISIONS], total("agreements"))
            for entry, total in ((entry, entry.figures.total) for entry in entries)
        ],
        total="agreements",
        axis="series, most agreements first",
        sentence=_decision_sentence(entries),
        file="leaderboard",
    )


def _decision_sentence(entries: Sequence[LeaderboardRow]) -> str:
    """Sentence of the most agreements, beside those of calling every series steady."""
    method_entries = [entry for entry in entries if entry.kind == "method"]
    if not method_entries:
        return ""
    best_title, total = method_entries[0].title, method_entries[0].figures.total
    return (
        f"{best_title} agrees on {grouped(total('agreements'))} of {grouped(total('n_yes_no'))} "
        f"series; to call every one of them steady agrees on {grouped(total('tp') + total('fn'))}."
    )


def right_bars(compared: ComparisonResult, first_name: str) -> WebFigure:
    """Joint counts of being right about steady or never: `first_name` beside every other method."""
    title = compared.entry(first_name).title
    other_pairs = [ChosenPair(first_name, name) for name in choices(compared) if name != first_name]
    joint_by_name = {pair.second: joint_counts(compared, pair) for pair in other_pairs}
    return _chart(
        compared,
        "right",
        [segment._replace(words=segment.words.format(first=title)) for segment in RIGHT],
        [
            BarRow(compared.entry(name), counts, counts[0] + counts[2], first_name)
            for name, counts in joint_by_name.items()
        ],
        total="its agreements",
        axis="series by who says steady or never like the yardstick",
        sentence=_right_sentence(compared, title, joint_by_name),
        file="joint",
        first_name=first_name,
    )


def _right_sentence(
    comparison: ComparisonResult, title: str, joint_by_name: Mapping[str, Sequence[int]]
) -> str:
    if not joint_by_name:
        return ""
    second_name = max(
        joint_by_name, key=lambda name: (joint_by_name[name][2] - joint_by_name[name][1], name)
    )
    n_both, n_first, n_second, n_neither = joint_by_name[second_name]
    n = n_both + n_first + n_second + n_neither
    second_title = comparison.entry(second_name).title
    return (
        f"On {grouped(n)} series {title} is right on {grouped(n_both + n_first)} and "
        f"{second_title} on "
        f"{grouped(n_both + n_second)}; both are right on {grouped(n_both)} and both "
        f"wrong on {grouped(n_neither)}."
    )


# --- drawing ----------------------------------------------------------------------------------
def _chart(
    comparison: ComparisonResult,
    name: str,
    segment_kinds: Sequence[BarSegmentKind],
    rows: Sequence[BarRow],
    *,
    total: str,
    axis: str,
    sentence: str,
    file: str,
    first_name: str = "",
    write_number: Callable[[Number], str] = grouped,
) -> WebFigure:
    """A bar a row, its parts side by side on one scale.

    of            the row of the leaderboard that all others are compared with, if one is
    write_number  text of a part
    """
    cells = [
        [
            FigureCell(
                write_number(value),
                series_list(comparison, cell=segment.list_name, **row.cell_fields) if value else "",
            )
            for segment, value in zip(segment_kinds, row.values, strict=True)
        ]
        for row in rows
    ]
    table: list[list[FigureCell | str]] = [
        [row.entry.title, *row_cells, grouped(row.total)]
        for row, row_cells in zip(rows, cells, strict=True)
    ]
    return WebFigure(
        name=name,
        label=axis,
        traces=[
            _segment_trace(segment, rows, segment_index, [row[segment_index] for row in cells])
            for segment_index, segment in enumerate(segment_kinds)
        ],
        layout={
            "margin": MARGIN,
            "barmode": "stack",
            "showlegend": True,
            "xaxis": {"rangemode": "tozero", "nticks": 6},
            "yaxis": rows_axis([_code(row.entry) for row in rows]),
            "annotations": [axis_words(axis)],
        },
        table=FigureTable.from_rows(
            ["Method", *(segment.words for segment in segment_kinds), total], table
        ),
        file=csv_file(comparison, file),
        pdf=pdf_file(comparison, name, of=first_name),
        height=ROW * max(len(rows), 1) + MARGIN["t"] + MARGIN["b"],
        sentence=sentence,
        methods={row.entry.name: row.entry.title for row in rows},
    )


def _segment_trace(
    segment: BarSegmentKind, rows: Sequence[BarRow], segment_index: int, cells: Sequence[FigureCell]
) -> Trace:
    """One part of every bar."""
    is_hollow = segment.colour == "missed"  # a hatch would be pixels on paper
    fill_colour, edge_colour = (
        ("var(--bg)", "var(--ink-2)") if is_hollow else (f"var(--{segment.colour})", "var(--bg)")
    )
    return bars(
        [row.values[segment_index] for row in rows],
        list(range(len(rows))),
        {"color": fill_colour, "line": {"width": 1, "color": edge_colour}},
        orientation="h",
        name=segment.words,
        ids=[row.entry.name for row in rows],
        width=0.86,
        text=[cell.text for cell in cells],
        insidetextanchor="start",
        textfont={"size": 11, "color": "var(--ink)" if is_hollow else "var(--on-verdict)"},
        customdata=[cell.href for cell in cells],
        hovertext=[
            f"{row.entry.title}, {segment.words}: {cell.text}"
            for row, cell in zip(rows, cells, strict=True)
        ],
    )


def _code(entry: LeaderboardRow) -> str:
    """Text that fits beside a bar."""
    if entry.look:
        return entry.look.code
    person = person_of(entry.name)
    if person:
        return short_code(person)
    return "best c." if entry.kind == "constant" else entry.title.partition(" ")[0]
