"""The shape of a series: steps, decay, drift, cycles, spikes, random walk, or flat. Pure.

A series has one shape and may show others beside it: how its level moves (one model, chosen in
`detectors.level_models`), fast cycles, and spikes. The shape is what explains most of the spread of
its values. Up and down are those of the values as recorded: with times down is faster, with rates
slower. Values above zero are compared by their ratios, so that x and 1/x have the same shape, one
up where the other is down; docs/guide/shapes.md states the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from detectors.autocorrelation import correlations
from detectors.contract import Values, as_series
from detectors.level_models import FittedLevel, LevelModel, fitted_levels
from detectors.safe_range import in_range

Shape = Literal[
    "flat",
    "step-down",
    "step-up",
    "steps",
    "decay-down",
    "decay-up",
    "drift-down",
    "drift-up",
    "cycles",
    "random-walk",
    "spikes",
    "short",
]
RULE: Final = 1
"""Version of the rules; a stored shape is kept with it."""

LEAST: Final = 60  # values; of fewer no shape is told
MOST_BLOCKS: Final = 128
LEAST_BLOCK: Final = 3  # values: the median of so many leaves a single spike out
EFFECT: Final = math.log(1.01)  # a level that moves by less than 1 % does not move
SHARE: Final = 0.2  # of the spread: what explains less is not seen
ONE_WAY: Final = 0.75  # share of all moves up that make steps "up"
FEWEST_ALTERNATIONS: Final = 4  # turns between two levels that make cycles of steps
ALTERNATING: Final = 0.25  # how much the stays on one of the levels may differ
OFF_TWO_LEVELS: Final = 0.1  # share of the spread of steps that two levels may leave
COARSE: Final = 4  # blocks: cycles shorter than so many are looked for in the values
REPEATS: Final = 0.4  # autocorrelation at the period of fast cycles
DIP: Final = 0.3  # and so much less at some shorter lag: noise that fades has none
SPIKE: Final = 6.0  # robust standard deviations
SPIKE_HEIGHT: Final = math.log(1.1)  # and at least 10 % off its level
FEWEST_SPIKES: Final = 3
SPIKE_SHARE: Final = (0.001, 0.1)  # of the values; more are no single values any more
MAD_TO_DEVIATION: Final = 1.4826
MEAN_TO_DEVIATION: Final = 1.253314  # where more than half of the values are equal
LARGEST: Final = 700.0  # exp of more is no float64; and so many units a value may have at most


@dataclass(frozen=True, slots=True)
class ShapeFacts:
    """The shape of one series, what else it shows, and the numbers that decided.

    shape      the one that explains most
    classes    all that it shows, `shape` among them
    logs       whether values were compared by ratios; else by differences, of the greatest value
    block      values a block (the shorter ones); 0 for a series too short
    level      model of the level with the least BIC
    margin     by how much its BIC is less than that of a level that stays
    runner_up  the next best model, and by how much its BIC is more; a random walk's may be less
    reach      from the lowest to the highest level, as a ratio: 0.1 is 10 %
    change     from the first to the last level, as a ratio, with its sign
    share      of the spread of values that the level explains
    changes    first iterations of the levels after the first, of steps
    length     iterations: time constant of a decay, period of slow cycles
    period     iterations: of fast cycles; 0 without
    repeats    autocorrelation at that period; of the best there is where it is too little
    fast_share of the spread that fast cycles explain
    spikes     single values far off: how many lie above and below
    """

    shape: Shape
    classes: tuple[Shape, ...]
    n: int
    logs: bool = True
    block: int = 0
    level: str = "flat"
    margin: float = 0.0
    runner_up: str = ""
    runner_up_margin: float = 0.0
    reach: float = 0.0
    change: float = 0.0
    share: float = 0.0
    changes: tuple[int, ...] = ()
    length: float = 0.0
    period: int = 0
    repeats: float = 0.0
    fast_share: float = 0.0
    spikes: tuple[int, int] = (0, 0)


def shape_of(values: ArrayLike) -> ShapeFacts:
    """The shape of a series: one-dimensional and finite; BadSeries if it is not."""
    series = as_series(values)
    return shape_facts(series, FittedSeries.of(series))


def shape_facts(series: Values, fitted: FittedSeries | None) -> ShapeFacts:
    """The same of a series with what `FittedSeries.of` gives for it."""
    if fitted is not None:
        return _told(_level_facts(fitted), fitted.blocked)
    name: Shape = "short" if series.size < LEAST else "flat"
    return ShapeFacts(name, (name,), series.size)


def comparable(series: Values) -> tuple[Values, bool]:
    """Values whose differences are changes in ratio, and True: logarithms, if all are above 0.

    Else the values as multiples of their median distance from 0, and False.
    """
    if series.min() > 0:
        return np.log(series), True
    scaled, _ = in_range(series)
    sizes = np.abs(scaled)
    unit = max(float(np.median(sizes)), float(sizes.max()) / LARGEST)
    return scaled / (unit or 1.0), False


def as_ratio(difference: float, *, logs: bool) -> float:
    """A difference of two `comparable` values as a share: 0.1 is 10 % more. Never infinite."""
    return math.expm1(min(difference, LARGEST)) if logs else difference


# --- blocks -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class BlockedSeries:
    """Values cut into blocks: medians, and of each value its distance from the level around it.

    edges: (m + 1,) first values of blocks, and n. off: the distance from the nearest of the
    medians of its own block and its two neighbours, so that a step within a block is none.
    spread: robust standard deviation around each value. calm: the values, spikes cut off where they
    begin to be spikes.
    """

    edges: NDArray[np.int64]
    medians: Values
    off: Values
    spread: Values
    calm: Values

    @classmethod
    def of(cls, values: Values) -> BlockedSeries:
        count = _count(values.size)
        edges = block_edges(values.size, count)
        sizes = np.diff(edges)
        medians = block_medians(values, count)
        around = np.stack([np.r_[medians[:1], medians[:-1]], np.r_[medians[1:], medians[-1:]]])
        off = values - np.repeat(medians, sizes)
        for each in around:
            other = values - np.repeat(each, sizes)
            off = np.where(np.abs(other) < np.abs(off), other, off)
        own = _deviations(np.abs(off), count)
        wide = np.max([own, np.r_[own[:1], own[:-1]], np.r_[own[1:], own[-1:]]], axis=0)
        spread = np.repeat(np.maximum(wide, np.median(own)), sizes)
        calm = np.repeat(medians, sizes) + np.clip(off, -SPIKE * spread, SPIKE * spread)
        return cls(edges, medians, off, spread, calm)


def _count(n: int) -> int:
    return min(MOST_BLOCKS, n // LEAST_BLOCK)


def block_edges(n: int, count: int) -> NDArray[np.int64]:
    """The first blocks have one value more where n is no multiple."""
    size, more = divmod(n, count)
    place = np.arange(count + 1)
    found: NDArray[np.int64] = size * place + np.minimum(place, more)
    return found


def block_medians(values: Values, count: int) -> Values:
    size, more = divmod(values.size, count)
    cut = more * (size + 1)
    first = values[:cut].reshape(more, size + 1)
    rest = values[cut:].reshape(count - more, size)
    return np.concatenate([np.median(each, axis=1) for each in (first, rest) if each.size])


@dataclass(frozen=True, slots=True)
class FittedSeries:
    """A series with the best model of its level, the best of another kind, and one level.

    values: as `comparable` gives them.
    """

    values: Values
    logs: bool
    blocked: BlockedSeries
    best: FittedLevel
    other: FittedLevel
    flat: FittedLevel

    @classmethod
    def of(cls, series: Values) -> FittedSeries | None:
        """None for fewer than `LEAST` values, and for values that are all equal."""
        if series.size < LEAST or series.min() == series.max():
            return None
        values, logs = comparable(series)
        blocked = BlockedSeries.of(values)
        best, *others = fitted_levels(blocked.medians)
        other = next(each for each in others if each.model != best.model)
        flat = next(each for each in (best, *others) if each.model == "flat")
        return cls(values, logs, blocked, best, other, flat)

    @property
    def share(self) -> float:
        """Of the spread of the values, spikes cut off, what the best model explains."""
        spread = float(self.blocked.calm.var())
        return min(float(self.best.fit.var()) / spread, 1.0) if spread else 0.0

    @property
    def moves(self) -> bool:
        """Whether the level moves enough to have a class."""
        return self.best.reach >= EFFECT and self.share >= SHARE


def _deviations(off: Values, count: int) -> Values:
    """Robust standard deviation of each block; that of all values where more than half are 0."""
    middle = block_medians(off, count)
    return np.where(middle > 0, MAD_TO_DEVIATION * middle, MEAN_TO_DEVIATION * off.mean())


# --- rules ------------------------------------------------------------------------------------
def _told(facts: ShapeFacts, blocked: BlockedSeries) -> ShapeFacts:
    """The facts of the level with its shape, fast cycles and spikes."""
    found: dict[Shape, float] = {} if facts.shape == "flat" else {facts.shape: facts.share}
    period, repeats, fast_share = fast_cycles(blocked)
    if period and fast_share >= SHARE:
        found["cycles"] = max(fast_share, found.get("cycles", 0.0))
    spikes = _spikes(blocked)
    if _are_spikes(spikes, facts.n):
        found["spikes"] = 0.0
    return replace(
        facts,
        shape=max(found, key=lambda each: found[each], default="flat"),
        classes=tuple(found) or ("flat",),
        period=period,
        repeats=repeats,
        fast_share=fast_share,
        spikes=spikes,
    )


def _level_facts(fitted: FittedSeries) -> ShapeFacts:
    """What the best model of the level says; its class is the shape, or flat."""
    best, edges = fitted.best, fitted.blocked.edges
    n = fitted.values.size
    return ShapeFacts(
        shape=_level_class(best) if fitted.moves else "flat",
        classes=(),
        n=n,
        logs=fitted.logs,
        block=int(np.diff(edges)[-1]),
        level=best.model,
        margin=fitted.flat.bic - best.bic,
        runner_up=fitted.other.model,
        runner_up_margin=fitted.other.bic - best.bic,
        reach=as_ratio(best.reach, logs=fitted.logs),
        change=as_ratio(float(best.fit[-1] - best.fit[0]), logs=fitted.logs),
        share=fitted.share,
        changes=tuple(int(edges[each]) for each in best.changes),
        length=best.length * n / best.fit.size,
    )


def _level_class(best: FittedLevel) -> Shape:
    """The class of a level that moves."""
    rises = bool(best.fit[-1] > best.fit[0])
    classes: dict[LevelModel, Shape] = {
        "steps": _step_class(best.fit),
        "decay": "decay-up" if rises else "decay-down",
        "drift": "drift-up" if rises else "drift-down",
        "cycles": "cycles",
        "random-walk": "random-walk",
    }
    return classes[best.model]


def _step_class(fit: Values) -> Shape:
    """Of levels that change at once."""
    moves = np.diff(fit)
    up, every = float(moves[moves > 0].sum()), float(np.abs(moves).sum())
    if alternates(fit):
        return "cycles"
    if up >= ONE_WAY * every:
        return "step-up"
    return "step-down" if every - up >= ONE_WAY * every else "steps"


def alternates(fit: Values) -> bool:
    """Whether steps are cycles: two levels that take turns, equally long each time.

    Each block counts to the nearer one of the two. The ends of the series cut off the first and
    the last stay, which are shorter than the others, never longer.
    """
    high = fit > (fit.min() + fit.max()) / 2
    turns = np.flatnonzero(high[1:] != high[:-1])
    if turns.size < FEWEST_ALTERNATIONS:
        return False
    two = np.where(high, np.median(fit[high]), np.median(fit[~high]))
    stays = np.diff([-1, *turns, fit.size - 1])
    even = all(_equally_long(stays[at::2], stays[1:-1][1 - at :: 2]) for at in (0, 1))
    return bool(even and (fit - two).var() <= OFF_TWO_LEVELS * fit.var())


def _equally_long(stays: Values, inner: Values) -> bool:
    """Whether the inner ones differ by less than a quarter, or two blocks; none is longer."""
    about = max(ALTERNATING * inner.mean(), 2.0)
    return bool(np.ptp(inner) <= about and stays.max() <= inner.mean() + about)


def fast_cycles(blocked: BlockedSeries) -> tuple[int, float, float]:
    """Period, autocorrelation there, and share of the spread: cycles shorter than four blocks.

    A period is a lag at which the values are like themselves again after they were not: the
    autocorrelation rises to `REPEATS` or more from a dip. Period 0 where none is.
    """
    calm = blocked.calm
    left = calm - _smooth_level(blocked)
    spread, whole = float(left.var()), float(calm.var())
    most = min(COARSE * (calm.size // blocked.medians.size), calm.size // 4)
    if spread < EFFECT**2 / 16 or most < 3:
        return 0, 0.0, 0.0
    r = correlations(left, most)
    peak = np.flatnonzero((r[1:-1] > r[:-2]) & (r[1:-1] >= r[2:])) + 1
    peak = peak[r[peak] - np.minimum.accumulate(r)[peak] >= DIP]
    if not peak.size:
        return 0, 0.0, 0.0
    repeats = float(r[peak].max())
    period = int(peak[r[peak] >= 0.9 * repeats][0]) if repeats >= REPEATS else 0
    return period, repeats, max(repeats, 0.0) * spread / whole


def _smooth_level(blocked: BlockedSeries) -> Values:
    """The level from one group of `COARSE` blocks to the next, straight between their middles."""
    count = max(blocked.medians.size // COARSE, 1)
    coarse = block_edges(blocked.medians.size, count)
    levels = np.add.reduceat(blocked.medians, coarse[:-1]) / np.diff(coarse)
    edges = blocked.edges[coarse]
    found: Values = np.interp(np.arange(edges[-1]), (edges[:-1] + edges[1:] - 1) / 2, levels)
    return found


def _spikes(blocked: BlockedSeries) -> tuple[int, int]:
    """How many single values lie far above and far below the level around them."""
    limit = np.maximum(SPIKE * blocked.spread, SPIKE_HEIGHT)
    return int((blocked.off > limit).sum()), int((blocked.off < -limit).sum())


def _are_spikes(spikes: tuple[int, int], n: int) -> bool:
    low, high = SPIKE_SHARE
    return sum(spikes) >= FEWEST_SPIKES and low <= sum(spikes) / n <= high
