"""Drawings that a comparison shows on demand: where everything stands, and what each part opens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from django.urls import reverse

from analysis.comparison import drilldown
from analysis.comparison.drawings import WIDTH, Tick
from analysis.comparison.inputs import ComparedSeries
from analysis.comparison.pairs import ChosenPair
from analysis.comparison.table import ComparisonResult
from analysis.methods.method_style import MethodStyle
from analysis.statistics.answers import Floats, errors
from analysis.statistics.histograms import Histogram, histogram
from analysis.web.figures import tick_step, tick_text
from people.templatetags.writing import HARD, share, signed, whole

LEFT: Final = 44
RIGHT: Final = WIDTH - 12
TOP: Final = 20
BOTTOM: Final = 220
NARROW: Final = 40  # px that the words of two lines need between them
MOST_POINTS: Final = 1_000
"""Points that open their series, the widest errors; more would make a page of megabytes."""
FAR: Final = math.log10(1 + 100)
"""Where the axis of the errors by series reaches further, one iteration has no line of its own."""


class HistogramBin(NamedTuple):
    """One bar: its place, the list of its series, and its words."""

    x: float
    y: float
    width: float
    height: float
    href: str
    words: str


class ReferenceLine(NamedTuple):
    """A vertical line; the mean is drawn, its two-sd bounds are dashed."""

    at: float
    text: str
    bound: bool


@dataclass(frozen=True, slots=True)
class HistogramDrawing:
    """Bars over iterations, with the mean and two standard deviations to both sides."""

    look: MethodStyle | None
    bins: tuple[HistogramBin, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    marks: tuple[ReferenceLine, ...]
    axis: str
    sentence: str
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM
    width: int = WIDTH
    height: int = BOTTOM + 36


def error_histogram(compared: ComparisonResult, name: str) -> HistogramDrawing:
    """Signed errors of one row of the leaderboard, both steady. Raises UnknownCell."""
    entry = compared.entry(name)
    values = signed_errors(compared, name)
    found = histogram(values)
    hrefs = [
        _list(compared, cell=drilldown.bin_figure("error", low, high), of=name)
        for low, high in zip(found.edges, found.edges[1:], strict=False)
    ]
    sentence = _error_sentence(entry.title, found, values)
    return _drawn(found, hrefs, entry.look, "Δ (iterations): early left, late right", sentence)


PAIRED: Final[Mapping[str, str]] = {
    "sooner": "{first} − {second} (iterations): {first} sooner left",
    "closer": "|Δ| of {first} − |Δ| of {second} (iterations): {first} closer left",
}


def difference_histogram(
    compared: ComparisonResult, pair: ChosenPair, names: tuple[str, str], figure: str
) -> HistogramDrawing:
    """Paired differences of two methods, `sooner` of answers, `closer` of absolute errors."""
    found = drilldown.method_pair(compared, pair.first, pair.second)
    values = drilldown.paired_differences(compared, found, figure)
    bins = histogram(values)
    hrefs = [
        _list(
            compared, cell=drilldown.bin_figure(figure, low, high), of=pair.first, other=pair.second
        )
        for low, high in zip(bins.edges, bins.edges[1:], strict=False)
    ]
    first, second = names
    axis = PAIRED[figure].format(first=first, second=second)
    return _drawn(bins, hrefs, None, axis, _difference_sentence(names, figure, bins, values))


def signed_errors(compared: ComparisonResult, name: str) -> Floats:
    """Signed errors of a row on the series of its distances, NaN elsewhere."""
    predicted, truth = compared.answers(name), compared.truth_for(name)
    if predicted is None:
        raise drilldown.UnknownCell(f"no row {name!r}")
    delta: Floats = np.where(compared.result.scope.distances, errors(predicted, truth), np.nan)
    return delta


def _list(compared: ComparisonResult, **cell: str) -> str:
    """Where the series behind a part of a drawing are listed."""
    base = reverse("comparison-series", args=[compared.yardstick.study.slug])
    return base + compared.asked.query(**cell)


def _drawn(
    found: Histogram, hrefs: Sequence[str], look: MethodStyle | None, axis: str, sentence: str
) -> HistogramDrawing:
    low, high = (found.edges[0], found.edges[-1]) if found.edges else (0, 1)
    most = max(found.counts, default=1)

    def x(value: float) -> float:
        place = LEFT + (RIGHT - LEFT) * (value - low) / (high - low)
        return round(min(max(place, LEFT), RIGHT), 1)

    def y(count: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * count / most, 1)

    step = tick_step(high - low, 6)
    ticks = [step * at for at in range(math.ceil(low / step), math.floor(high / step) + 1)]
    every = max(1, tick_step(most, 4))
    return HistogramDrawing(
        look=look,
        bins=tuple(
            HistogramBin(
                x(left),
                y(count),
                round(max(x(right) - x(left) - 1, 1), 1),
                round(BOTTOM - y(count), 1),
                href,
                f"{tick_text(left)} up to {tick_text(right)}: {count} series",
            )
            for left, right, count, href in zip(
                found.edges, found.edges[1:], found.counts, hrefs, strict=False
            )
            if count
        ),
        across=tuple(Tick(x(value), tick_text(value)) for value in ticks),
        up=tuple(
            Tick(y(every * at), tick_text(every * at)) for at in range(int(most // every) + 1)
        ),
        marks=_marks(found, x, low, high),
        axis=axis,
        sentence=sentence,
    )


def _marks(found: Histogram, x, low: float, high: float) -> tuple[ReferenceLine, ...]:  # type: ignore[no-untyped-def]  # a scale
    """The mean, and what lies within the drawing of the bounds two sd away."""
    if found.mean is None or found.two_sd is None:
        return ()
    under, over = found.two_sd
    mean = x(found.mean)
    bounds = [
        (x(at), text) for at, text in ((under, "−2 sd"), (over, "+2 sd")) if low <= at <= high
    ]
    return (
        ReferenceLine(mean, "mean", bound=False),
        *(
            ReferenceLine(at, text if abs(at - mean) > NARROW else "", bound=True)
            for at, text in bounds
        ),
    )


def _error_sentence(title: str, found: Histogram, values: Floats) -> str:
    if found.mean is None or found.sd is None or found.two_sd is None:
        return f"{title} and the yardstick are both steady on no series."
    low, high = found.two_sd
    inside = float(((values >= low) & (values <= high)).sum()) / found.n
    side = "late" if found.mean > 0 else "early"
    return (
        f"{title} is {whole(abs(found.mean))} iterations {side} on average of {whole(found.n)} "
        f"series, standard deviation {found.sd:.1f}; mean{HARD}±{HARD}2{HARD}sd, "
        f"{signed(low)} to {signed(high)}, holds {share(inside)} of them."
    )


def _difference_sentence(
    names: tuple[str, str], figure: str, found: Histogram, values: Floats
) -> str:
    first, second = names
    if found.mean is None:
        return f"{first} and {second} are both steady on no series of the yardstick."
    known = values[np.isfinite(values)]
    middle, mean = float(np.median(known)), found.mean
    what = "closer" if figure == "closer" else "sooner"
    better = first if mean < 0 else second
    return (
        f"On average {better} is {whole(abs(mean))} iterations {what}; the median difference is "
        f"{signed(middle)}, on {whole(found.n)} series."
    )


# --- error by series --------------------------------------------------------------------------
class ErrorPoint(NamedTuple):
    x: float
    y: float
    href: str
    words: str


class SystemSpan(NamedTuple):
    """A system's stretch of the horizontal axis; `text` where its name fits."""

    at: float
    middle: float
    text: str


