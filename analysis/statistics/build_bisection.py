"""Search for the build at which a benchmark changed: which build to measure next. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.statistics.answers import Floats
from analysis.statistics.build_differences import fork_difference
from analysis.statistics.multiple_comparisons import ALPHA

Level = Literal["before", "after", "unsure"]


@dataclass(frozen=True, slots=True)
class BuildLevel:
    """Level of a measured build.

    place, low, high  position between both ends with its 95 % interval: 0 is the level before the
                      change, 1 that after it; no interval with fewer than two forks
    """

    place: float
    low: float | None
    high: float | None

    @property
    def level(self) -> Level:
        """Side of the half-way line on which the whole interval lies."""
        if self.low is None or self.high is None or self.low <= 0.5 <= self.high:
            return "unsure"
        return "before" if self.high < 0.5 else "after"


@dataclass(frozen=True, slots=True)
class Bisection:
    """State of the search.

    change         ratio of the last build to the first
    is_certain     whether that change is certain
    levels         of the measured builds between the ends, by name, the oldest first
    last_before    newest build that is known to be on the level before
    first_after    oldest build that is known to be on the level after
    next_build     build to measure; empty once the change is placed
    most_further   number of builds to measure at most, if each tells its level
    contradicting  builds on the level before that are newer than `first_after`
    """

    change: float
    is_certain: bool
    levels: Mapping[str, BuildLevel]
    last_before: str
    first_after: str
    next_build: str
    most_further: int
    contradicting: Sequence[str] = ()


def bisection(names: Sequence[str], forks: Mapping[str, Floats]) -> Bisection:
    """Place the change between the first and the last of `names`, the oldest first.

    forks  steady means of the forks of measured builds, both ends among them
    """
    first, last = names[0], names[-1]
    whole_difference = fork_difference(forks[first], forks[last])
    if whole_difference.p is None or whole_difference.p >= ALPHA:
        next_build = min((first, last), key=lambda name: forks[name].size)
        rounds = 1 + math.ceil(math.log2(len(names) - 1))
        return Bisection(whole_difference.ratio, False, {}, first, last, next_build, rounds)  # noqa: FBT003
    change = math.log(whole_difference.ratio)
    levels = {
        name: _level(forks[first], forks[name], change) for name in names[1:-1] if name in forks
    }
    first_after = next((name for name in levels if levels[name].level == "after"), last)
    end = names.index(first_after)
    before_indices = [names.index(name) for name in levels if levels[name].level == "before"]
    start = max((index for index in before_indices if index < end), default=0)
    builds_between = names[start + 1 : end]
    unmeasured_builds = [name for name in builds_between if name not in levels]
    candidates = unmeasured_builds or builds_between
    return Bisection(
        whole_difference.ratio,
        True,  # noqa: FBT003
        levels,
        names[start],
        first_after,
        candidates[len(candidates) // 2] if candidates else "",
        math.ceil(math.log2(end - start)),
        [names[index] for index in before_indices if index > end],
    )


def _level(values_before: Floats, build: Floats, change: float) -> BuildLevel:
    difference = fork_difference(values_before, build)
    place = math.log(difference.ratio) / change
    if difference.low is None or difference.high is None:
        return BuildLevel(place, None, None)
    low, high = sorted((math.log(difference.low) / change, math.log(difference.high) / change))
    return BuildLevel(place, low, high)
