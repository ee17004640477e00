"""Stacked bars of a comparison, a row a method: each part opens the series that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.urls import reverse

from analysis.comparison.drawings import BAR_WIDTH, ROOM_FOR_FIGURE
from analysis.comparison.pairs import ChosenPair, choices
from analysis.comparison.table import ComparisonResult, LeaderboardRow
from analysis.methods.method_style import MethodStyle
from analysis.statistics.answers import Number
from people.templatetags.writing import share, whole


class BarSegmentKind(NamedTuple):
    """A part of every bar: the list behind it, its colour, its words."""

    cell: str
    colour: str
    words: str


class BarSegment(NamedTuple):
    """One part of one bar; `text` stands inside where it fits."""

    colour: str
    x: float
    width: float
    text: str
    figure: str
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class BarRow:
    title: str
    look: MethodStyle | None
    grey: bool
    parts: tuple[BarSegment, ...]
    total: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars on one scale; `caption` says what they show, `sentence` what comes out."""

    kinds: Sequence[BarSegmentKind]
    rows: tuple[BarRow, ...]
    total: str
    caption: str
    sentence: str


CLUSTERS: Final = (
    BarSegmentKind("clustered", "within", "marks in a cluster"),
    BarSegmentKind("scattered", "late", "marks scattered"),
)
DIRECTIONS: Final = (
    BarSegmentKind("under", "early", "under: too early"),
    BarSegmentKind("exact", "within", "exact"),
    BarSegmentKind("over", "late", "over: too late"),
)
RIGHT: Final = (
    BarSegmentKind("both-right", "within", "both right"),
    BarSegmentKind("first-right", "early", "only {first}"),
    BarSegmentKind("second-right", "late", "only the other"),
    BarSegmentKind("both-wrong", "missed", "both wrong"),
)


def cluster_bars(compared: ComparisonResult) -> BarChart | None:
    """Manhattan distances in two parts; None for a yardstick without marks."""
    if compared.inputs.truth.clustered is None:
        return None
    entries = sorted(
        (entry for entry in compared.entries if entry.row.distances.n),
        key=lambda entry: (entry.row.distances.manhattan, entry.name),
    )
    most = max((entry.row.distances.manhattan for entry in entries), default=0)
    rows = tuple(_cluster_row(compared, entry, most) for entry in entries)
    return BarChart(
        CLUSTERS,
        rows,
        "Σ|Δ|",
        "sum of |Δ| over the series of the distances, least first",
        cluster_sentence(compared),
    )


def _cluster_row(compared: ComparisonResult, entry: LeaderboardRow, most: Number) -> BarRow:
    d = entry.row.distances
    values = (d.manhattan_clustered or 0, d.manhattan_scattered or 0)
    parts = _parts(
        CLUSTERS, values, most, lambda kind: _list(compared, cell=kind.cell, of=entry.name), whole
    )
    return BarRow(entry.title, entry.look, entry.grey, parts, whole(d.manhattan))


def cluster_sentence(compared: ComparisonResult) -> str:
    """Which method has the least sum of |Δ|; sums are compared over the same series alone."""
    methods = [e for e in compared.entries if e.kind == "method" and e.row.distances.n]
    constant = next((entry for entry in compared.entries if entry.kind == "constant"), None)
    if not methods:
        return ""
    n = [entry.row.distances.n for entry in methods]
    if min(n) < compared.result.n_distances:
        rest = " to ".join(dict.fromkeys([whole(min(n)), whole(max(n))]))
        return f"Sums rest on {rest} series a method: only common series make them comparable."
    best = min(methods, key=lambda entry: entry.row.distances.manhattan)
    least = best.row.distances.manhattan
    text = f"{best.title} has {'the least sum' if len(n) > 1 else 'the sum'}, {whole(least)}"
    if constant is None:
        return f"{text}."
    sum_ = constant.row.distances.manhattan
    beside = "as much" if sum_ == least else "less still" if sum_ < least else "more"
    return f"{text}; the best constant answer has {beside}, {whole(sum_)}."


def direction_bars(compared: ComparisonResult) -> BarChart:
    """Shares of too early, exact and too late, in whole iterations, without any tolerance."""
    entries = [entry for entry in compared.entries if entry.row.distances.n]
    return BarChart(
        DIRECTIONS,
        tuple(_direction_row(compared, entry) for entry in entries),
        "n",
        "% of the series on which both say steady, in whole iterations: no tolerance",
        _direction_sentence(compared, entries),
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
    counts = directions(compared, entry)
    n = entry.row.distances.n
    parts = _parts(
        DIRECTIONS,
        counts,
        n,
        lambda kind: _list(compared, cell=kind.cell, of=entry.name),
        lambda count: share(None if count is None else count / n),
    )
    return BarRow(entry.title, entry.look, entry.grey, parts, whole(n))


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


def right_bars(
    compared: ComparisonResult, first: str, joint: Mapping[str, Sequence[int]]
) -> BarChart:
    """Joint counts of being right about steady or never: `first` beside every other method."""
    title = compared.entry(first).title
    kinds = [kind._replace(words=kind.words.format(first=title)) for kind in RIGHT]
    rows = tuple(
        _right_row(compared, kinds, ChosenPair(first, other), counts)
        for other, counts in joint.items()
    )
    return BarChart(
        kinds,
        rows,
        "its agreements",
        f"series by who says steady or never like the yardstick: {title} and each other method",
        _right_sentence(compared, title, joint),
    )


def other_rows(compared: ComparisonResult, first: str) -> list[str]:
    """Rows that stand beside `first`."""
    return [name for name in choices(compared) if name != first]


def _right_row(
    compared: ComparisonResult,
    kinds: Sequence[BarSegmentKind],
    pair: ChosenPair,
    counts: Sequence[int],
) -> BarRow:
    entry = compared.entry(pair.second)
    parts = _parts(
        kinds,
        counts,
        sum(counts),
        lambda kind: _list(compared, cell=kind.cell, of=pair.first, other=pair.second),
        whole,
    )
    agreements = whole(counts[0] + counts[2])
    return BarRow(entry.title, entry.look, entry.grey, parts, agreements)


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


# --- parts ------------------------------------------------------------------------------------
def _parts(
    kinds: Sequence[BarSegmentKind],
    values: Sequence[Number],
    whole_bar: Number,
    href: Callable[[BarSegmentKind], str],
    write: Callable[[float | None], str],
) -> tuple[BarSegment, ...]:
    found, x = [], 0.0
    for kind, value in zip(kinds, values, strict=True):
        width = BAR_WIDTH * value / whole_bar if whole_bar else 0.0
        figure = write(value)
        room = width >= max(ROOM_FOR_FIGURE, 8 * len(figure)) and kind.colour != "missed"
        words = f"{kind.words}: {figure}"
        text = figure if room else ""
        found.append(
            BarSegment(
                kind.colour,
                round(x, 1),
                round(max(width - 1, 0.5), 1) if value else 0.0,
                text,
                figure,
                words,
                href(kind) if value else "",
            )
        )
        x += width
    return tuple(found)


def _list(compared: ComparisonResult, **cell: str) -> str:
    base = reverse("comparison-series", args=[compared.yardstick.study.slug])
    return base + compared.asked.query(**cell)
