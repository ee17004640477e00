"""Groups of one level each: of all results, and of what was there with each of them.

By default a group ends where a t test tells its results from the following ones (the changepoint
model of Hawkins, Qiu and Kang 2003, DOI 10.1080/00224065.2003.11980233). Once it is certain, later
results no longer move it. With a precision the groups are those of the package
`jumpavg`: the greatest result and the precision say how fine results are told apart, so the
groups of a past day are those at the resolution of that day.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values, as_series
from detectors.intervals.quantiles import student_quantile
from detectors.kernels.jumpavg import coding, partitions
from detectors.kernels.level_steps import level_steps, mean_of

ABSOLUTE: Final = "abs:"
TESTED: Final = "test"
PRECISION_TEXTS: Final = (
    "test, or as jumpavg bits from 1 to 48 such as 12, or a resolution in the unit such as abs:0.5"
)
STEP_LEVELS: Final = (0.0007, 0.002, 0.02, 1e-6, 1e-4)
"""Levels of the t test: of a step with one result after it, with more; of one that was seen before,
which stays as long; of one that is certain; and of a further step, which ends a level that is not.
On 600 generated histories they give fewer false alarms and shorter delays than Apache Otava's
defaults (docs/design/trends.md)."""
SMALL_LEVELS: Final = (0.0, 1e-6, 1e-6, 1e-6, 1e-6)
"""Levels of the t test of small steps: each is certain."""
MATTERS: Final = 0.01
"""A result that differs by this share or more counts as different; a smaller step is small."""
COMPARED: Final = 60  # newest results of the present level
LEAST_BEFORE: Final = 3  # results of a level before a step away from it can be seen
CONFIRMED: Final = 3  # results after a step, from which on it may be certain
MOST_UNITS: Final = 1e100  # beyond, the square of a result in units leaves the range of a double
Kind = Literal["regression", "progression"]


class NoTrend(ValueError):
    """The results have no scale by which they could be grouped."""


@dataclass(frozen=True, slots=True)
class TrendPrecision:
    """Fineness with which results are told apart; the parameters of `jumpavg.classify`.

    bits  significant bits of the greatest result (`sbps`); it takes one more than these; 0 where a
          t test tells results apart
    unit  or an absolute resolution in the unit of the results; 0 for none
    """

    bits: float = 0.0
    unit: float = 0.0

    @classmethod
    def from_text(cls, text: str) -> TrendPrecision:
        """`test`, `12` for bits, `abs:0.5` for a resolution. Raises ValueError."""
        if text == TESTED:
            return cls()
        is_absolute = text.startswith(ABSOLUTE)
        number = float(text.removeprefix(ABSOLUTE))
        if is_absolute and 0 < number < math.inf:
            return cls(unit=number)
        if not is_absolute and 1 <= number <= 48:
            return cls(bits=number)
        raise ValueError(text)

    def __str__(self) -> str:
        if self.unit:
            return f"{ABSOLUTE}{self.unit:g}"
        return f"{self.bits:g}" if self.bits else TESTED

    def resolution(self, greatest: float, exponent: int) -> float:
        """Resolution of results divided by 2 to the `exponent`, of which `greatest` is one."""
        if not self.unit:
            return float(greatest / (2 ** (self.bits + 1) - 1))
        scaled_unit = float(np.ldexp(self.unit, -exponent))
        if not greatest / MOST_UNITS < scaled_unit < greatest * MOST_UNITS:
            result = np.ldexp(greatest, exponent)
            reason = f"a resolution of {self.unit:g} does not fit the greatest result, {result:g}"
            raise NoTrend(f"{reason}; choose another")
        return scaled_unit


USUAL: Final = TrendPrecision()


@dataclass(frozen=True, slots=True)
class ResultGroups:
    """Starts of the groups of some results, and their means in the unit of the results.

    side_means  mean before and after each start but the first: where a level has small steps, that
                of all of its groups counts for a change that is none
    """

    starts: tuple[int, ...]
    means: tuple[float, ...]
    side_means: tuple[tuple[float, float], ...] | None = None

    def changes(self, *, higher_is_better: bool) -> dict[int, tuple[Kind, float]]:
        """Kind and share of each change of level, by the result that it begins with."""
        change_by_start: dict[int, tuple[Kind, float]] = {}
        mean_pairs = pairwise(self.means) if self.side_means is None else self.side_means
        for start, (mean_before, mean_after) in zip(self.starts[1:], mean_pairs, strict=True):
            if mean_before == mean_after:
                continue  # the same level again is no change, however it came to be a group
            is_better = (mean_after > mean_before) == higher_is_better
            share = (mean_after - mean_before) / abs(mean_before) if mean_before else math.inf
            change_by_start[start] = ("progression" if is_better else "regression", share)
        return change_by_start


def groups_over_time(results: Values, precision: TrendPrecision) -> Iterator[ResultGroups | None]:
    """The groups of the first result, of the first two, …, of all, each as if there were no more.

    None before the first result above zero.
    """
    if not results.size:
        raise NoTrend("no recording has a result")
    scaled_values, exponent = scaled_to_range(as_series(results))
    if scaled_values.max() <= 0:
        raise NoTrend("no result is above zero, so none gives a scale")
    if precision == USUAL:
        yield from _groups_by_test(scaled_values, exponent)
    else:
        yield from _shortest_groups(scaled_values, exponent, precision)


@dataclass(frozen=True, slots=True)
class _Level:
    """A level without a change of `MATTERS` or more, and its groups."""

    mean: float
    starts: tuple[int, ...]
    means: tuple[float, ...]


def _groups_by_test(scaled_values: Values, exponent: int) -> Iterator[ResultGroups | None]:
    settings = COMPARED, LEAST_BEFORE, CONFIRMED
    limits = _limits(STEP_LEVELS)
    level_starts, steps, *means_beside = level_steps(scaled_values, limits, MATTERS, *settings)
    has_scale = np.logical_or.accumulate(scaled_values > 0).tolist()
    means_before, means_after = (np.ldexp(means, exponent).tolist() for means in means_beside)
    small_steps = _small_steps(scaled_values, level_starts)

    def level(start: int, stop: int, mean: float) -> _Level:
        inner_starts = small_steps[start][stop - start - 1] if start in small_steps else []
        if not inner_starts:
            return _Level(mean, (start,), (mean,))
        means = [
            mean_of(scaled_values[first:end])
            for first, end in pairwise([start, *inner_starts, stop])
        ]
        return _Level(mean, (start, *inner_starts), tuple(np.ldexp(means, exponent).tolist()))

    past_levels, last_start, last_mean = list[_Level](), 0, 0.0
    for index, (start, step) in enumerate(zip(level_starts.tolist(), steps.tolist(), strict=True)):
        if start != last_start:
            past_levels = [*past_levels, level(last_start, start, last_mean)]
        last_start, last_mean = start, means_before[index]
        if not has_scale[index]:
            yield None
        elif step < 0:
            yield _join_levels([*past_levels, level(start, index + 1, last_mean)])
        else:
            newest_level = _Level(means_after[index], (step,), (means_after[index],))
            yield _join_levels([*past_levels, level(start, step, last_mean), newest_level])


def _join_levels(levels: list[_Level]) -> ResultGroups:
    mean_pairs = list(pairwise(levels[0].means))
    for level_before, level_after in pairwise(levels):
        mean_pairs += [(level_before.mean, level_after.mean), *pairwise(level_after.means)]
    return ResultGroups(
        tuple(start for level in levels for start in level.starts),
        tuple(mean for level in levels for mean in level.means),
        tuple(mean_pairs),
    )


def _small_steps(
    scaled_values: Values, level_starts: NDArray[np.int64]
) -> dict[int, list[list[int]]]:
    """Steps within each level that has any, by its start: those of its first result, its first
    two, …, all.
    """
    small_steps = dict[int, list[list[int]]]()
    starts, first_nights = np.unique(level_starts, return_index=True)
    for start, stop in zip(
        starts.tolist(), [*first_nights[1:].tolist(), scaled_values.size], strict=True
    ):
        begins, steps, *_ = level_steps(
            scaled_values[start:stop], _limits(SMALL_LEVELS), 0.0, COMPARED, LEAST_BEFORE, CONFIRMED
        )
        if steps.max() < 0:
            continue
        known_starts, last_begin = list[int](), 0
        small_steps[start] = []
        for begin, step in zip(begins.tolist(), steps.tolist(), strict=True):
            if begin != last_begin:
                known_starts, last_begin = [*known_starts, start + begin], begin
            small_steps[start].append(known_starts if step < 0 else [*known_starts, start + step])
    return small_steps


@cache
def _limits(levels: tuple[float, ...]) -> Values:
    """Squares of t that `levels` allow: a row a level, by degrees of freedom."""
    freedoms = range(1, COMPARED)
    rows = [
        [math.inf, *(student_quantile(1 - level / 2, freedom) for freedom in freedoms)]
        if level
        else [math.inf] * COMPARED
        for level in levels
    ]
    limits = np.square(rows)
    limits.setflags(write=False)
    return limits


def _shortest_groups(
    scaled_values: Values, exponent: int, precision: TrendPrecision
) -> Iterator[ResultGroups | None]:
    """Groups of minimum description length.

    Those up to the next greater result share a resolution, so one search serves them all: it keeps
    the best grouping of every prefix.
    """
    running_maximum, table = np.maximum.accumulate(scaled_values), coding(scaled_values.size)
    edges = [0, *(np.flatnonzero(np.diff(running_maximum)) + 1).tolist(), scaled_values.size]
    for first, stop in pairwise(edges):
        top = float(running_maximum[first])
        if top <= 0:
            yield from (None for _ in range(first, stop))
            continue
        unit = precision.resolution(top, exponent)
        winner, last, _ = partitions(scaled_values[:stop], unit, top, table)
        starts, means = winner.tolist(), np.ldexp(last, exponent).tolist()
        yield from (_groups_to(end, starts, means) for end in range(first + 1, stop + 1))


def _groups_to(end: int, starts: list[int], means: list[float]) -> ResultGroups:
    """Groups of the first `end` results; of each prefix, start and mean of its last group are
    given.

    In plain Python: groups are few, and a hundred calls of a kernel a benchmark take longer.
    """
    groups_backwards = []
    while end > 0:
        begin = starts[end - 1]
        groups_backwards.append((begin, means[end - 1]))
        end = begin
    return ResultGroups(*zip(*reversed(groups_backwards), strict=True))


@dataclass(frozen=True, slots=True)
class KnownChange:
    """A change as it was known for some time.

    at       the result with which the level changed, as it was then seen
    share    the new level against the one before, when the change was first seen
    peak     greatest size of that share so far
    seen     the result with which it came to be seen
    gone     the result with which it was seen no longer; None where it still is
    moved    the change of the same kind that was seen instead from `gone` on; None without any
    """

    at: int
    kind: Kind
    share: float
    seen: int
    gone: int | None = None
    moved: int | None = None
    peak: float = 0.0

    @property
    def delay(self) -> int:
        """Results after the change until it was seen."""
        return self.seen - self.at


def known_changes(
    groups: list[ResultGroups | None], *, higher_is_better: bool
) -> tuple[KnownChange, ...]:
    """All changes that were ever seen, in the order in which they came to be seen.

    groups  what `groups_over_time` gave
    """
    open_changes, closed_changes = dict[tuple[int, Kind], KnownChange](), list[KnownChange]()
    for result_index, prefix_groups in enumerate(groups):
        changes = prefix_groups.changes(higher_is_better=higher_is_better) if prefix_groups else {}
        share_by_key = {(start, kind): share for start, (kind, share) in changes.items()}
        new_keys = [key for key in share_by_key if key not in open_changes]
        for key in [key for key in open_changes if key not in share_by_key]:
            closed_changes.append(_end_change(open_changes.pop(key), result_index, new_keys))
        for start, kind in new_keys:
            open_changes[start, kind] = KnownChange(
                start, kind, share_by_key[start, kind], result_index
            )
        for key, change in open_changes.items():
            if abs(share_by_key[key]) > change.peak:
                open_changes[key] = replace(change, peak=abs(share_by_key[key]))
    return tuple(
        sorted(
            [*closed_changes, *open_changes.values()], key=lambda change: (change.seen, change.at)
        )
    )


def _end_change(change: KnownChange, day: int, new_keys: list[tuple[int, Kind]]) -> KnownChange:
    starts_of_kind = [first for first, kind in new_keys if kind == change.kind]
    moved_start = min(starts_of_kind, key=lambda first: abs(first - change.at), default=None)
    return replace(change, gone=day, moved=moved_start)