@dataclass(frozen=True, slots=True)
class ErrorDrawing:
    """The signed error of every series, in the order of systems and names.

    others  path of the points that open no series of their own, beyond MOST_POINTS
    """

    look: MethodStyle | None
    points: tuple[ErrorPoint, ...]
    others: str
    up: tuple[Tick, ...]
    parts: tuple[SystemSpan, ...]
    zone: tuple[float, float] | None
    zero: float
    all_of_them: str
    sentence: str
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM + 60
    width: int = WIDTH

    @property
    def height(self) -> int:
        return self.bottom + 20


def by_series(compared: ComparisonResult, name: str) -> ErrorDrawing:
    """A point a series on a symmetric logarithmic axis: late above, early below."""
    entry, delta = compared.entry(name), signed_errors(compared, name)
    places = np.flatnonzero(np.isfinite(delta)).tolist()
    end = max(1.0, math.log10(1 + max((abs(float(delta[at])) for at in places), default=9.0)))
    bottom = BOTTOM + 60
    middle, half = (TOP + bottom) / 2, (bottom - TOP) / 2
    reach = (RIGHT - LEFT - 8) / max(len(places) - 1, 1)

    def y(error: float) -> float:
        return round(middle - math.copysign(math.log10(1 + abs(error)) / end * half, error), 1)

    xs = {at: round(LEFT + 4 + reach * place, 1) for place, at in enumerate(places)}
    widest = sorted(places, key=lambda at: -abs(float(delta[at])))
    linked = sorted(widest[:MOST_POINTS])
    first = 1 if end > FAR else 0
    decades = [10**k for k in range(first, 8) if math.log10(1 + 10**k) <= end]
    one = compared.one_tolerance
    return ErrorDrawing(
        look=entry.look,
        points=tuple(
            ErrorPoint(
                xs[at],
                y(float(delta[at])),
                _of_series(compared, compared.lines[at], name),
                f"{compared.lines[at].short_name}: {signed(float(delta[at]))}",
            )
            for at in linked
        ),
        others="".join(f"M{xs[at]} {y(float(delta[at]))}h0" for at in widest[MOST_POINTS:]),
        up=tuple(
            Tick(y(each), f"+{tick_text(each)}" if each > 0 else tick_text(each))
            for each in (*(-d for d in reversed(decades)), 0, *decades)
        ),
        parts=_parts([compared.lines[at].system for at in places], reach),
        zone=None if one is None else (max(y(one), TOP), min(y(-one), bottom)),
        zero=middle,
        all_of_them=_list(compared, cell="n", of=name),
        sentence=_series_sentence(entry.title, delta[places], len(widest[MOST_POINTS:])),
    )


