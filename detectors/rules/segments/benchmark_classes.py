"""Class of a benchmark from the answers for its forks.

A fork is one process: one series. Classes are those of the publications, in Plateau's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from detectors.api import NEVER

SteadyClass = Literal["steady", "inconsistent", "never"]
ForkClass = Literal["flat", "warm-up", "slowdown", "no-steady-state"]
BenchmarkClass = Literal[
    "flat", "warm-up", "slowdown", "no-steady-state", "good-inconsistent", "bad-inconsistent"
]
FORK_CLASSES: tuple[ForkClass, ...] = ("flat", "warm-up", "slowdown", "no-steady-state")


def class_of_starts(starts: Iterable[int]) -> SteadyClass:
    """Traini et al. 2023: steady if every fork is, never if none is, else inconsistent.

    `starts` are the forks' steady starts, `NEVER` for never; at least one.
    """
    decisions = {start != NEVER for start in starts}
    if not decisions:
        raise ValueError("a benchmark has at least one fork; got none")
    if len(decisions) > 1:
        return "inconsistent"
    return "steady" if True in decisions else "never"


def class_of_forks(classes: Iterable[ForkClass]) -> BenchmarkClass:
    """Barrett et al. 2017: the class of all forks, or how they are inconsistent.

    Flat and warm-up together are a good inconsistency: every fork ends no slower than it began.
    """
    distinct_classes = set(classes)
    if not distinct_classes:
        raise ValueError("a benchmark has at least one fork; got none")
    if len(distinct_classes) == 1:
        return distinct_classes.pop()
    return "good-inconsistent" if distinct_classes == {"flat", "warm-up"} else "bad-inconsistent"


def class_counts(classes: Iterable[ForkClass]) -> Mapping[ForkClass, int]:
    """Number of forks of each class, all four named."""
    count_by_class = Counter(classes)
    return {name: count_by_class[name] for name in FORK_CLASSES}


MEANING: Mapping[SteadyClass | BenchmarkClass, str] = {
    "steady": "every fork becomes steady",
    "inconsistent": "some forks become steady, others never do",
    "never": "no fork becomes steady",
    "flat": "every fork is steady from the start",
    "warm-up": "every fork gets faster until it is steady",
    "slowdown": "every fork was faster before it became steady",
    "no-steady-state": "no fork becomes steady",
    "good-inconsistent": "some forks are flat, the others warm up: none ends slower than it was",
    "bad-inconsistent": "forks differ, and some slow down or never become steady",
}
"""Each class of a benchmark in plain words."""
