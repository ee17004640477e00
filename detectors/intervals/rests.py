"""Number of dependent values of each rest of a series that are worth one independent value.

The rest after start s are the values s, s + 1, … n - 1, about their own mean. Their products at one
lag are a sum from s to the end of products that do not depend on s, and a correction by the mean:
so one pass over the series serves every start. docs/design/MATH.md, section 10.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels import rests as kernels

Indices = NDArray[np.int64]

LAGS: Final = 64  # that are tried first; the sums of most series end before


class Rests:
    """The rests after `starts` (ascending), each with a value at least.

    counts      how many values each has
    squares     their squared deviations from their mean, summed; exactly 0 where all are equal
    deviations  of the values from a level that no longer rest is far from
    sums        of the deviations from each place on, and 0
    """

    def __init__(self, values: Values, starts: Indices) -> None:
        # The last tenth is part of every longer rest, so that little cancels about its mean.
        self.deviations: Values = values - values[-max(values.size // 10, 1) :].mean()
        self.sums = np.append(np.cumsum(self.deviations[::-1])[::-1], 0.0)
        self._products = np.cumsum(self.deviations[::-1] ** 2)[::-1]
        changes = np.flatnonzero(values[1:] != values[:-1])
        self._last_change = changes[-1] if changes.size else -1
        self.judge(starts)

    def after(self, starts: Indices) -> Rests:
        """Build the rests after other starts."""
        rests = copy(self)
        rests.judge(starts)
        return rests

    def judge(self, starts: Indices) -> None:
        """Make these the rests."""
        self.starts, self.counts = starts, self.deviations.size - starts
        self.means = self.sums[starts] / self.counts
        squares = self._products[starts] - self.counts * self.means**2
        self.squares = np.where(starts > self._last_change, 0.0, np.maximum(squares, 0.0))

    @property
    def arrays(self) -> kernels.RestArrays:
        return self.deviations, self.sums, self.starts, self.squares


@dataclass(frozen=True, slots=True)
class LagSum:
    """Weights of autocorrelations r in 1 + 2 (w_1 r_1 + w_2 r_2 + …), and the end of the sum.

    stops     before the first r <= 0 at a lag of at least so many
    left      before a lag at which fewer products than this are left
    spread    lags 1, 2, 4, 7, 11, … weighted by the distance from the one before; else all, by 1
    tapered   a product is divided by its number of values twice: r (1 - lag / values)
    """

    stops: Indices | int
    left: int = 1
    spread: bool = False
    tapered: bool = False

    def lags(self, number: int) -> kernels.LagArrays:
        """The first so many lags, their weights, and by how much they are tapered off."""
        weights = np.ones(number)
        if self.spread:
            weights = np.arange(1.0, number + 1)
        lags = 1 + np.r_[0, np.cumsum(weights)[:-1]].astype(np.int64)
        return lags, weights, lags * float(self.tapered)


class SharedTail:
    """Products of the values that every rest ends with, for a search that narrows down.

    The next starts are between some of the last ones: what comes after these is summed once.
    """

    def __init__(self, n: int) -> None:
        self.begin, self.products, self._kept = n, np.zeros(LAGS), np.empty((0, LAGS))

    def row_for_each(self, starts: Indices) -> Values:
        self._kept = np.empty((starts.size, self.products.size))
        return self._kept

    def end_at(self, start: int, row_index: int) -> None:
        """No later start than the one of that number is asked about any more."""
        if row_index < len(self._kept):
            self.begin, self.products = start, self._kept[row_index]

    def add_lags(self, lag_count: int, n: int) -> None:
        """So many lags, of which nothing is known yet."""
        self.begin, self.products = n, np.zeros(lag_count)


def inefficiencies(
    rests: Rests, rule: LagSum, scale: Values | None = None, tail: SharedTail | None = None
) -> Values:
    """Values of each rest that are worth one independent value, at least 1; float64 (starts,).

    1 for a rest of equal values. With `scale` only the least ``scale * g`` matters: where another
    start is better for certain, the number is infinite.
    """
    stops = np.broadcast_to(np.asarray(rule.stops), rests.starts.shape).astype(np.int64)
    costs = np.zeros(rests.starts.size) if scale is None else scale
    n, longest_count = rests.deviations.size, int(rests.counts[0])
    shared_tail = tail or SharedTail(n)
    while True:
        number = shared_tail.products.size
        lag_sums = kernels.lag_sums(
            rests.arrays,
            costs,
            stops,
            rule.lags(number),
            rule.left,
            shared_tail.begin,
            shared_tail.products.copy(),
            shared_tail.row_for_each(rests.starts if tail else rests.starts[:0]),
        )
        if not np.isnan(lag_sums).any():
            return lag_sums
        shared_tail.add_lags(min(4 * number, longest_count), n)


def convex_inefficiencies(rests: Rests) -> Values:
    """Inefficiencies by Geyer's initial convex sequence; the starts are 0, 1, 2, …"""
    most_lags, longest_count = LAGS, int(rests.counts[0])
    while True:
        convex_sums = kernels.convex_sums(rests.arrays, most_lags)
        if not np.isnan(convex_sums).any():
            return convex_sums
        most_lags = min(4 * most_lags, longest_count)


def root_n_inefficiencies(rests: Rests) -> Values:
    """Inefficiencies with autocorrelations up to the root of the number of values, weighted by
    Bartlett.

    1 + 2 (w_1 r_1 + w_2 r_2 + …) with w_l = 1 - l / b up to b, the rounded root: by sums of the
    last values, of which each width needs one product with itself.
    """
    widths = np.rint(np.sqrt(rests.counts)).astype(np.int64)
    bridges = _BridgeSums(rests)
    deviation_products = bridges.products(0, np.arange(widths.size))
    for width in range(int(widths.min()), int(widths.max()) + 1):
        rest_indices = np.flatnonzero(widths == width)
        if rest_indices.size:
            deviation_products[rest_indices] -= bridges.products(width, rest_indices)
    with np.errstate(divide="ignore", invalid="ignore"):
        inflations = 2 * deviation_products / (widths * rests.squares)
    return np.where(rests.squares > 0, np.maximum(inflations, 1.0), 1.0)


class _BridgeSums:
    """Products of b_r with b_(r + width): b_r is the sum of the last r values less r means."""

    def __init__(self, rests: Rests) -> None:
        self._counts, self._means = rests.counts, rests.means
        self._sums = h = rests.sums[::-1]
        self._whole, self._moments = np.cumsum(h), np.cumsum(np.arange(h.size) * h)

    def products(self, width: int, rest_indices: Indices) -> Values:
        """Products of the rests `rest_indices`, summed over r = 0 … count - width."""
        h, mean, last = self._sums, self._means[rest_indices], self._counts[rest_indices] - width
        low, high = int(last.min()), int(last.max())
        later_products = np.cumsum(h[low : high + 1] * h[low + width : high + width + 1])
        raw_products = h[:low] @ h[width : width + low] + later_products[last - low]
        sums_before = (self._whole[width - 1], self._moments[width - 1]) if width else (0.0, 0.0)
        end = last + width
        mixed_products = (
            self._moments[end] - sums_before[1] - width * (self._whole[end] - sums_before[0])
        )
        mixed_products += self._moments[last] + width * self._whole[last]
        lengths = last.astype(np.float64)
        squares = lengths * (lengths + 1) * ((2 * lengths + 1) / 6 + width / 2)
        centred_products: Values = raw_products - mean * (mixed_products - mean * squares)
        return centred_products
