"""A whole series as the forests of `plateau` see it: positions of a grid, and its steps.

A row of 78 features belongs to each position; a step has 12 more. Positions scale with the length,
in units of n / 3000. Values are read as distances from the median of the second half, in units of
the range of the middle 96 % (`centre_by_range`), so that neither unit nor offset matters; of more
than 3,000 values, medians of equal pieces are looked at. All windows of one length are sorted at
once by NumPy, and wide windows are those of the medians of 300 pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.place_features import (
    running_medians,
    shares_far,
    sorted_quantiles,
    step_rows,
    step_strengths,
)
from detectors.panel.panel_grid import GRID, NEARNESS_REACH, grid_places
from detectors.stories.plain_story import Story, read_story

Places = NDArray[np.int64]

FEATURES: Final = 78
SERIES: Final = slice(48, 78)  # features of the series alone
LOOKED_AT: Final = 3000  # values, or medians of pieces, that are looked at; up to twice as many
GRAIN: Final = 128  # parts of a series, of which what is left over at its end is not looked at
LEAST_GRAIN: Final = 4  # values, or medians of pieces, that a part has at least
BLOCKS: Final = 150
PIECES: Final = 300
WINDOWS: Final = (10, 30, 100, 200, 500)  # values on either side of a position
SCATTER: Final = 100  # the window whose scatter counts
MAD: Final = 0.954  # median distance of two standard normal values
TINY, SMALL = 1e-6, 1e-9
SHORT, MIDDLE, LONG = (20, 3), (80, 5), (200, 20)  # values beside a step, and the fewest
USUAL: Final = slice(200, -80, 20)  # places whose median strength is the usual one
WITHIN: Final = 1e-6  # iterations: keeps a position from being rounded down to the one before
STEPS_OF_RANGE: Final = 2.0**20  # to which values are rounded: an offset changes the last bits
MOST: Final = 2.0**30  # ranges: a value farther off the level is taken as this far


@dataclass(frozen=True, eq=False)
class SeriesFeatures:
    """Features of n values; steps only once they are asked for.

    story: the plain one.
    """

    n: int
    size: int
    seen: LookedAtSeries
    story: Story

    @classmethod
    def from_values(cls, values: Values) -> SeriesFeatures:
        """Features of at least 10 values."""
        y, size = looked_at(values)
        return cls(
            values.size, size, LookedAtSeries.from_values(centre_by_range(y)), read_story(values)
        )

    @cached_property
    def rows(self) -> Values:
        """(64, 78), a position of the grid each; two may be one place in a short series."""
        grid = grid_places(GRID, self.seen.y.size)
        if "_steps" not in vars(self):
            return fit_to_grid(self.seen.rows(grid))
        iterations, steps = self._steps  # the same rows are among them
        return fit_to_grid(steps[np.searchsorted(iterations, grid * self.size), :FEATURES])

    @property
    def candidates(self) -> Places:
        """(k,) iterations that an answer may be, rising."""
        return self._steps[0]

    @property
    def steps(self) -> Values:
        """(k, 90): the 78 features there and the 12 of the step."""
        return self._steps[1]

    @cached_property
    def _steps(self) -> tuple[Places, Values]:
        y, grid = self.seen.y, grid_places(GRID, self.seen.y.size)
        strengths = StepStrengths.from_values(y)
        places_of_steps = np.unique(np.concatenate((grid, *strengths.tops)))
        return places_of_steps * self.size, np.column_stack(
            [self.seen.rows(places_of_steps), strengths.rows(places_of_steps)]
        )

    def mean_errors(self, cdf: Values) -> Values:
        """Mean distance of an answer with this distribution on the grid from each of `candidates`.

        In iterations of a series of 3,000. Between two positions the distribution rises with the
        logarithm; it is 0 at the first iteration and 1 behind the last.
        """
        scaled_places = self.candidates * (3000 / self.n)
        cdf_values = np.interp(np.log(scaled_places), np.log(GRID), np.clip(cdf, 0, 1))
        x, share = np.r_[0.0, scaled_places, 3000.0], np.r_[0.0, cdf_values, 1.0]
        width, height = np.diff(x), (share[1:] + share[:-1]) / 2
        area_before = np.cumsum(width * height)[:-1]  # the answer lies before, by so much
        area_behind = np.cumsum((width * (1 - height))[::-1])[::-1][1:]
        total: Values = area_before + area_behind
        return total

    def mean_nearness(self, near: Values) -> Values:
        """Mean of the nearness at `candidates` about each of them; 1/e of weight after the reach.

        What people call the same place is wider than one candidate, and the forests' errors differ
        from one to the next.
        """
        growth = np.exp(self.candidates * (3000 / self.n) / NEARNESS_REACH)

        def weighted_sums(values: Values) -> Values:
            sums_before = np.cumsum(values * growth) / growth
            sums_behind = from_behind(values / growth, np.cumsum) * growth
            sums: Values = sums_before + sums_behind - values  # the candidate itself is in both
            return sums

        means: Values = weighted_sums(near) / weighted_sums(np.ones(near.size))
        return means

    def nearest(self, iteration: int) -> int:
        """The position of the grid next to an iteration."""
        return int(np.abs(grid_places(GRID, self.n) - iteration).argmin())


def grid_rows(values: Values) -> Values:
    """(64, 78): features at the positions of the grid, of at least 10 values."""
    looked_at_series = LookedAtSeries.from_values(centre_by_range(looked_at(values)[0]))
    return fit_to_grid(looked_at_series.rows(grid_places(GRID, looked_at_series.y.size)))


def fit_to_grid(rows: Values) -> Values:
    """Rows of the places of the grid, with its positions as they are in 3,000 values."""
    rows[:, 0], rows[:, 1] = GRID, np.log(GRID)
    return rows


def looked_at(values: Values) -> tuple[Values, int]:
    """Values or medians of pieces, and the size of a piece.

    What is left over at the end is less than a 128th of a series of 512 values or more. Of round
    lengths some is, so that neither a value more nor one less changes where windows lie.
    """
    size = max(1, values.size // LOOKED_AT)
    grain = size * max(LEAST_GRAIN, 1 << max(0, (values.size // size // GRAIN).bit_length() - 1))
    trimmed_values = values[: values.size - (values.size + grain // 4) % grain]
    if size == 1:
        return trimmed_values, 1
    return np.median(trimmed_values.reshape(-1, size) / 2, axis=1), size  # any unit will do


def centre_by_range(x: Values) -> Values:
    """Distances from the median of the second half, in ranges of the middle 96 % of all values.

    Rounded, so that values with an offset give the same bits. 0 where all values are equal.
    """
    quarters = x / 4  # the distance of the largest numbers is finite
    deviations = quarters - median(quarters[x.size // 2 :])
    sorted_distances = np.sort(deviations)
    width = float(sorted_quantile(sorted_distances, 0.98) - sorted_quantile(sorted_distances, 0.02))
    width = width or float(sorted_distances[-1] - sorted_distances[0])
    if not width:
        return np.zeros(x.size)
    with np.errstate(over="ignore"):
        ranges = np.clip(deviations / width, -MOST, MOST)
    return np.rint(ranges * STEPS_OF_RANGE) / STEPS_OF_RANGE + 0.0  # of -0, too


# --- windows, sorted ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class SortedWindows:
    """Rows of values in rising order, each with `counts` values; what follows is infinite."""

    values: Values
    counts: Places

    def quantiles(self, *shares: float) -> Values:
        """(shares, rows): linear, as NumPy has them."""
        return sorted_quantiles(self.values, self.counts, np.array(shares))


def sorted_quantile(sorted_values: Values, share: float) -> Values:
    """Quantile along the last axis of sorted values, linear."""
    position = (sorted_values.shape[-1] - 1) * share
    lower = int(position)
    upper = min(lower + 1, sorted_values.shape[-1] - 1)
    quantiles: Values = sorted_values[..., lower] * (1 - position + lower) + sorted_values[
        ..., upper
    ] * (position - lower)
    return quantiles


def median(values: Values) -> float:
    """Median without the checks of NumPy's, which take longer than sorting."""
    return float(sorted_quantile(np.sort(values), 0.5))