def _of_series(compared: ComparisonResult, line: ComparedSeries, name: str) -> str:
    """The page of a series, with the way on through all series of the drawing."""
    query = compared.asked.query(**{"from": "series"}, cell="n", of=name)
    return line.address(compared.yardstick.study.slug) + query


def _parts(systems: Sequence[str], reach: float) -> tuple[SystemSpan, ...]:
    """Where each system begins, and its name where there is room for it."""
    starts = [at for at, name in enumerate(systems) if not at or systems[at - 1] != name]
    found = []
    for start, stop in zip(starts, [*starts[1:], len(systems)], strict=True):
        room = reach * (stop - start)
        text = systems[start] if room >= 7 * len(systems[start]) else ""
        x = LEFT + 4 + reach * (start - 0.5)
        found.append(SystemSpan(round(max(x, LEFT), 1), round(x + room / 2, 1), text))
    return tuple(found)


def _series_sentence(title: str, delta: Floats, unlinked: int) -> str:
    late, early = int((delta > 0).sum()), int((delta < 0).sum())
    more = (
        f" The {whole(unlinked)} smallest errors are drawn, but open nothing." if unlinked else ""
    )
    return (
        f"{title} is late on {whole(late)} series, early on {whole(early)} and exact on "
        f"{whole(delta.size - late - early)}.{more}"
    )
