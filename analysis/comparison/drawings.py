"""Geometry of the drawings of a comparison: coordinates only, in CSS pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from analysis.comparison.table import ComparisonResult, LeaderboardRow, error_curves
from analysis.methods.method_style import MethodStyle
from analysis.methods.symbols import is_open, shape
from analysis.statistics import Ecdf, ErrorQuantiles, RankTest
from analysis.statistics.answers import whole

WIDTH: Final = 588  # half of a page of 1280, less gutters and the gap


class Tick(NamedTuple):
    at: float
    text: str


class PlacedLabel(NamedTuple):
    """A label: where its symbol stands, and its words."""

    x: float
    y: float
    text: str
    look: MethodStyle | None
    figure: str = ""

    @property
    def symbol(self) -> str:
        return shape(self.look.slot) if self.look and self.look.slot is not None else ""

    @property
    def classes(self) -> str:
        if self.look is None or self.look.slot is None:
            return "line-symbol"
        open_ = " line-symbol-open" if is_open(self.look.slot) else ""
        return f"line-symbol{open_} {self.look.symbol}"


def nice_step(most: float, about: int) -> float:
    """A step of 1, 2, 2.5 or 5 times a power of ten: about so many of them up to `most`."""
    rough = max(most, 1) / about
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)


def tick_text(number: float) -> str:
    """A tick: whole, with thin spaces from 10 000 on."""
    text = f"{abs(number):,.0f}" if abs(number) >= 10_000 else f"{abs(number):.10g}"
    return ("−" if number < 0 else "") + text.replace(",", "\u2009")


# --- intervals in the leaderboard -------------------------------------------------------------
INTERVAL_WIDTH: Final = 180
MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class DrawnInterval:
    low: float
    high: float
    dot: float


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """The scale that all rows share, and one interval a row."""

    ticks: tuple[Tick, ...]
    rows: Mapping[str, DrawnInterval]
    width: int = INTERVAL_WIDTH


def intervals(entries: Sequence[LeaderboardRow]) -> IntervalScale:
    """Bootstrap intervals of the median absolute error on one scale from 0.

    A method with too few series to be ranked has none: its bounds would decide the scale.
    """
    drawn = [entry for entry in entries if not entry.unranked]
    highs = [e.row.distances.median_abs_high for e in drawn]
    most = max((high for high in highs if high is not None), default=1.0)
    step = nice_step(most, 4)
    count = max(1, math.ceil(most / step))
    reach = (INTERVAL_WIDTH - 2 * MARGIN) / (count * step)
    ticks = tuple(Tick(MARGIN + k * step * reach, tick_text(k * step)) for k in range(count + 1))
    rows = {}
    for entry in drawn:
        d = entry.row.distances
        if d.median_abs is None or d.median_abs_low is None or d.median_abs_high is None:
            continue
        low, high, dot = (
            round(MARGIN + value * reach, 1)
            for value in (d.median_abs_low, d.median_abs_high, d.median_abs)
        )
        rows[entry.name] = DrawnInterval(low, high, dot)
    return IntervalScale(ticks, rows)


# --- verdict bars -----------------------------------------------------------------------------
BAR_WIDTH: Final = 208
ROOM_FOR_FIGURE: Final = 28


class VerdictSegment(NamedTuple):
    """One part of a bar; `text` is the share in percent where it fits."""

    kind: str
    cell: str
    x: float
    width: float
    text: str
    words: str


def verdict_bar(entry: LeaderboardRow) -> tuple[VerdictSegment, ...]:
    """Early, within, late, missed, as on a number line; nothing without steady series."""
    v = entry.row.verdicts
    shares = (
        ("early", "early", v.early_share),
        ("within", "agrees", v.agrees_share),
        ("late", "late", v.late_share),
        ("missed", "missed", v.missed_share),
    )
    found, x = [], 0.0
    for kind, cell, share in shares:
        if not share:
            continue
        width = share * BAR_WIDTH
        figure = f"{100 * share:.0f}" if width >= ROOM_FOR_FIGURE and kind != "missed" else ""
        words = f"{kind} {100 * share:.1f} %"
        found.append(
            VerdictSegment(kind, cell, round(x, 1), round(max(width - 1, 0.5), 1), figure, words)
        )
        x += width
    return tuple(found)


# --- distribution of the absolute error -------------------------------------------------------
ECDF_HEIGHT: Final = 306
ECDF_LEFT: Final = 40
ECDF_TOP: Final = 8
ECDF_RIGHT: Final = 92
LABEL_STEP: Final = 17


MOST_CURVES: Final = 10  # more cannot be told apart, nor their labels placed beside their ends
NAMED_CURVES: Final = 8


@dataclass(frozen=True, slots=True)
class EcdfCurve:
    """One method's steps; without a label it is grey, to be compared with and not to be read."""

    look: MethodStyle
    path: str
    label: PlacedLabel | None
    joint: str


