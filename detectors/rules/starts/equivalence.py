"""Do the means of two segments differ by more than a share? A bootstrap, run only as far as needed.

The test (Traini et al. 2023): draw resamples of both segments with replacement, take the ratio
of their means each time, and call the segments different if the percentile interval of these
ratios lies wholly at or below 1 - share, or at or above 1 + share.

Most answers cannot depend on the random numbers: docs/design/MATH.md proves when. Where they
can, drawing ends as soon as the remaining draws would not change the answer, but for a chance
below one in ten million.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from detectors.api import Values
from detectors.kernels.cp_ssd import resample_means, segment_spread

BLOCK = 256  # resamples drawn at once
LIKELY, UNLIKELY = 0.99, 0.9  # bounds on a share of draws that settle an answer: MATH.md
DOUBT = 1e-10  # chance of a wrong answer at each of at most 40 looks at the draws so far
CLEAR = 6.4  # standard errors from the deciding share; nearer, another seed may answer otherwise
MASK = (1 << 64) - 1

How = Literal["range", "bound", "draws"]


@dataclass(frozen=True, slots=True)
class EquivalenceRule:
    """Rule by which two segments differ: by `share`, for an interval that covers `confidence`."""

    share: float = 0.05
    confidence: float = 0.95
    draws: int = 10_000
    seed: int = 0

    @property
    def least(self) -> float:
        """The share of ratios beyond a limit from which on the segments differ: 0.975."""
        return (1 + self.confidence) / 2

    @property
    def position(self) -> float:
        """Position of the interval's end among the sorted ratios, 0-based."""
        return (self.draws - 1) * self.least

    @property
    def margin(self) -> float:
        """So near to `least` a share of draws is ambiguous: 0.01 for 10,000 draws."""
        return CLEAR * math.sqrt(self.least * (1 - self.least) / self.draws)

    @property
    def bounds_hold(self) -> bool:
        """True where `LIKELY` and `UNLIKELY` are far enough from `least` to settle an answer."""
        return UNLIKELY + self.margin < self.least < LIKELY - self.margin


@dataclass(frozen=True, slots=True)
class EquivalenceVerdict:
    """Verdict on two segments; how it was reached; the share of draws that say so.

    `p` is the larger of the shares of ratios at or below the lower, at or above the upper
    limit; 0 or 1 where the ranges of the segments settle it, None where a bound does.
    """

    different: bool
    how: How
    p: float | None = None
    ambiguous: bool = False


@dataclass(eq=False)
class ResampledSegment:
    """The values of a segment that begins at iteration `start`, and its resamples so far."""

    values: Values
    start: int
    seed: int = 0
    blocks: list[Values] = field(default_factory=list)

    @cached_property
    def spread(self) -> tuple[float, float, float, float]:
        return segment_spread(self.values)

    @property
    def mean(self) -> float:
        return self.spread[0]

    def block(self, number: int) -> Values:
        """Means of the resamples of that block; the same whenever it is asked for."""
        while len(self.blocks) <= number:
            first = BLOCK * len(self.blocks)
            with np.errstate(over="ignore"):  # the hash wraps around, also uncompiled
                means = resample_means(self.values, _key(self.seed, self.start), first, BLOCK)
            self.blocks.append(means)
        return self.blocks[number]


def _key(seed: int, start: int) -> np.ndarray:
    """The stream of a segment: apart from every other stream by a hash."""
    z = (seed * 0x9E3779B97F4A7C15 + start + 1) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return np.array([z ^ (z >> 31)], dtype=np.uint64)


def compare_segments(
    last: ResampledSegment, earlier_segment: ResampledSegment, rule: EquivalenceRule
) -> EquivalenceVerdict:
    """The verdict on `earlier_segment`; `last` is the ratio's numerator; no negative values."""
    differs_by_range = _range_verdict(last, earlier_segment, rule)
    if differs_by_range is not None:
        return EquivalenceVerdict(differs_by_range, "range", p=float(differs_by_range))
    differs_by_bound = _bound_verdict(last, earlier_segment, rule) if rule.bounds_hold else None
    if differs_by_bound is not None:
        return EquivalenceVerdict(differs_by_bound, "bound")
    return _draw_verdict(last, earlier_segment, rule)


def _range_verdict(
    last: ResampledSegment, earlier_segment: ResampledSegment, rule: EquivalenceRule
) -> bool | None:
    """A mean of a resample lies between the least and the largest value."""
    _, least_value, largest_value, _ = last.spread
    _, least_other, largest_other, _ = earlier_segment.spread
    highest_ratio, lowest_ratio = (
        _ratio(largest_value, least_other),
        _ratio(least_value, largest_other),
    )
    if highest_ratio <= 1 - rule.share or lowest_ratio >= 1 + rule.share:
        return True
    return False if highest_ratio < 1 + rule.share and lowest_ratio > 1 - rule.share else None


