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
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from detectors.arrays.safe_range import in_range
from detectors.contract import Values, as_series
from detectors.intervals.quantiles import student_quantile
from detectors.kernels.jumpavg import coding, partitions
from detectors.kernels.level_steps import level_steps

ABSOLUTE: Final = "abs:"
TESTED: Final = "test"
PRECISION_TEXTS: Final = (
    "test, or as jumpavg bits from 1 to 48 such as 12, or a resolution in the unit such as abs:0.5"
)
STEP_LEVELS: Final = (0.001, 0.005, 0.02, 1e-6)
"""Levels of the t test: of a step with one result after it, with more; of one that was seen before,
which stays as long; and of one that is certain. On 600 generated histories they give fewer false
alarms and shorter delays than Apache Otava's defaults (docs/design/trends.md)."""
LEAST_SHARE: Final = 0.01  # of the level: a smaller step is of no consequence
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
        absolute = text.startswith(ABSOLUTE)
        number = float(text.removeprefix(ABSOLUTE))
        if absolute and 0 < number < math.inf:
            return cls(unit=number)
        if not absolute and 1 <= number <= 48:
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
        scaled = float(np.ldexp(self.unit, -exponent))
        if not greatest / MOST_UNITS < scaled < greatest * MOST_UNITS:
            raise NoTrend(f"a resolution of {self.unit:g} does not fit the results")
        return scaled


USUAL: Final = TrendPrecision()


@dataclass(frozen=True, slots=True)
class ResultGroups:
    """Starts of the groups of some results, and their means in the unit of the results."""

    starts: tuple[int, ...]
    means: tuple[float, ...]

    def changes(self, *, higher_is_better: bool) -> dict[int, tuple[Kind, float]]:
        """Kind and share of each change of level, by the result that it begins with."""
        change_by_start: dict[int, tuple[Kind, float]] = {}
        for start, (before, after) in zip(self.starts[1:], pairwise(self.means), strict=True):
            if before == after:
                continue  # the same level again is no change, however it came to be a group
            better = (after > before) == higher_is_better
            share = (after - before) / abs(before) if before else math.inf
            change_by_start[start] = ("progression" if better else "regression", share)
        return change_by_start


def groups_over_time(results: Values, precision: TrendPrecision) -> Iterator[ResultGroups | None]:
    """The groups of the first result, of the first two, …, of all, each as if there were no more.

    None before the first result above zero.
    """
    if not results.size:
        raise NoTrend("no recording has a result")
    scaled, exponent = in_range(as_series(results))
    if scaled.max() <= 0:
        raise NoTrend("no result is above zero, so none gives a scale")
    if precision == USUAL:
        yield from _groups_by_test(scaled, exponent)
    else:
        yield from _shortest_groups(scaled, exponent, precision)


def _groups_by_test(scaled: Values, exponent: int) -> Iterator[ResultGroups | None]:
    settings = LEAST_SHARE, COMPARED, LEAST_BEFORE, CONFIRMED
    level_starts, steps, *means_beside = level_steps(scaled, _limits(), *settings)
    has_scale = np.logical_or.accumulate(scaled > 0).tolist()
    before, after = (np.ldexp(means, exponent).tolist() for means in means_beside)
    starts, means = list[int](), list[float]()  # of confirmed levels before the present one
    last_start, last_mean = 0, 0.0
    for newest, (start, step) in enumerate(zip(level_starts.tolist(), steps.tolist(), strict=True)):
        if start != last_start:
            starts, means = [*starts, last_start], [*means, last_mean]
        last_start, last_mean = start, before[newest]
        present = [(start, before[newest]), (step, after[newest])][: 1 + (step >= 0)]
        if has_scale[newest]:
            present_starts, present_means = zip(*present, strict=True)
            yield ResultGroups((*starts, *present_starts), (*means, *present_means))
        else:
            yield None


@cache
def _limits() -> Values:
    """Squares of t that `STEP_LEVELS` allow: a row a level, by degrees of freedom."""
    freedoms = range(1, COMPARED)
    rows = [
        [math.inf, *(student_quantile(1 - level / 2, freedom) for freedom in freedoms)]
        for level in STEP_LEVELS
    ]
    limits = np.square(rows)
    limits.setflags(write=False)
    return limits


def _shortest_groups(
    scaled: Values, exponent: int, precision: TrendPrecision
) -> Iterator[ResultGroups | None]:
    """Groups of minimum description length.

    Those up to the next greater result share a resolution, so one search serves them all: it keeps
    the best grouping of every prefix.
    """
    greatest, table = np.maximum.accumulate(scaled), coding(scaled.size)
    edges = [0, *(np.flatnonzero(np.diff(greatest)) + 1).tolist(), scaled.size]
    for first, stop in pairwise(edges):
        top = float(greatest[first])
        if top <= 0:
            yield from (None for _ in range(first, stop))
            continue
        unit = precision.resolution(top, exponent)
        winner, last, _ = partitions(scaled[:stop], unit, top, table)
        starts, means = winner.tolist(), np.ldexp(last, exponent).tolist()
        yield from (_groups_until(end, starts, means) for end in range(first + 1, stop + 1))


def _groups_until(end: int, starts: list[int], means: list[float]) -> ResultGroups:
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
    open_, closed = dict[tuple[int, Kind], KnownChange](), list[KnownChange]()
    for newest, prefix_groups in enumerate(groups):
        changes = prefix_groups.changes(higher_is_better=higher_is_better) if prefix_groups else {}
        shares = {(first, kind): share for first, (kind, share) in changes.items()}
        new = [key for key in shares if key not in open_]
        for key in [key for key in open_ if key not in shares]:
            closed.append(_ended(open_.pop(key), newest, new))
        for first, kind in new:
            open_[first, kind] = KnownChange(first, kind, shares[first, kind], newest)
    return tuple(sorted([*closed, *open_.values()], key=lambda change: (change.seen, change.at)))


def _ended(change: KnownChange, newest: int, new: list[tuple[int, Kind]]) -> KnownChange:
    same = [first for first, kind in new if kind == change.kind]
    moved = min(same, key=lambda first: abs(first - change.at), default=None)
    return KnownChange(change.at, change.kind, change.share, change.seen, newest, moved)