@dataclass(frozen=True, slots=True)
class EcdfReading:
    """One method at one distance: the share of series at most so far off."""

    look: MethodStyle
    share: float


@dataclass(frozen=True, slots=True)
class EcdfDrawing:
    """Steps over log10(1 + |Δ|); `end` is where the axis ends, in these decades.

    tolerance  in iterations, with `label` as its words; the middle one where series differ
    readings   every method at the tolerance, best first
    steps      of each curve, iterations and series since the step before, for the cursor
    """

    n: int
    curves: tuple[EcdfCurve, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    tolerance: int
    threshold: Tick
    readings: tuple[EcdfReading, ...]
    steps: Mapping[str, Sequence[float]]
    left: int
    right: float
    bottom: float
    top: int
    height: float
    end: float
    width: int = WIDTH

    @property
    def named(self) -> int:
        """How many curves have a name, where not all have."""
        told = sum(curve.label is not None for curve in self.curves)
        return 0 if told == len(self.curves) else told

    @property
    def data(self) -> dict[str, object]:
        """What the cursor needs to read the curves."""
        names = ("n", "left", "right", "top", "bottom", "end", "tolerance")
        return {"steps": self.steps, **{name: getattr(self, name) for name in names}}


def ecdf_drawing(compared: ComparisonResult) -> EcdfDrawing:
    """The curves of the chosen methods, with labels at their right ends."""
    found = {name: steps for name, (steps, _) in error_curves(compared.inputs).items()}
    tolerance, words = _tolerance(compared)
    largest = max((steps.sizes[-1] for steps in found.values() if steps.sizes), default=10)
    largest = max(largest, tolerance)
    end = max(1.0, math.log10(1 + largest))
    right = WIDTH - ECDF_RIGHT
    bottom = ECDF_TOP + ECDF_HEIGHT

    def x(size: float) -> float:
        return round(ECDF_LEFT + (right - ECDF_LEFT) * math.log10(1 + size) / end, 1)

    def y(share: float) -> float:
        return round(bottom - share * ECDF_HEIGHT, 1)

    looks = compared.looks
    ends = {name: y(steps.shares[-1] if steps.shares else 0) for name, steps in found.items()}
    readings = [EcdfReading(looks[name], steps.at(tolerance)) for name, steps in found.items()]
    readings.sort(key=lambda one: -one.share)
    told = readings if len(readings) <= MOST_CURVES else readings[:NAMED_CURVES]
    named = {one.look.name for one in told}
    places = _apart({name: ends[name] for name in ends if name in named}, ECDF_TOP + 4, LABEL_STEP)

    def curve(name: str, steps: Ecdf) -> EcdfCurve:
        path = _steps(steps, x, y, right)
        if name not in named:
            return EcdfCurve(looks[name], path, None, "")
        place, end_y = places[name], ends[name]
        return EcdfCurve(
            looks[name],
            path,
            PlacedLabel(right + 26, place, looks[name].code, looks[name]),
            f"M{right} {end_y}C{right + 10} {end_y} {right + 12} {place} {right + 22} {place}",
        )

    drawn = [curve(name, steps) for name, steps in found.items()]
    return EcdfDrawing(
        n=next((steps.n for steps in found.values()), 0),
        curves=tuple(sorted(drawn, key=lambda one: one.label is not None)),  # these lie above
        across=tuple(Tick(x(size), tick_text(size)) for size in _decades(largest)),
        up=tuple(Tick(y(k / 4), "100 %" if k == 4 else f"{25 * k}") for k in range(5)),
        tolerance=tolerance,
        threshold=Tick(x(tolerance), words),
        readings=tuple(readings),
        steps={name: _increments(steps) for name, steps in found.items()},
        left=ECDF_LEFT,
        right=right,
        bottom=bottom,
        top=ECDF_TOP,
        height=max(bottom + 36, max(places.values(), default=0) + 12),
        end=end,
    )


def _tolerance(compared: ComparisonResult) -> tuple[int, str]:
    """Where the tolerance stands and what it is called; the middle one where series differ."""
    one = compared.one_tolerance
    if one is not None:
        return one, tick_text(one)
    found = compared.inputs.tolerance
    return (int(sorted(found)[found.size // 2]) if found.size else 0), "5 % of each series"


def _increments(steps: Ecdf) -> list[float]:
    """Iterations and series from step to step, one after the other: short in a page."""
    found: list[float] = []
    size, count = 0.0, 0
    for here, share in zip(steps.sizes, steps.shares, strict=True):
        reached = round(share * steps.n)
        found += [whole(here - size), reached - count]
        size, count = here, reached
    return found


def _decades(largest: float) -> list[int]:
    return [0, *(10**k for k in range(8) if 10**k <= largest)]


def _steps(steps: Ecdf, x, y, right: float) -> str:  # type: ignore[no-untyped-def]  # scales
    """Path of a step function; steps narrower than half a pixel are joined."""
    parts = [f"M{x(0)} {y(0)}"]
    last_x, last_y = x(0), y(0)
    for size, share in zip(steps.sizes, steps.shares, strict=True):
        here_x, here_y = x(size), y(share)
        if here_x - last_x < 0.5 and here_y > last_y - 0.5:
            continue
        parts.append(f"H{here_x}V{here_y}" if here_x != last_x else f"V{here_y}")
        last_x, last_y = here_x, here_y
    if steps.shares:
        parts.append(f"V{y(steps.shares[-1])}H{right}")
    return "".join(parts)


def _apart(wanted: Mapping[str, float], first: float, step: float) -> dict[str, float]:
    """Heights at least `step` apart, in the order of the wanted ones and near to them."""
    placed: dict[str, float] = {}
    next_free = first
    for name, height in sorted(wanted.items(), key=lambda one: one[1]):
        placed[name] = max(height, next_free)
        next_free = placed[name] + step
    return placed


# --- signed error -----------------------------------------------------------------------------
STRIP_LEFT: Final = 76
STRIP_ROW: Final = 26


@dataclass(frozen=True, slots=True)
class QuantileStrip:
    look: MethodStyle
    label: PlacedLabel
    y: float
    low: float
    high: float
    box_low: float
    box_high: float
    median: float
    words: str


@dataclass(frozen=True, slots=True)
class SignedErrorDrawing:
    """Quantiles on a symmetric logarithmic axis: early left, late right."""

    strips: tuple[QuantileStrip, ...]
    ticks: tuple[Tick, ...]
    zone: tuple[float, float] | None
    zero: float
    bottom: float
    left: int = STRIP_LEFT
    width: int = WIDTH

    @property
    def height(self) -> float:
        return self.bottom + 24


def signed_drawing(compared: ComparisonResult) -> SignedErrorDrawing:
    """5–25–50–75–95 % of the signed error, a row a method in the order of the leaderboard."""
    found = {name: quantiles for name, (_, quantiles) in error_curves(compared.inputs).items()}
    order = [e for e in compared.entries if e.name in found and found[e.name].n]
    sizes = [abs(v) for e in order for v in _quantiles(found[e.name])]
    end = max(1.0, math.log10(1 + max(sizes, default=9)))
    half = (WIDTH - STRIP_LEFT - 8) / 2
    middle = STRIP_LEFT + half

    def x(error: float) -> float:
        return round(middle + math.copysign(math.log10(1 + abs(error)) / end * half, error), 1)

    strips = tuple(
        _strip(entry, found[entry.name], x, 8 + STRIP_ROW * at + STRIP_ROW / 2)
        for at, entry in enumerate(order)
    )
    decades = [10**k for k in range(1, 8) if math.log10(1 + 10**k) <= end]
    ticks = [-d for d in reversed(decades)] + [0] + decades
    one = compared.one_tolerance
    return SignedErrorDrawing(
        strips=strips,
        ticks=tuple(Tick(x(t), f"+{tick_text(t)}" if t > 0 else tick_text(t)) for t in ticks),
        zone=None if one is None else (max(x(-one), STRIP_LEFT), min(x(one), WIDTH - 8.0)),
        zero=middle,
        bottom=8 + STRIP_ROW * len(strips) + 6,
    )


def _quantiles(q: ErrorQuantiles) -> list[float]:
    return [v for v in (q.q05, q.q25, q.q50, q.q75, q.q95) if v is not None]


def _strip(entry: LeaderboardRow, q: ErrorQuantiles, x, y: float) -> QuantileStrip:  # type: ignore[no-untyped-def]
    assert entry.look is not None  # noqa: S101  # only methods have quantiles
    low, box_low, median, box_high, high = (x(v) for v in _quantiles(q))
    words = ", ".join(
        f"{name} {tick_text(round(v))}"
        for name, v in zip(("5 %", "25 %", "median", "75 %", "95 %"), _quantiles(q), strict=True)
    )
    label = PlacedLabel(0, y, entry.look.code, entry.look)
    return QuantileStrip(entry.look, label, y, low, high, box_low, box_high, median, words)


# --- average ranks ----------------------------------------------------------------------------
RANK_LEFT, RANK_RIGHT = 96, WIDTH - 96
RANK_TOP: Final = 26
CLIQUE_STEP: Final = 8
RANK_ROW: Final = 20


@dataclass(frozen=True, slots=True)
class RankedLabel:
    """A method's elbow from the axis to its label, on the left or right half."""

    look: MethodStyle
    path: str
    x: float
    label: PlacedLabel
    rank: PlacedLabel
    left: bool


class CliqueBar(NamedTuple):
    start: float
    end: float
    y: float


@dataclass(frozen=True, slots=True)
class RankDrawing:
    ticks: tuple[Tick, ...]
    bars: tuple[CliqueBar, ...]
    labels: tuple[RankedLabel, ...]
    height: float
    axis: int = RANK_TOP
    left: int = RANK_LEFT
    right: int = RANK_RIGHT
    width: int = WIDTH


def rank_drawing(test: RankTest, looks: Mapping[str, MethodStyle]) -> RankDrawing:
    """Axis of average ranks, bars of methods that are not told apart, labels in two halves."""
    ranks = {one.method: one.average_rank for one in test.methods}
    low, high = math.floor(min(ranks.values())), math.ceil(max(ranks.values()))
    high = max(high, low + 1)

    def x(rank: float) -> float:
        return round(RANK_LEFT + (RANK_RIGHT - RANK_LEFT) * (rank - low) / (high - low), 1)

    bars = tuple(
        CliqueBar(x(ranks[b[0]]) - 4, x(ranks[b[-1]]) + 4, RANK_TOP + 8 + CLIQUE_STEP * at)
        for at, b in enumerate(test.bars)
    )
    start = RANK_TOP + 24 + CLIQUE_STEP * len(bars)
    names = [one.method for one in test.methods]
    half = (len(names) + 1) // 2
    sides = [(names[:half], True), (list(reversed(names[half:])), False)]
    labels = tuple(
        _ranked_label(looks[name], x(ranks[name]), start + RANK_ROW * row, ranks[name], left=left)
        for side, left in sides
        for row, name in enumerate(side)
    )
    step = max(1, math.ceil((high - low) / 10))
    ticks = tuple(Tick(x(rank), str(rank)) for rank in range(low, high + 1, step))
    return RankDrawing(ticks, bars, labels, start + RANK_ROW * half)


def _ranked_label(look: MethodStyle, x: float, y: float, rank: float, *, left: bool) -> RankedLabel:
    end = RANK_LEFT - 4 if left else RANK_RIGHT + 4
    path = f"M{x} {RANK_TOP}V{y}H{end}"
    symbol = RANK_LEFT - 18 if left else RANK_RIGHT + 6
    figure = PlacedLabel(2 if left else WIDTH - 2, y, f"{rank:.2f}", None)
    return RankedLabel(look, path, x, PlacedLabel(symbol, y, look.code, look), figure, left)
