"""Trend of the results of one benchmark from recording to recording.

Consecutive recordings are cut into groups of one level each (`detectors.trends.trend_groups`); the
mean of a group is the trend while it lasts. A change between two groups is a progression or a
regression, by which way is better. What counts against the past is the best trend of the long term
without its last week, so that a change of this week is compared with what was there before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values
from detectors.trends.trend_groups import (
    MATTERS,
    USUAL,
    Kind,
    KnownChange,
    ResultGroups,
    TrendPrecision,
    groups_over_time,
    known_changes,
)

LAST_WEEK: Final = 7.0
"""Days before the newest recording that the long term leaves out, and that are news."""

LONG_TERM: Final = 91.0
"""Days before the newest recording that the long term reaches back: a quarter."""

Pattern = Literal["small", "reverted", "reversal", "short", "unconfirmed", "ordinary"]
State = Literal["regression", "below", "progression", "level", "single", "none"]
WORDS: Final[Mapping[State, str]] = {
    "regression": "regression",
    "below": "below its best",
    "progression": "progression",
    "level": "level",
    "single": "one recording",
    "none": "no result",
}


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
    shown    the recording with which the change came to be seen, and has been seen since
    pattern  small: below 1 %, or below .5 % where it was once 1 % or more; reverted: a later level
             is back, from recording `partner` on; reversal: this is the way back from the change at
             `partner`; short: the new level has fewer recordings than a group that counts;
             unconfirmed: it rests on one recording so far; ordinary: none of these
    """

    at: int
    kind: Kind
    share: float
    shown: int
    pattern: Pattern
    partner: int | None = None

    @property
    def loss(self) -> float:
        """Loss by this change; 0 for what is small, reverted, or a way back."""
        return abs(self.share) if self.counts and self.kind == "regression" else 0.0

    @property
    def counts(self) -> bool:
        """True where the change is neither small nor short, nor taken back, nor the way back."""
        return self.pattern in {"unconfirmed", "ordinary"}


@dataclass(frozen=True, slots=True)
class Trend:
    """The groups of the results of a benchmark, and what changed between them.

    best     the best trend of the long term, at recording `best_at`; None without any recording
             that is older than a week
    against  the present trend against the best one: 0.1 is 10 % more
    news     the newest change, if it appeared within the last week and is ordinary or unconfirmed
    known    every change that was ever seen, also those that are seen no longer
    """

    groups: tuple[TrendLevel, ...]
    jumps: tuple[TrendChange, ...]
    higher_is_better: bool
    best: float | None
    best_at: int | None
    against: float | None
    news: TrendChange | None
    known: tuple[KnownChange, ...] = ()

    @property
    def deviation(self) -> float:
        """Standard deviation of the results on the present level."""
        return self.groups[-1].deviation

    @property
    def vanished(self) -> tuple[KnownChange, ...]:
        """Changes that were seen once, and are seen no longer."""
        return tuple(change for change in self.known if change.gone is not None)

    @property
    def late(self) -> tuple[KnownChange, ...]:
        """Changes that are seen, and came to be seen after their first recording."""
        return tuple(change for change in self.known if change.gone is None and change.delay)

    @property
    def late_changes(self) -> tuple[KnownChange, ...]:
        """Both, the one that came to be seen last first."""
        return tuple(
            change for change in reversed(self.known) if change.gone is not None or change.delay
        )

    @property
    def fresh_regression(self) -> TrendChange | None:
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
        """Distance of the trend below the best of the long term; 0 if it is not below."""
        if self.against is None:
            return 0.0
        return max(-self.against if self.higher_is_better else self.against, 0.0)

    @property
    def loss(self) -> float:
        """Largest loss: against the long term, or by the newest change."""
        newest_change = self.last_change
        return max(self.below_best, newest_change.loss if newest_change else 0.0)

    @property
    def last_change(self) -> TrendChange | None:
        """The newest change that is not small; a small one where there is no other."""
        large_changes = (change for change in reversed(self.jumps) if change.pattern != "small")
        return next(large_changes, self.jumps[-1] if self.jumps else None)

    def count(self, kind: Kind) -> int:
        return sum(change.kind == kind for change in self.jumps)


def state_of(trend: Trend | None, recordings: int) -> State:
    """State of a benchmark with so many recordings, as lists name it."""
    if trend is None:
        return "none"
    if trend.fresh_regression is not None:
        return "regression"
    if trend.below_best >= MATTERS:
        return "below"
    if recordings == 1:
        return "single"
    return "level" if trend.news is None else "progression"


def trend_of(
    results: Values,
    days: Values,
    *,
    higher_is_better: bool,
    precision: TrendPrecision = USUAL,
    least_builds: int = 1,
) -> Trend:
    """The trend of `results`, one a recording, in order. Raises NoTrend.

    results       float64 (n,), n >= 1, finite, at least one above zero
    days          when each was recorded, ascending; only differences count
    precision     how finely results are told apart
    least_builds  that a new level needs before its change counts; no group is moved by it
    """
    groups_by_time = list(groups_over_time(results, precision))
    seen_changes = known_changes(groups_by_time, higher_is_better=higher_is_better)
    newest_groups = groups_by_time[-1]
    assert newest_groups is not None  # noqa: S101  # there is a result above zero
    groups = _levels(results, newest_groups)
    jumps = _add_patterns(
        _jumps(groups, newest_groups, seen_changes, higher_is_better, least_builds), groups
    )
    best_mean, best_index = _best_level(groups, days, higher_is_better)
    level = groups[-1].mean
    return Trend(
        groups=groups,
        jumps=jumps,
        higher_is_better=higher_is_better,
        best=best_mean,
        best_at=best_index,
        against=None if not best_mean else (level - best_mean) / abs(best_mean),
        news=_news(jumps, days),
        known=seen_changes,
    )


