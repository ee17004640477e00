"""One published study: series, marks, labels, answers and stops, whatever layout they came in.

A stop is a pair, [last warm-up iteration, last measurement iteration], both 0-based; the published
steady index is the last iteration that is not steady (0 also where all are), -1 for never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from analysis.statistics.answers import NEVER, Answers
from annotate import recipes
from detectors.contract import Values

ANSWERED: Final = ("cp_ssd", "kb_kssd", "sdm", "t_test", "f_test", "r_test")
RECIPES: Final = {"jagt": "jagt", "jagt-published": "jagt_published"}

SOP_TECHNIQUES: Final = frozenset({"SOP", "ROCKET", "FCN"})
"""Techniques that execute as many forks as the developers' test; others say how many."""

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class PublishedBenchmark:
    """One benchmark; what a folder does not hold of it is empty, or None.

    name      `system#benchmark#params`, the name of its files
    read      reads the measurements of its forks, of which fork 0 is the first
    marks     of fork 0, by annotator
    label     steady (a click's position) or never, of the first stage
    answers   published indices by method, a number a fork from fork 0 on
    changes   published change points of CP-SSD, a list a fork
    verdict   published class of the benchmark: S steady, I inconsistent, N never
    stops     by technique, a pair a fork
    settings  of the developers' test, as `Context.settings` has them
    executed  forks of the developers' test
    truths    published ground truth by recipe
    """

    name: str
    read: Callable[[], Iterable[Values]] | None = None
    marks: Mapping[str, int] = field(default_factory=dict)
    label: int | None = None
    answers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    changes: Sequence[Sequence[int]] = ()
    verdict: str = ""
    stops: Mapping[str, Sequence[Pair]] = field(default_factory=dict)
    settings: Mapping[str, float] = field(default_factory=dict)
    executed: int | None = None
    truths: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def forks(self) -> Sequence[Values]:
        """Read when first asked for, and kept."""
        return tuple(self.read()) if self.read is not None else ()

    def truth(self, recipe: str) -> recipes.RecipeAnswer | None:
        """The recipe's answer to the marks; never where the label says so; None without either."""
        if self.marks:
            steady_marks = [
                recipes.RecipeMark(name, "steady", index) for name, index in self.marks.items()
            ]
            return recipes.aggregate(recipe, steady_marks, complete=True)
        if self.label == NEVER:
            return recipes.RecipeAnswer(
                steady=False, steady_start=None, agreement="unanimous-never"
            )
        return None

    def agreed(self, recipe: str) -> int | None:
        """The first steady iteration by that recipe, -1 for never; None for no answer."""
        truth = self.truth(recipe)
        return truth.value if truth else None

    @property
    def system(self) -> str:
        return self.name.partition("#")[0]

    @property
    def steady(self) -> Sequence[int]:
        """Published steady index of CP-SSD, a number a fork."""
        return self.answers.get("cp_ssd", ())

    def run(self, technique: str) -> Sequence[Pair]:
        """The pairs of the forks that a test would execute; none where that is not known."""
        pairs = self.stops.get(technique, ())
        if technique not in SOP_TECHNIQUES:
            return pairs
        return () if self.executed is None else pairs[: self.executed]


@dataclass(frozen=True, eq=False)
class PublishedStudy:
    """Benchmarks in order of their names.

    totals  figures of all rows, rounded to `decimals`; None if none are published for these rows
    """

    folder: Path
    benchmarks: Sequence[PublishedBenchmark]
    totals: Mapping[str, Any] | None = None
    decimals: int = 6

    @cached_property
    def rows(self) -> Sequence[PublishedBenchmark]:
        """Benchmarks with a label or marks: subjects of the comparison of detectors."""
        return [
            benchmark
            for benchmark in self.benchmarks
            if benchmark.label is not None or benchmark.marks
        ]

    @cached_property
    def stopped(self) -> Sequence[PublishedBenchmark]:
        """Benchmarks with published stops and steady indices: subjects of stopping techniques."""
        return [benchmark for benchmark in self.benchmarks if benchmark.steady and benchmark.stops]

    @cached_property
    def measured(self) -> Sequence[PublishedBenchmark]:
        """Benchmarks with measurements."""
        return [benchmark for benchmark in self.benchmarks if benchmark.read is not None]

    @property
    def systems(self) -> Sequence[str]:
        return [benchmark.system for benchmark in self.rows]

    @property
    def marks(self) -> Sequence[Mapping[str, int]]:
        return [benchmark.marks for benchmark in self.rows]

    @property
    def labels(self) -> Answers:
        return Answers.from_list(benchmark.label for benchmark in self.rows)

    @property
    def answers(self) -> Mapping[str, Answers]:
        """Published indices of fork 0, of the methods that have any."""
        starts_by_method = {
            key: [next(iter(benchmark.answers.get(key, ())), None) for benchmark in self.rows]
            for key in ANSWERED
        }
        return {
            key: Answers.from_list(starts)
            for key, starts in starts_by_method.items()
            if any(start is not None for start in starts)
        }

    def truths(self, recipe: str) -> Sequence[int]:
        """Published ground truth of the marked series; empty if there is none."""
        return [benchmark.truths[recipe] for benchmark in self.rows if recipe in benchmark.truths]

    def series(self) -> Iterator[tuple[int, Values]]:
        """(row, values) of fork 0 of the rows that have measurements."""
        yield from (
            (row, benchmark.forks[0]) for row, benchmark in enumerate(self.rows) if benchmark.read
        )
