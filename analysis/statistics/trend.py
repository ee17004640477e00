"""Trend of the results of one benchmark from recording to recording.

Consecutive recordings are cut into groups of one level each by minimum description length (the
package `jumpavg` of the FD.io CSIT project, whose groups these are); the mean of a group is the
trend while it lasts. A change between two groups is a progression or a regression, by which way
is better. What counts against the past is the best trend of the long term without its last week,
so that a change of this week is compared with what was there before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.steady_summary import MATTERS
from detectors.kernels.jumpavg import Starts, coding, first_kept, partitions, traced
from detectors.safe_range import in_range

LAST_WEEK: Final = 7.0
"""Days before the newest recording that the long term leaves out, and that are news."""

LONG_TERM: Final = 91.0
"""Days before the newest recording that the long term reaches back: a quarter."""

SIGNIFICANT_BITS: Final = 12
"""Resolution of the grouping: the greatest value takes one bit more than this."""

Kind = Literal["regression", "progression"]
Pattern = Literal["small", "reverted", "reversal", "unconfirmed", "ordinary"]


class NoTrend(ValueError):
    """The results have no scale by which they could be grouped."""


@dataclass(frozen=True, slots=True)
class TrendLevel:
    """Recordings [start, stop) of one level, in the unit of the results."""

    start: int
    stop: int
    mean: float
    deviation: float

    @property
    def size(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class TrendChange:
    """A change of the trend.

    at       first recording of the new level
    share    the new level against the one before: -0.1 is 10 % less
    shown    the recording with which the grouping came to have this change, and kept it
    pattern  small: below 1 %; reverted: a later level is back, from recording `partner` on;
             reversal: this is the way back from the change at `partner`; unconfirmed: the new
             level rests on one recording so far; ordinary: none of these
    """

    at: int
    kind: Kind
    share: float
    shown: int
    pattern: Pattern
    partner: int | None = None

    @property
    def loss(self) -> float:
        """By how much it made things worse; 0 for what is small, reverted, or a way back."""
        return abs(self.share) if self.counts and self.kind == "regression" else 0.0

    @property
    def counts(self) -> bool:
        """Whether it is neither small, nor taken back, nor the way back."""
        return self.pattern in {"unconfirmed", "ordinary"}


@dataclass(frozen=True, slots=True)
class Trend:
    """The groups of the results of a benchmark, and what changed between them.

    best     the best trend of the long term, at recording `best_at`; None without any recording
             that is older than a week
    against  the present trend against the best one: 0.1 is 10 % more
    news     the newest change, if it appeared within the last week and is ordinary or unconfirmed
    """

    groups: tuple[TrendLevel, ...]
    jumps: tuple[TrendChange, ...]
    higher_is_better: bool
    best: float | None
    best_at: int | None
    against: float | None
    news: TrendChange | None

    @property
    def fresh(self) -> TrendChange | None:
        """A regression that is news."""
        return self.news if self.news is not None and self.news.kind == "regression" else None

    @property
    def level(self) -> float:
        return self.groups[-1].mean

    @property
    def last_size(self) -> int:
        return self.groups[-1].size

    @property
    def below_best(self) -> float:
        """By how much the trend is worse than the best of the long term; 0 if it is not."""
        if self.against is None:
            return 0.0
        return max(-self.against if self.higher_is_better else self.against, 0.0)

    @property
    def loss(self) -> float:
        """What is lost at most: against the long term, or by the newest change."""
        newest = self.jumps[-1].loss if self.jumps else 0.0
        return max(self.below_best, newest)

    def count(self, kind: Kind) -> int:
        return sum(jump.kind == kind for jump in self.jumps)


def trend_of(results: Floats, days: Floats, *, higher_is_better: bool) -> Trend:
    """The trend of `results`, one a recording, in order. Raises NoTrend.

    results  float64 (n,), n >= 1, finite, at least one above zero
    days     when each was recorded, ascending; only differences count
    """
    if not results.size:
        raise NoTrend("no recording has a result")
    scaled, exponent = in_range(results)
    maximum = float(scaled.max())
    if maximum <= 0:
        raise NoTrend("no result is above zero, so none gives a scale")
    unit = maximum / (2 ** (SIGNIFICANT_BITS + 1) - 1)
    winner, last, _ = partitions(scaled, unit, maximum, coding(scaled.size))
    starts, means = traced(winner, last)
    groups = _groups(scaled, starts, np.ldexp(means, exponent), exponent)
    jumps = _with_patterns(_jumps(groups, winner, higher_is_better), groups)
    best, best_at = _best(groups, days, higher_is_better)
    level = groups[-1].mean
    return Trend(
        groups=groups,
        jumps=jumps,
        higher_is_better=higher_is_better,
        best=best,
        best_at=best_at,
        against=None if not best else (level - best) / abs(best),
        news=_news(jumps, days),
    )


def _groups(scaled: Floats, starts: Starts, means: Floats, exponent: int) -> tuple[TrendLevel, ...]:
    edges = [*starts.tolist(), scaled.size]
    found = []
    for start, stop, mean in zip(edges[:-1], edges[1:], means.tolist(), strict=True):
        deviation = float(np.ldexp(scaled[start:stop].std(), exponent))
        found.append(TrendLevel(start, stop, mean, deviation))
    return tuple(found)


def _jumps(
    groups: tuple[TrendLevel, ...],
    winner: Starts,
    higher_is_better: bool,  # noqa: FBT001
) -> tuple[TrendChange, ...]:
    found = []
    for before, after in pairwise(groups):
        if before.mean == after.mean:
            continue  # the same level again is no change, however it came to be a group
        better = (after.mean > before.mean) == higher_is_better
        share = (after.mean - before.mean) / abs(before.mean) if before.mean else np.inf
        found.append(
            TrendChange(
                after.start,
                "progression" if better else "regression",
                float(share),
                int(first_kept(winner, after.start)),
                "unconfirmed" if after is groups[-1] and after.size == 1 else "ordinary",
            )
        )
    return tuple(found)


def _with_patterns(
    jumps: tuple[TrendChange, ...], groups: tuple[TrendLevel, ...]
) -> tuple[TrendChange, ...]:
    """Small ones, and pairs of a change and the way back from it; the rest as they are."""
    places = {group.start: at for at, group in enumerate(groups)}
    found = {
        jump.at: replace(jump, pattern="small") if abs(jump.share) < MATTERS else jump
        for jump in jumps
    }
    for jump in jumps:
        if found[jump.at].pattern in {"small", "reversal"}:
            continue
        back = _way_back(groups, places[jump.at])
        if back is None:
            continue
        found[jump.at] = replace(jump, pattern="reverted", partner=back.start)
        mate = found.get(back.start)
        if (
            mate is not None
            and mate.pattern != "small"
            and not _overshoots(groups, places, jump, back)
        ):
            found[back.start] = replace(mate, pattern="reversal", partner=jump.at)
    return tuple(found.values())


def _way_back(groups: tuple[TrendLevel, ...], at: int) -> TrendLevel | None:
    """The first later group whose level is nearer to the one before group `at`, or beyond it."""
    before, after = groups[at - 1].mean, groups[at].mean
    middle = before / 2 + after / 2
    later = groups[at + 1 :]
    return next((one for one in later if (one.mean <= middle) == (before < after)), None)


def _overshoots(
    groups: tuple[TrendLevel, ...], places: dict[int, int], jump: TrendChange, back: TrendLevel
) -> bool:
    """Whether the level after the way back lies as far beyond the old one as the change went."""
    before, after = groups[places[jump.at] - 1].mean, groups[places[jump.at]].mean
    return abs(back.mean - before) > abs(after - before) / 2


def _best(
    groups: tuple[TrendLevel, ...],
    days: Floats,
    higher_is_better: bool,  # noqa: FBT001
) -> tuple[float | None, int | None]:
    """The best trend of the long term without its last week, and the newest recording with it."""
    age = days[-1] - days
    levels = np.repeat([group.mean for group in groups], [group.size for group in groups])
    places = np.flatnonzero((age >= LAST_WEEK) & (age <= LONG_TERM))
    if not places.size:
        return None, None
    worth = levels[places] if higher_is_better else -levels[places]
    at = int(places[np.flatnonzero(worth == worth.max())[-1]])
    return float(levels[at]), at


def _news(jumps: tuple[TrendChange, ...], days: Floats) -> TrendChange | None:
    """The newest change, if it counts and appeared within the last week."""
    if not jumps or not jumps[-1].counts:
        return None
    return jumps[-1] if days[-1] - days[jumps[-1].shown] < LAST_WEEK else None