def _levels(results: Values, groups: ResultGroups) -> tuple[TrendLevel, ...]:
    scaled_values, exponent = scaled_to_range(results)
    edges = pairwise([*groups.starts, results.size])
    return tuple(
        TrendLevel(start, stop, mean, float(np.ldexp(scaled_values[start:stop].std(), exponent)))
        for (start, stop), mean in zip(edges, groups.means, strict=True)
    )


def _jumps(
    groups: tuple[TrendLevel, ...],
    newest_groups: ResultGroups,
    seen_changes: tuple[KnownChange, ...],
    higher_is_better: bool,  # noqa: FBT001
    least_builds: int,
) -> tuple[TrendChange, ...]:
    change_by_start = {change.at: change for change in seen_changes if change.gone is None}
    patterns: dict[int, Pattern] = {
        group.start: "short" if group.size < least_builds else "ordinary" for group in groups
    }
    if groups[-1].size == 1 >= least_builds:
        patterns[groups[-1].start] = "unconfirmed"
    return tuple(
        TrendChange(
            start,
            kind,
            share,
            change_by_start[start].seen,
            "small" if _is_small(share, change_by_start[start].peak) else patterns[start],
        )
        for start, (kind, share) in newest_groups.changes(higher_is_better=higher_is_better).items()
    )


def _is_small(share: float, peak: float) -> bool:
    """True below 1 %; once that was reached, below half of it, lest an alarm come and go."""
    return abs(share) < (MATTERS if peak < MATTERS else MATTERS / 2)


def _add_patterns(
    jumps: tuple[TrendChange, ...], groups: tuple[TrendLevel, ...]
) -> tuple[TrendChange, ...]:
    """Pairs of a change and the way back from it; the rest as they are."""
    group_index_by_start = {group.start: group_index for group_index, group in enumerate(groups)}
    change_by_start = {change.at: change for change in jumps}
    for change in jumps:
        if change_by_start[change.at].pattern in {"small", "reversal"}:
            continue
        level_back = _way_back(groups, group_index_by_start[change.at])
        if level_back is None:
            continue
        change_by_start[change.at] = replace(change, pattern="reverted", partner=level_back.start)
        partner_change = change_by_start.get(level_back.start)
        if (
            partner_change is not None
            and partner_change.pattern != "small"
            and not _overshoots(groups, group_index_by_start, change, level_back)
        ):
            change_by_start[level_back.start] = replace(
                partner_change, pattern="reversal", partner=change.at
            )
    return tuple(change_by_start.values())


def _way_back(groups: tuple[TrendLevel, ...], group_index: int) -> TrendLevel | None:
    """The first later group whose level is nearer to the one before group `group_index`, or
    beyond it.
    """
    mean_before, mean_after = groups[group_index - 1].mean, groups[group_index].mean
    middle = mean_before / 2 + mean_after / 2
    later_groups = groups[group_index + 1 :]
    return next(
        (group for group in later_groups if (group.mean <= middle) == (mean_before < mean_after)),
        None,
    )


def _overshoots(
    groups: tuple[TrendLevel, ...],
    group_index_by_start: dict[int, int],
    change: TrendChange,
    level_back: TrendLevel,
) -> bool:
    """True where the level after the way back lies as far beyond the old one as the change went."""
    mean_before, mean_after = (
        groups[group_index_by_start[change.at] - 1].mean,
        groups[group_index_by_start[change.at]].mean,
    )
    return abs(level_back.mean - mean_before) > abs(mean_after - mean_before) / 2


def _best_level(
    groups: tuple[TrendLevel, ...],
    days: Values,
    higher_is_better: bool,  # noqa: FBT001
) -> tuple[float | None, int | None]:
    """The best trend of the long term without its last week, and the newest recording with it."""
    age = days[-1] - days
    levels = np.repeat([group.mean for group in groups], [group.size for group in groups])
    long_term_indices = np.flatnonzero((age >= LAST_WEEK) & (age <= LONG_TERM))
    if not long_term_indices.size:
        return None, None
    directed_levels = levels[long_term_indices] if higher_is_better else -levels[long_term_indices]
    newest_index = int(
        long_term_indices[np.flatnonzero(directed_levels == directed_levels.max())[-1]]
    )
    return float(levels[newest_index]), newest_index


def _news(jumps: tuple[TrendChange, ...], days: Values) -> TrendChange | None:
    """The newest change that is neither short nor small, if it counts and appeared within the last
    week.
    """
    large_changes = (
        change for change in reversed(jumps) if change.pattern not in {"short", "small"}
    )
    newest_change = next(large_changes, None)
    if newest_change is None or not newest_change.counts:
        return None
    return newest_change if days[-1] - days[newest_change.shown] < LAST_WEEK else None