def from_behind(values: Values, accumulate: Callable[[Values], Values]) -> Values:
    return accumulate(values[::-1])[::-1]


# --- features of positions ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Medians, 90 % and 10 % quantiles of 150 blocks."""

    levels: Values
    high: Values
    low: Values

    @classmethod
    def from_values(cls, y: Values) -> Blocks:
        size = max(1, y.size // BLOCKS)
        first = np.arange(BLOCKS) * y.size // BLOCKS
        sorted_blocks = np.sort(y[first[:, None] + np.arange(size)], axis=1)
        return cls(*(sorted_quantile(sorted_blocks, share) for share in (0.5, 0.9, 0.1)))


@dataclass(frozen=True, slots=True)
class Scales:
    """Units in which features are measured.

    s: spread of neighbours in the second half; bn: of blocks there. rng: of all values; r98: of
    those between q2 and q98. br: of blocks. iq: quartile range of the second half.
    """

    s: float
    bn: float
    rng: float
    r98: float
    br: float
    iq: float
    q2: float
    q98: float

    @classmethod
    def from_values(cls, y: Values, levels: Values) -> Scales:
        sorted_values, later_values = np.sort(y), np.sort(y[y.size // 2 :])
        q2, q98 = (float(sorted_quantile(sorted_values, share)) for share in (0.02, 0.98))
        return cls(
            median(np.abs(np.diff(y[y.size // 2 :]))) / MAD + TINY,
            median(np.abs(np.diff(levels[BLOCKS // 2 :]))) / MAD + TINY,
            float(sorted_values[-1] - sorted_values[0]) + SMALL,
            q98 - q2 + SMALL,
            float(np.ptp(levels)) + SMALL,
            float(sorted_quantile(later_values, 0.75) - sorted_quantile(later_values, 0.25)),
            q2,
            q98,
        )


@dataclass(frozen=True, slots=True, eq=False)
class LookedAtSeries:
    """Values of `centre_by_range` with what the features of every position share."""

    y: Values
    blocks: Blocks
    unit: Scales
    own: Values

    @classmethod
    def from_values(cls, y: Values) -> LookedAtSeries:
        blocks = Blocks.from_values(y)
        unit = Scales.from_values(y, blocks.levels)
        return cls(y, blocks, unit, _series_features(y, blocks, unit))

    def rows(self, iterations: Places) -> Values:
        """A row of 78 features for each of the iterations `iterations`."""
        y, blocks, unit = self.y, self.blocks, self.unit
        features = np.empty((iterations.size, FEATURES))
        features[:, 0] = (iterations + WITHIN) / (y.size / 3000)
        features[:, 1] = np.log(features[:, 0])
        block = np.minimum(BLOCKS - 2, iterations * BLOCKS // y.size + 1)
        level, earlier_levels = _levels_after_and_before(y, iterations, blocks.levels, block)
        _fill_later(blocks, block, level, unit, features)
        features[:, 8] = (from_behind(y, np.maximum.accumulate)[iterations] - level) / unit.rng
        _fill_around(y, iterations, level, unit, features)
        change = earlier_levels - level
        features[:, 38], features[:, 39], features[:, 40] = (
            change / unit.bn,
            change / unit.r98,
            change / unit.rng,
        )
        _block_steps(blocks.levels, block, unit, features)
        features[:, SERIES] = self.own
        return features


def _fill_later(
    blocks: Blocks, block: Places, level: Values, unit: Scales, features: Values
) -> None:
    """Features 2 to 12 but 8: how the later blocks differ from their own median."""
    highest = from_behind(blocks.levels, np.maximum.accumulate)[block]
    lowest_levels = from_behind(blocks.levels, np.minimum.accumulate)[block]
    up, down = highest - level, level - lowest_levels
    features[:, 2], features[:, 3], features[:, 4], features[:, 5] = (
        up / unit.bn,
        down / unit.bn,
        up / unit.r98,
        down / unit.r98,
    )
    features[:, 6], features[:, 7] = up / unit.s, down / unit.s
    far_limits = np.array([3 * unit.bn, 0.05 * unit.r98])
    features[:, 9], features[:, 10] = shares_far(blocks.levels, block, level, far_limits)
    features[:, 11] = (from_behind(blocks.high, np.maximum.accumulate)[block] - level) / unit.r98
    features[:, 12] = (level - from_behind(blocks.low, np.minimum.accumulate)[block]) / unit.r98


def _fill_around(
    y: Values, iterations: Places, level: Values, unit: Scales, features: Values
) -> None:
    """Features 13 to 37, levels of windows before and after, and 41 to 44, their scatter."""
    n = y.size
    size = max(1, n // PIECES)
    pieces = sorted_quantile(np.sort(y[: n - n % size].reshape(-1, size), axis=1), 0.5)
    piece_indices = np.clip((iterations + size // 2) // size, 1, pieces.size - 1)
    medians = []
    for length in WINDOWS:
        width = max(2, int(length * n / 3000))
        if length > SCATTER:  # windows of many values: medians of pieces say the same
            windows = windows_beside(pieces, piece_indices, max(1, round(width / size)))
        else:
            windows = windows_beside(y, iterations, width)
        medians.append(windows.quantiles(0.5))
        if length == SCATTER:
            _scatter_beside(windows, unit, features)
    _levels_beside(*halves(np.concatenate(medians)), level, unit, features)


def windows_beside(y: Values, iterations: Places, width: int) -> SortedWindows:
    """Up to `width` values before each place, then up to as many from each place on."""
    outer_values = np.full(width, np.inf)
    padded_values = np.concatenate((outer_values, y, outer_values))
    windows = as_strided(
        padded_values, (padded_values.size - width + 1, width), padded_values.strides * 2
    )
    window_values = windows[np.concatenate((iterations, iterations + width))]
    window_values.sort(axis=1)
    counts = np.concatenate((np.minimum(iterations, width), np.minimum(y.size - iterations, width)))
    return SortedWindows(window_values, counts)


def halves(values: Values) -> tuple[Values, Values]:
    """First and second half of the columns, as `beside` makes them."""
    count = values.shape[1] // 2
    return values[:, :count], values[:, count:]


def _levels_beside(
    levels_before: Values, levels_after: Values, level: Values, unit: Scales, features: Values
) -> None:
    """Features 13 to 37, five of each window, from levels (windows, places)."""
    fall, remaining_steps = (levels_before - levels_after).T, (levels_after - level).T
    columns = features[:, 13:38].reshape(level.size, len(WINDOWS), 5)
    columns[..., 0], columns[..., 1], columns[..., 2] = (
        fall / unit.s,
        fall / unit.rng,
        fall / unit.r98,
    )
    columns[..., 3], columns[..., 4] = remaining_steps / unit.bn, remaining_steps / unit.r98


def _scatter_beside(windows: SortedWindows, unit: Scales, features: Values) -> None:
    quantiles_before, quantiles_after = halves(windows.quantiles(0.1, 0.9, 0.98, 1.0))
    spreads_before, spreads_after = (
        quantiles_before[1] - quantiles_before[0],
        quantiles_after[1] - quantiles_after[0],
    )
    features[:, 41] = np.log((spreads_before + TINY) / (spreads_after + TINY))
    features[:, 42] = spreads_before / unit.r98
    features[:, 43] = (quantiles_before[2] - quantiles_after[2]) / unit.r98
    features[:, 44] = (quantiles_before[3] - quantiles_after[3]) / unit.rng


def _levels_after_and_before(
    y: Values, iterations: Places, levels: Values, block: Places
) -> tuple[Values, Values]:
    """Medians of the blocks from `block` on, and of all values before each place.

    From the sixth block on, the median of the blocks before stands for that of the values.
    """
    medians_after = running_medians(levels[::-1].copy())[::-1]
    count = (iterations * BLOCKS + y.size // 2) // y.size
    earlier_medians = running_medians(levels)[np.maximum(count, 1) - 1]
    few_count = 5 * y.size // BLOCKS
    is_early = iterations <= few_count
    earlier_medians[is_early] = running_medians(y[:few_count])[iterations[is_early] - 1]
    return medians_after[block], earlier_medians


def _block_steps(levels: Values, block: Places, unit: Scales, features: Values) -> None:
    """Features 45 to 47: the greatest distance of three blocks from the next three."""
    sums = np.append(0.0, np.cumsum(levels))
    steps = np.zeros(BLOCKS + 1)
    steps[3 : BLOCKS - 3] = np.abs(2 * sums[3:-4] - sums[:-7] - sums[6:-1])[: BLOCKS - 6] / 3
    later_steps = from_behind(steps, np.maximum.accumulate)[block + 1]
    earlier_steps = np.maximum.accumulate(steps)[block]
    features[:, 45], features[:, 46], features[:, 47] = (
        later_steps / unit.bn,
        earlier_steps / unit.bn,
        later_steps / unit.r98,
    )


def _series_features(y: Values, blocks: Blocks, unit: Scales) -> Values:
    """Features 48 to 77, which belong to the series alone."""
    n, sc, h = y.size, y.size / 3000, y.size // 2
    first = [y[: max(3, int(k * sc))] for k in (10, 50, 150)]
    ends = (int(150 * sc), int(450 * sc), int(1000 * sc), h)
    phases = [y[a:b] for a, b in pairwise(ends)]
    fall = median(y[h : h + n // 4]) - median(y[h + n // 4 :])
    levels = blocks.levels
    far_limits = (4 * unit.bn, 10 * unit.bn, 0.05 * unit.r98, 0.1 * unit.br)
    last = [20.0 * max(np.flatnonzero(np.abs(levels) > limit), default=0) for limit in far_limits]
    z = np.clip(y, unit.q2, unit.q98)
    sums = np.cumsum(z - z.mean())
    scale = n * (float(z.std()) + SMALL)
    high, low = int(sums.argmax()), int(sums.argmin())
    return np.array(
        [
            *np.log([unit.s, unit.bn, unit.rng, unit.bn / unit.s, unit.br, unit.iq + TINY]),
            y[0],
            *(median(values) for values in (*first, *phases)),
            fall,
            fall / unit.bn,
            (levels > 3 * unit.bn).mean(),
            (levels < -3 * unit.bn).mean(),
            (np.abs(levels) > 0.1 * unit.r98).mean(),
            *last,
            high / sc,
            sums[high] / scale,
            low / sc,
            sums[low] / scale,
            (y > 0.5 * unit.rng).mean(),
            (np.abs(z) > 3 * unit.s).mean(),
            y.argmax() / sc,
            median(blocks.high - blocks.low) / unit.bn,
        ]
    )


# --- steps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class StepStrengths:
    """Strength of a step at each iteration, with windows of three lengths, and the strongest."""

    short: Values
    middle: Values
    long: Values
    tops: tuple[Places, Places]  # of the middle ones, and of the short ones

    @classmethod
    def from_values(cls, y: Values) -> StepStrengths:
        sums = np.append(0.0, np.cumsum(medians_of_five(np.arcsinh(y))))
        short, middle, long = (step_strengths(sums, *window) for window in (SHORT, MIDDLE, LONG))
        n = y.size
        tops = (
            strongest_steps(middle, 30, MIDDLE[1], n - 60, 24),
            strongest_steps(short, 10, SHORT[1], n - 30, 16),
        )
        return cls(short, middle, long, tops)

    def rows(self, steps: Places) -> Values:
        """(k, 12) features of the step at each of `steps`."""
        usual_strengths = (
            usual_strength(strengths) + SMALL for strengths in (self.short, self.middle)
        )
        rows = step_rows(steps, self.tops, self.short, self.middle, self.long, *usual_strengths)
        return np.column_stack([rows, np.log(self.middle[steps] + TINY)])


def medians_of_five(values: Values) -> Values:
    """Median of the five values around each; the ends mirrored."""
    if values.size < 5:
        return values
    padded_values = np.concatenate([values[2:0:-1], values, values[-2:-4:-1]])
    a, b, c, d, e = (padded_values[k : k + values.size] for k in range(5))
    low = np.maximum(np.minimum(a, b), np.minimum(d, e))
    high = np.minimum(np.maximum(a, b), np.maximum(d, e))
    medians: Values = np.maximum(np.minimum(low, high), np.minimum(np.maximum(low, high), c))
    return medians


def strongest_steps(
    strength: Values, least_distance: int, first: int, last: int, most_steps: int
) -> Places:
    """Up to `most_steps` places in [first, last), strongest first, `least_distance` apart."""
    inner_strength = strength[1:-1]
    tops = 1 + np.flatnonzero(
        (inner_strength > 0) & (inner_strength >= strength[:-2]) & (inner_strength > strength[2:])
    )
    tops = tops[(tops >= first) & (tops < last)]
    order = np.argsort(-strength[tops], kind="stable")
    ranks = np.empty(tops.size + 1, dtype=np.int64)
    ranks[order], ranks[-1] = np.arange(tops.size), tops.size
    near_starts = np.searchsorted(tops, tops - least_distance)
    near_ends = np.searchsorted(tops, tops + least_distance, side="right")
    least_ranks = np.minimum.reduceat(ranks, np.ravel((near_starts, near_ends), order="F"))[::2]
    strongest_indices = order[: 8 * most_steps]
    strongest_tops: Places = tops[
        strongest_indices[(least_ranks == ranks[:-1])[strongest_indices]][:most_steps]
    ]
    return strongest_tops


def usual_strength(strength: Values) -> float:
    """Median strength of every 20th place; infinite where there is none."""
    inner_strength = strength[USUAL]
    return median(inner_strength) if inner_strength.size else np.inf