def _ratio(a: float, b: float) -> float:
    """a / b of two means; equal to one where both are zero."""
    return a / b if b > 0 else math.inf if a > 0 else 1.0


def _bound_verdict(
    last: ResampledSegment, earlier_segment: ResampledSegment, rule: EquivalenceRule
) -> bool | None:
    """Bernstein's inequality for ``mean of last - limit × mean of other``."""
    bounds_of_sides = [
        _bernstein(last, earlier_segment, 1 + sign * rule.share, sign=sign) for sign in (-1, 1)
    ]
    if any(least_chance >= LIKELY for least_chance, _ in bounds_of_sides):
        return True
    return False if all(most_chance <= UNLIKELY for _, most_chance in bounds_of_sides) else None


def _bernstein(
    last: ResampledSegment, earlier_segment: ResampledSegment, limit: float, *, sign: int
) -> tuple[float, float]:
    """Bounds on the probability that the difference has that sign, or is zero."""
    mean, least_value, largest_value, variance = last.spread
    mean_other, least_other, largest_other, variance_other = earlier_segment.spread
    n, n_other = last.values.size, earlier_segment.values.size
    difference = sign * (mean - limit * mean_other)
    v = variance / n + limit * limit * variance_other / n_other
    reach = max((largest_value - least_value) / n, limit * (largest_other - least_other) / n_other)
    width = 2 * (v + reach * abs(difference) / 3)
    tail = math.exp(-difference * difference / width) if width > 0 else 1.0
    return (1 - tail, 1.0) if difference > 0 else (0.0, tail)


def _draw_verdict(
    last: ResampledSegment, earlier_segment: ResampledSegment, rule: EquivalenceRule
) -> EquivalenceVerdict:
    tail_below, tail_above = TailCount(1 - rule.share, rule), TailCount(-(1 + rule.share), rule)
    draw_count = 0
    for ratios in _ratios(last, earlier_segment, rule.draws):
        draw_count += ratios.size
        tail_below.add(ratios, draw_count)
        tail_above.add(-ratios, draw_count)
        if tail_below.reached or tail_above.reached or (tail_below.missed and tail_above.missed):
            break
    p = max(tail_below.count, tail_above.count) / draw_count
    are_different = tail_below.reached or tail_above.reached
    return EquivalenceVerdict(
        are_different, "draws", p, ambiguous=abs(p - rule.least) < rule.margin
    )


def _ratios(
    last: ResampledSegment, earlier_segment: ResampledSegment, draws: int
) -> Iterator[Values]:
    for number in range(-(-draws // BLOCK)):
        a, b = last.block(number), earlier_segment.block(number)
        # Against zero, or next to it, a ratio is infinite: beyond every limit, as it should be.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratios = np.where((a == 0) & (b == 0), 1.0, a / b)
        yield ratios[: draws - BLOCK * number]


class TailCount:
    """Counts ratios at or below a limit until the quantile's side of the limit is certain.

    The quantile lies between two neighbours in the sorted ratios. If as many ratios are within
    the limit as the lower neighbour needs, and no more, the quantile itself is compared.
    """

    def __init__(self, limit: float, rule: EquivalenceRule) -> None:
        self.limit, self.rule = limit, rule
        self.rank = int(rule.position)
        self.part = rule.position - self.rank
        self.count = 0
        self.within, self.beyond = -math.inf, math.inf
        self.reached = self.missed = False

    def add(self, ratios: Values, draw_count: int) -> None:
        """Take more ratios, `draw_count` in all."""
        is_within = ratios <= self.limit
        self.count += int(is_within.sum())
        self.within = max(self.within, float(ratios[is_within].max(initial=-math.inf)))
        self.beyond = min(self.beyond, float(ratios[~is_within].min(initial=math.inf)))
        if draw_count == self.rule.draws:
            self.reached = self._is_reached()
            self.missed = not self.reached
        else:
            self.reached = self._is_far(draw_count, self.rule.least + self.rule.margin, side=1)
            self.missed = self._is_far(draw_count, self.rule.least - self.rule.margin, side=-1)

    def _is_far(self, draw_count: int, share: float, *, side: int) -> bool:
        """True where so many within are next to impossible for a true share up to (from)
        `share`.
        """
        drawn_share = self.count / draw_count
        return (
            share < 1
            and (drawn_share - share) * side > 0
            and draw_count * _divergence(drawn_share, share) > -math.log(DOUBT)
        )

    def _is_reached(self) -> bool:
        if self.count > self.rank + 1 or self.count <= self.rank:
            return self.count > self.rank
        if self.part == 0 or self.count == self.rule.draws:
            return True
        return self.within + (self.beyond - self.within) * self.part <= self.limit


def _divergence(p: float, q: float) -> float:
    """Kullback and Leibler's, of two coins: Chernoff's exponent for a share of p instead of q."""
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)
