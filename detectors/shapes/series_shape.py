"""The shape of a series: steps, decay, drift, cycles, spikes, random walk, or flat. Pure.

A series has one shape and may show others beside it: how its level moves (one model, chosen in
`detectors.shapes.level_models`), fast cycles, and spikes. The shape is what explains most of the
spread of its values. Up and down are those of the values as recorded: with times down is faster,
with rates slower. Values above zero are compared by their ratios, so that x and 1/x have the same
shape, one up where the other is down; docs/guide/shapes.md states the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values, as_series
from detectors.intervals.autocorrelation import correlations
from detectors.shapes.level_models import FittedLevel, LevelModel, fitted_levels_of_rows

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
    return shapes_of_rows([series], FittedSeries.of_rows([series]))[0]


def shapes_of_rows(
    all_series: Sequence[Values], fits: Sequence[FittedSeries | None]
) -> list[ShapeFacts]:
    """The shape of each series of one length, with what `FittedSeries.of_rows` gives for them."""
    fitted_series = [fit for fit in fits if fit is not None]
    cycles = iter(fast_cycles([fit.blocked for fit in fitted_series]) if fitted_series else ())
    return [
        _shape_facts(_level_facts(fit), fit.blocked, next(cycles)) if fit else _untold_facts(series)
        for series, fit in zip(all_series, fits, strict=True)
    ]


def _untold_facts(series: Values) -> ShapeFacts:
    name: Shape = "short" if series.size < LEAST else "flat"
    return ShapeFacts(name, (name,), series.size)


def comparable_values(series: Values) -> tuple[Values, bool]:
    """Values whose differences are changes in ratio, and True: logarithms, if all are above 0.

    Else the values as multiples of their median distance from 0, and False.
    """
    if series.min() > 0:
        return np.log(series), True
    scaled_values, _ = scaled_to_range(series)
    sizes = np.abs(scaled_values)
    unit = max(float(np.median(sizes)), float(sizes.max()) / LARGEST)
    return scaled_values / (unit or 1.0), False


def as_ratio(difference: float, *, logs: bool) -> float:
    """A difference of two `comparable_values` as a share: 0.1 is 10 % more. Never infinite."""
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
    def of_rows(cls, rows: Values) -> list[BlockedSeries]:
        """The blocks of each row of `rows`, float64 (series, values)."""
        n = rows.shape[1]
        count = min(MOST_BLOCKS, n // LEAST_BLOCK)
        edges = block_edges(n, count)
        sizes = np.diff(edges)
        medians = block_medians(rows, count)
        medians_before, medians_after = _neighbours(medians)
        level = np.repeat(medians, sizes, axis=1)
        deviations = rows - level
        for neighbour_medians in (medians_before, medians_after):
            neighbour_deviations = rows - np.repeat(neighbour_medians, sizes, axis=1)
            deviations = np.where(
                np.abs(neighbour_deviations) < np.abs(deviations), neighbour_deviations, deviations
            )
        block_deviations = _deviations(np.abs(deviations), count)
        wide_deviations = np.max([block_deviations, *_neighbours(block_deviations)], axis=0)
        spread = np.repeat(
            np.maximum(wide_deviations, np.median(block_deviations, axis=1)[:, None]), sizes, axis=1
        )
        calm_rows = level + np.clip(deviations, -SPIKE * spread, SPIKE * spread)
        return [
            cls(edges, *parts) for parts in zip(medians, deviations, spread, calm_rows, strict=True)
        ]


def _neighbours(rows: Values) -> tuple[Values, Values]:
    """Values before and after each of a row; at the ends the value itself."""
    return np.c_[rows[:, :1], rows[:, :-1]], np.c_[rows[:, 1:], rows[:, -1:]]


def block_edges(n: int, count: int) -> NDArray[np.int64]:
    """The first blocks have one value more where n is no multiple."""
    size, longer_count = divmod(n, count)
    edge_indices = np.arange(count + 1)
    edges: NDArray[np.int64] = size * edge_indices + np.minimum(edge_indices, longer_count)
    return edges


def block_medians(rows: Values, count: int) -> Values:
    """The medians of `count` blocks of each row, float64 (series, count)."""
    size, longer_count = divmod(rows.shape[1], count)
    longer_end = longer_count * (size + 1)
    first = rows[:, :longer_end].reshape(len(rows), longer_count, size + 1)
    smaller_blocks = rows[:, longer_end:].reshape(len(rows), count - longer_count, size)
    parts = [np.median(blocks, axis=2) for blocks in (first, smaller_blocks) if blocks.size]
    return np.concatenate(parts, axis=1)


@dataclass(frozen=True, slots=True)
class FittedSeries:
    """A series with the best model of its level, the best of another kind, and one level.

    values: as `comparable_values` gives them. share: of the spread of the values, spikes cut off,
    what the best model explains.
    """

    values: Values
    logs: bool
    blocked: BlockedSeries
    best: FittedLevel
    other: FittedLevel
    flat: FittedLevel
    share: float

    @classmethod
    def of_rows(cls, all_series: Sequence[Values]) -> list[FittedSeries | None]:
        """Each of several series of one length.

        None for fewer than `LEAST` values, and for values that are all equal.
        """
        fits: list[FittedSeries | None] = [None] * len(all_series)
        fittable_indices = [
            series_index for series_index, series in enumerate(all_series) if is_told(series)
        ]
        if not fittable_indices:
            return fits
        values = [comparable_values(all_series[series_index]) for series_index in fittable_indices]
        all_blocks = BlockedSeries.of_rows(np.array([series for series, _ in values]))
        levels = fitted_levels_of_rows(
            np.array([blocked_series.medians for blocked_series in all_blocks])
        )
        parts = zip(fittable_indices, values, all_blocks, levels, strict=True)
        for series_index, (series, logs), blocks, ranked_levels in parts:
            fits[series_index] = cls._of(series, logs, blocks, ranked_levels)
        return fits

    @classmethod
    def _of(
        cls,
        values: Values,
        logs: bool,  # noqa: FBT001  # a field
        blocked_series: BlockedSeries,
        ranked_levels: Sequence[FittedLevel],
    ) -> FittedSeries:
        best_level = ranked_levels[0]
        other_level = next(fit for fit in ranked_levels if fit.model != best_level.model)
        flat_level = next(fit for fit in ranked_levels if fit.model == "flat")
        spread = float(blocked_series.calm.var())
        share = min(float(best_level.fit.var()) / spread, 1.0) if spread else 0.0
        return cls(values, logs, blocked_series, best_level, other_level, flat_level, share)

    @property
    def moves(self) -> bool:
        """True where the level moves enough to have a class."""
        return self.best.reach >= EFFECT and self.share >= SHARE


def is_told(series: Values) -> bool:
    """True where a series has a shape that must be looked for."""
    return series.size >= LEAST and bool(series.min() != series.max())


def _deviations(deviations: Values, count: int) -> Values:
    """Robust standard deviation of each block; that of all values where more than half are 0."""
    middle = block_medians(deviations, count)
    mean = MEAN_TO_DEVIATION * deviations.mean(axis=1)[:, None]
    return np.where(middle > 0, MAD_TO_DEVIATION * middle, mean)


# --- rules ------------------------------------------------------------------------------------
def _shape_facts(
    level_facts: ShapeFacts, blocked_series: BlockedSeries, cycles: tuple[int, float, float]
) -> ShapeFacts:
    """The facts of the level with its shape, fast cycles and spikes."""
    shares: dict[Shape, float] = (
        {} if level_facts.shape == "flat" else {level_facts.shape: level_facts.share}
    )
    period, repetition, fast_share = cycles
    if period and fast_share >= SHARE:
        shares["cycles"] = max(fast_share, shares.get("cycles", 0.0))
    limit = np.maximum(SPIKE * blocked_series.spread, SPIKE_HEIGHT)
    spikes = int((blocked_series.off > limit).sum()), int((blocked_series.off < -limit).sum())
    low, high = SPIKE_SHARE
    if sum(spikes) >= FEWEST_SPIKES and low <= sum(spikes) / level_facts.n <= high:
        shares["spikes"] = 0.0
    return replace(
        level_facts,
        shape=max(shares, key=lambda shape: shares[shape], default="flat"),
        classes=tuple(shares) or ("flat",),
        period=period,
        repeats=repetition,
        fast_share=fast_share,
        spikes=spikes,
    )


def _level_facts(fit: FittedSeries) -> ShapeFacts:
    """Facts of the best model of the level; its class is the shape, or flat."""
    best_level, edges = fit.best, fit.blocked.edges
    n = fit.values.size
    return ShapeFacts(
        shape=_level_class(best_level) if fit.moves else "flat",
        classes=(),
        n=n,
        logs=fit.logs,
        block=int(np.diff(edges)[-1]),
        level=best_level.model,
        margin=fit.flat.bic - best_level.bic,
        runner_up=fit.other.model,
        runner_up_margin=fit.other.bic - best_level.bic,
        reach=as_ratio(best_level.reach, logs=fit.logs),
        change=as_ratio(float(best_level.fit[-1] - best_level.fit[0]), logs=fit.logs),
        share=fit.share,
        changes=tuple(int(edges[change]) for change in best_level.changes),
        length=best_level.length * n / best_level.fit.size,
    )


def _level_class(best_level: FittedLevel) -> Shape:
    """The class of a level that moves."""
    rises = bool(best_level.fit[-1] > best_level.fit[0])
    classes: dict[LevelModel, Shape] = {
        "steps": _step_class(best_level.fit),
        "decay": "decay-up" if rises else "decay-down",
        "drift": "drift-up" if rises else "drift-down",
        "cycles": "cycles",
        "random-walk": "random-walk",
    }
    return classes[best_level.model]


def _step_class(fit: Values) -> Shape:
    """Class of levels that change at once."""
    level_moves = np.diff(fit)
    rise_sum, move_sum = (
        float(level_moves[level_moves > 0].sum()),
        float(np.abs(level_moves).sum()),
    )
    if is_alternating(fit):
        return "cycles"
    if rise_sum >= ONE_WAY * move_sum:
        return "step-up"
    return "step-down" if move_sum - rise_sum >= ONE_WAY * move_sum else "steps"


def is_alternating(fit: Values) -> bool:
    """True where steps are cycles: two levels that take turns, equally long each time.

    Each block counts to the nearer one of the two. The ends of the series cut off the first and
    the last stay, which are shorter than the others, never longer.
    """
    high = fit > (fit.min() + fit.max()) / 2
    turns = np.flatnonzero(high[1:] != high[:-1])
    if turns.size < FEWEST_ALTERNATIONS:
        return False
    two_levels = np.where(high, np.median(fit[high]), np.median(fit[~high]))
    stay_lengths = np.diff([-1, *turns, fit.size - 1])
    are_even = all(
        _are_equally_long(stay_lengths[parity::2], stay_lengths[1:-1][1 - parity :: 2])
        for parity in (0, 1)
    )
    return bool(are_even and (fit - two_levels).var() <= OFF_TWO_LEVELS * fit.var())


def _are_equally_long(stay_lengths: Values, inner_lengths: Values) -> bool:
    """True where the inner stays differ by less than a quarter, or two blocks; none is longer."""
    tolerance = max(ALTERNATING * inner_lengths.mean(), 2.0)
    return bool(
        np.ptp(inner_lengths) <= tolerance
        and stay_lengths.max() <= inner_lengths.mean() + tolerance
    )


def fast_cycles(all_blocks: Sequence[BlockedSeries]) -> list[tuple[int, float, float]]:
    """Period, autocorrelation there, and share of the spread: cycles shorter than four blocks.

    Of each of several series of one length. A period is a lag at which the values are like
    themselves again after they were not: the autocorrelation rises to `REPEATS` or more from a
    dip. Period 0 where none is.
    """
    cycles = [(0, 0.0, 0.0)] * len(all_blocks)
    n, blocks = all_blocks[0].calm.size, all_blocks[0].medians.size
    most_period = min(COARSE * (n // blocks), n // 4)
    calm_rows = np.array([blocked_series.calm for blocked_series in all_blocks])
    unexplained_rows = calm_rows - np.array(
        [_smooth_level(blocked_series) for blocked_series in all_blocks]
    )
    spread, total_spread = unexplained_rows.var(axis=1), calm_rows.var(axis=1)
    spread_indices = np.flatnonzero(spread >= EFFECT**2 / 16)
    if most_period >= 3 and spread_indices.size:
        shares = (spread[spread_indices] / total_spread[spread_indices]).tolist()
        rows = correlations(unexplained_rows[spread_indices], most_period)
        for row_index, share, r in zip(spread_indices.tolist(), shares, rows, strict=True):
            cycles[row_index] = _period(r, share)
    return cycles


def _period(r: Values, share: float) -> tuple[int, float, float]:
    """The period in autocorrelations r_0 …, of what has `share` of the spread."""
    peak = np.flatnonzero((r[1:-1] > r[:-2]) & (r[1:-1] >= r[2:])) + 1
    if peak.size:
        peak = peak[r[peak] - np.minimum.accumulate(r)[peak] >= DIP]
    if not peak.size:
        return 0, 0.0, 0.0
    repetition = float(r[peak].max())
    period = int(peak[r[peak] >= 0.9 * repetition][0]) if repetition >= REPEATS else 0
    return period, repetition, max(repetition, 0.0) * share


def _smooth_level(blocked_series: BlockedSeries) -> Values:
    """The level from one group of `COARSE` blocks to the next, straight between their middles."""
    count = max(blocked_series.medians.size // COARSE, 1)
    coarse_edges = block_edges(blocked_series.medians.size, count)
    levels = np.add.reduceat(blocked_series.medians, coarse_edges[:-1]) / np.diff(coarse_edges)
    edges = blocked_series.edges[coarse_edges]
    smooth_level: Values = np.interp(np.arange(edges[-1]), (edges[:-1] + edges[1:] - 1) / 2, levels)
    return smooth_level
