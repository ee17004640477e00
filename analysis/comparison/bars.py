"""Stacked bars of a comparison, a row a method: each part opens the series that it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from analysis.comparison.figures import csv_file, series_list
from analysis.comparison.pairs import ChosenPair, choices
from analysis.comparison.table import ComparisonResult, LeaderboardRow
from analysis.statistics.answers import Number
from analysis.web.figures import (
    FigureCell,
    FigureTable,
    WebFigure,
    axis_words,
    rows_axis,
    told,
)
from people.templatetags.writing import HARD, share, whole

ROW: Final = 24  # px
MARGIN: Final = {"l": 52, "r": 12, "t": 32, "b": 40, "pad": 0}
LEGEND: Final = {
    "showlegend": True,
    "legend": {
        "orientation": "h",
        "traceorder": "normal",
        "x": 0,
        "y": 1,
        "yanchor": "bottom",
        "itemclick": False,
        "itemdoubleclick": False,
    },
}


class BarSegmentKind(NamedTuple):
    """A part of every bar: the list behind it, its colour, its words."""

    cell: str
    colour: str
    words: str


class BarRow(NamedTuple):
    """One bar: its parts, what a part is as text, its end, and whose series they are."""

    entry: LeaderboardRow
    values: Sequence[Number]
    texts: Sequence[str]
    total: str
    cell: Mapping[str, str]


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


def cluster_bars(compared: ComparisonResult) -> WebFigure | None:
    """Manhattan distances in two parts; None for a yardstick without marks."""
    if compared.inputs.truth.clustered is None:
        return None
    entries = sorted(
        (entry for entry in compared.entries if entry.row.distances.n),
        key=lambda entry: (entry.row.distances.manhattan, entry.name),
    )
    return _chart(
        compared,
        "clusters",
        CLUSTERS,
        [_cluster_row(entry) for entry in entries],
        total="Σ|Δ|",
        axis="sum of |Δ| over the series whose error counts, least first",
        sentence=cluster_sentence(compared),
        file="leaderboard",
    )


def _cluster_row(entry: LeaderboardRow) -> BarRow:
    d = entry.row.distances
    values = (d.manhattan_clustered or 0, d.manhattan_scattered or 0)
    texts = [whole(value) for value in values]
    return BarRow(entry, values, texts, whole(d.manhattan), {"of": entry.name})


def cluster_sentence(compared: ComparisonResult) -> str:
    """Which method has the least sum of |Δ|; sums are compared over the same series alone."""
    methods = [e for e in compared.entries if e.kind == "method" and e.row.distances.n]
    constant = next((entry for entry in compared.entries if entry.kind == "constant"), None)
    if not methods:
        return ""
    n = [entry.row.distances.n for entry in methods]
    if min(n) < compared.result.n_distances:
        return not_comparable("Sums", n)
    best = min(methods, key=lambda entry: entry.row.distances.manhattan)
    least = best.row.distances.manhattan
    text = f"{best.title} has {'the least sum' if len(n) > 1 else 'the sum'}, {whole(least)}"
    text += _beside_next([entry for entry in methods if entry is not best], least)
    if constant is None:
        return f"{text}."
    sum_ = constant.row.distances.manhattan
    beside = "as much" if sum_ == least else "less still" if sum_ < least else "more"
    return f"{text}; the best constant answer has {beside}, {whole(sum_)}."


def not_comparable(figures: str, n: Sequence[int]) -> str:
    """Why figures of different series are not set beside one another; `n` of each method."""
    rest = " to ".join(dict.fromkeys([whole(min(n)), whole(max(n))]))
    return f"{figures} rest on {rest} series a method: only common series make them comparable."


def _beside_next(others: Sequence[LeaderboardRow], least: float) -> str:
    """How much lower than the next one, as a share of that one; nothing beside nobody."""
    sums = [(entry.row.distances.manhattan, entry.title) for entry in others]
    following, title = min(sums, default=(0, ""))
    if not least or following == least:
        return ""
    return f", {100 * (1 - least / following):.1f}{HARD}% lower than {title} ({whole(following)})"


def direction_bars(compared: ComparisonResult) -> WebFigure:
    """Shares of too early, exact and too late, in whole iterations, without any tolerance."""
    entries = [entry for entry in compared.entries if entry.row.distances.n]
    return _chart(
        compared,
        "directions",
        DIRECTIONS,
        [_direction_row(compared, entry) for entry in entries],
        total="n",
        axis="% of series, both steady; exact to the iteration",
        sentence=_direction_sentence(compared, entries),
        file="directions",
    )


def directions(compared: ComparisonResult, entry: LeaderboardRow) -> tuple[int, int, int]:
    """Series on which a row is under, exact and over."""
    predicted, truth = compared.answers(entry.name), compared.truth_for(entry.name)
    if predicted is None:
        return 0, 0, 0
    both = compared.result.scope.distances & truth.steady & predicted.steady
    first, second = predicted.index[both], truth.index[both]
    return (
        int((first < second).sum()),
        int((first == second).sum()),
        int((first > second).sum()),
    )


def _direction_row(compared: ComparisonResult, entry: LeaderboardRow) -> BarRow:
    n = entry.row.distances.n
    shares = [count / n for count in directions(compared, entry)]
    values, texts = [100 * each for each in shares], [share(each) for each in shares]
    return BarRow(entry, values, texts, whole(n), {"of": entry.name})


def _direction_sentence(compared: ComparisonResult, entries: Sequence[LeaderboardRow]) -> str:
    methods = [entry for entry in entries if entry.kind == "method"]
    if not methods:
        return ""
    exact = [directions(compared, each)[1] / each.row.distances.n for each in methods]
    most = max(exact)
    best = [each for each, found in zip(methods, exact, strict=True) if found == most]
    return _most_exact([each.title for each in best], most, best[0].row.distances.n)


def _most_exact(best: Sequence[str], most: float, n: int) -> str:
    """Who has the largest share of exact answers; `n`: series of the first of them."""
    if not most:
        return "No method is exact on any series."
    if len(best) == 1:
        return f"Most often exact is {best[0]}, on {share(most)} of {whole(n)} series."
    return f"Most often exact are {' and '.join(best)}, each on {share(most)} of its series."


def decision_bars(compared: ComparisonResult) -> WebFigure | None:
    """Agreements in steady or never, and both kinds of being wrong; None without an answer."""
    told = [entry for entry in compared.entries if entry.row.yes_no.n_yes_no and not entry.untold]
    if not told:
        return None
    entries = sorted(told, key=lambda entry: (-entry.row.yes_no.agreements, entry.name))
    return _chart(
        compared,
        "decisions",
        DECISIONS,
        [_decision_row(entry) for entry in entries],
        total="agreements",
        axis="series, most agreements first",
        sentence=_decision_sentence(entries),
        file="leaderboard",
    )


def _decision_row(entry: LeaderboardRow) -> BarRow:
    found = entry.row.yes_no
    counts = [found.tp, found.tn, found.fp, found.fn]
    texts = [whole(each) for each in counts]
    return BarRow(entry, counts, texts, whole(found.agreements), {"of": entry.name})


def _decision_sentence(entries: Sequence[LeaderboardRow]) -> str:
    """Who agrees most often, beside what needs no method: to call every series steady."""
    methods = [entry for entry in entries if entry.kind == "method"]
    if not methods:
        return ""
    best, found = methods[0].title, methods[0].row.yes_no
    return (
        f"{best} agrees on {whole(found.agreements)} of {whole(found.n_yes_no)} series; to call "
        f"every one of them steady agrees on {whole(found.tp + found.fn)}."
    )


def right_bars(
    compared: ComparisonResult, first: str, joint: Mapping[str, Sequence[int]]
) -> WebFigure:
    """Joint counts of being right about steady or never: `first` beside every other method."""
    title = compared.entry(first).title
    return _chart(
        compared,
        "right",
        [kind._replace(words=kind.words.format(first=title)) for kind in RIGHT],
        [_right_row(compared, ChosenPair(first, other), counts) for other, counts in joint.items()],
        total="its agreements",
        axis="series by who says steady or never like the yardstick",
        sentence=_right_sentence(compared, title, joint),
        file="joint",
    )


def other_rows(compared: ComparisonResult, first: str) -> list[str]:
    """Rows that stand beside `first`."""
    return [name for name in choices(compared) if name != first]


def _right_row(compared: ComparisonResult, pair: ChosenPair, counts: Sequence[int]) -> BarRow:
    texts = [whole(count) for count in counts]
    cell = {"of": pair.first, "other": pair.second}
    return BarRow(compared.entry(pair.second), counts, texts, whole(counts[0] + counts[2]), cell)


def _right_sentence(
    compared: ComparisonResult, title: str, joint: Mapping[str, Sequence[int]]
) -> str:
    if not joint:
        return ""
    other = max(joint, key=lambda name: (joint[name][2] - joint[name][1], name))
    both, alone, theirs, neither = joint[other]
    n = both + alone + theirs + neither
    beside = compared.entry(other).title
    return (
        f"On {whole(n)} series {title} is right on {whole(both + alone)} and {beside} on "
        f"{whole(both + theirs)}; both are right on {whole(both)} and both wrong on "
        f"{whole(neither)}."
    )


# --- drawing ----------------------------------------------------------------------------------
def _chart(
    compared: ComparisonResult,
    name: str,
    kinds: Sequence[BarSegmentKind],
    rows: Sequence[BarRow],
    *,
    total: str,
    axis: str,
    sentence: str,
    file: str,
) -> WebFigure:
    """A bar a row, its parts side by side on one scale."""
    lists = [
        [
            series_list(compared, cell=kind.cell, **row.cell) if value else ""
            for kind, value in zip(kinds, row.values, strict=True)
        ]
        for row in rows
    ]
    cells: list[list[FigureCell | str]] = [
        [row.entry.title, *map(FigureCell, row.texts, hrefs), row.total]
        for row, hrefs in zip(rows, lists, strict=True)
    ]
    return WebFigure(
        name=name,
        label=axis,
        traces=[
            _part(kind, rows, which, [each[which] for each in lists])
            for which, kind in enumerate(kinds)
        ],
        layout={
            "margin": MARGIN,
            "barmode": "stack",
            "uniformtext": {"mode": "hide", "minsize": 9},
            **LEGEND,
            "xaxis": {"rangemode": "tozero", "nticks": 6},
            "yaxis": rows_axis([_code(row.entry) for row in rows]),
            "annotations": [axis_words(axis)],
        },
        table=FigureTable.of(["Method", *(kind.words for kind in kinds), total], cells),
        file=csv_file(compared, file),
        height=ROW * max(len(rows), 1) + MARGIN["t"] + MARGIN["b"],
        sentence=sentence,
        methods={row.entry.name: row.entry.title for row in rows},
    )


def _part(
    kind: BarSegmentKind, rows: Sequence[BarRow], which: int, hrefs: Sequence[str]
) -> dict[str, Any]:
    """One part of every bar; its text stands inside where there is room."""
    hollow = kind.colour == "missed"  # a hatch would be pixels on paper
    fill, edge = ("var(--bg)", "var(--ink-2)") if hollow else (f"var(--{kind.colour})", "var(--bg)")
    texts = [row.texts[which] for row in rows]
    return {
        "type": "bar",
        "orientation": "h",
        "name": kind.words,
        "ids": [row.entry.name for row in rows],
        "x": [row.values[which] for row in rows],
        "y": list(range(len(rows))),
        "width": 0.86,
        "marker": {"color": fill, "line": {"width": 1, "color": edge}},
        "text": texts,
        "textposition": "inside",
        "insidetextanchor": "start",
        "textangle": 0,
        "textfont": {"size": 11, "color": "var(--ink)" if hollow else "var(--on-verdict)"},
        "customdata": list(hrefs),
        **told(
            [
                f"{row.entry.title}, {kind.words}: {text}"
                for row, text in zip(rows, texts, strict=True)
            ]
        ),
    }


def _code(entry: LeaderboardRow) -> str:
    """What fits beside a bar."""
    if entry.look:
        return entry.look.code
    return "best c." if entry.kind == "constant" else entry.title.partition(" ")[0]
