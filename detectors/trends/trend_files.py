"""Trends of the benchmarks in files: a file a build, or many builds in one long CSV."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np

from detectors.arrays.safe_range import mean_in_range
from detectors.contract import NEVER, Detector, TooShort, Values
from detectors.contract.directions import Direction, direction_of
from detectors.detection_rows import SeriesInFile
from detectors.trends.trend import WORDS, Trend, state_of, trend_of
from detectors.trends.trend_groups import USUAL, NoTrend, TrendPrecision
from detectors.trends.trend_reports import ReportedTrend

A_DAY: Final = 86_400.0
Order = Literal["date", "build"]
StartOf = Callable[[SeriesInFile], int | None]


class MeasuredBuild(NamedTuple):
    """One occasion of measurement: what files call it, and when it was (empty: nobody says)."""

    label: str
    build: str
    measured_at: str

    @property
    def name(self) -> str:
        return f"{self.label} ({self.build})" if self.build not in {"", self.label} else self.label


class BenchmarkName(NamedTuple):
    system: str
    name: str
    params: str


@dataclass(slots=True)
class FileResults:
    """Results of one benchmark's forks, by build; `direction` is that of its first series.

    measured  builds with a series of it, also where that gave no result
    """

    unit: str
    direction: Direction
    measured: set[MeasuredBuild] = field(default_factory=set)
    forks: dict[MeasuredBuild, list[float]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class FileTrend:
    """One benchmark's results in the order of the builds, and their trend.

    has_newest  whether the newest build gave a result; None where it did not measure this one
    """

    name: BenchmarkName
    unit: str
    builds: tuple[MeasuredBuild, ...]
    trend: Trend | None
    problem: str = ""
    has_newest: bool | None = None


def last_half(series: SeriesInFile) -> int:
    """Start of the last half, where values begin to count if no method says so."""
    return int(series.values.size) // 2


def start_at(first: int) -> StartOf:
    """Build the start at one iteration; None for a series that ends before it."""
    return lambda series: first if first < series.values.size else None


def start_by_method(method: Detector) -> StartOf:
    """Build the start that a method answers; None for never. Raises DetectorError where it has
    no answer.
    """

    def start(series: SeriesInFile) -> int | None:
        steady_start = method.answer(series.values, series.context).steady_start
        return None if steady_start == NEVER else steady_start

    return start


def start_by_default(method: Detector) -> StartOf:
    """Build the start that a method answers, None for never; the last half of a series that is
    too short for it.
    """
    find_start = start_by_method(method)

    def start(series: SeriesInFile) -> int | None:
        try:
            return find_start(series)
        except TooShort:
            return last_half(series)

    return start


class TrendCollector:
    """Takes series one after the other and keeps a result of each; values are not kept."""

    def __init__(self, find_start: StartOf) -> None:
        self._start_of = find_start
        self._found: dict[BenchmarkName, FileResults] = {}
        self._builds: dict[MeasuredBuild, int] = {}  # in the order in which they come

    @property
    def builds(self) -> int:
        return len(self._builds)

    def newest(self, order: Order) -> str:
        """Name of the last build in this order; empty without any."""
        builds, _ = ordered_builds(self._builds, order)
        return builds[-1].name if builds else ""

    def take(self, name: BenchmarkName, build: MeasuredBuild, series: SeriesInFile) -> None:
        """One fork of a benchmark in a build. Raises what the start raises."""
        self._builds.setdefault(build, len(self._builds))
        direction = direction_of(series.context.unit, series.context.mode)
        file_results = self._found.setdefault(name, FileResults(series.context.unit, direction))
        file_results.measured.add(build)
        if (start := self._start_of(series)) is not None:
            file_results.forks[build].append(mean_in_range(series.values[start:]))

    def trends(
        self, *, order: Order = "date", precision: TrendPrecision = USUAL, least_builds: int = 1
    ) -> list[FileTrend]:
        """Every benchmark's trend: new regressions first, then by what is lost, then by name."""
        builds, days = ordered_builds(self._builds, order)
        trend_of_values = partial(trend_of, precision=precision, least_builds=least_builds)
        file_trends = [
            _trend(name, file_results, builds, days, trend_of_values)
            for name, file_results in self._found.items()
        ]
        return sorted(file_trends, key=_urgency)


def _trend(
    name: BenchmarkName,
    file_results: FileResults,
    builds: list[MeasuredBuild],
    days: Values,
    trend_of_values: Callable[..., Trend],
) -> FileTrend:
    means = [
        float(np.mean(file_results.forks[build])) if build in file_results.forks else 0.0
        for build in builds
    ]
    measured_indices = [
        build_index for build_index, mean in enumerate(means) if mean > 0
    ]  # the grouping knows no others
    measured_builds = tuple(builds[build_index] for build_index in measured_indices)
    results = np.array([means[build_index] for build_index in measured_indices])
    has_newest = means[-1] > 0 if builds[-1] in file_results.measured else None
    try:
        trend = trend_of_values(
            results, days[measured_indices], higher_is_better=file_results.direction.more
        )
    except NoTrend as problem:
        return FileTrend(name, file_results.unit, measured_builds, None, str(problem), has_newest)
    return FileTrend(name, file_results.unit, measured_builds, trend, has_newest=has_newest)


def _urgency(row: FileTrend) -> tuple[bool, float, BenchmarkName]:
    is_fresh = row.trend is not None and row.trend.fresh_regression is not None
    return not is_fresh, -(row.trend.loss if row.trend else 0.0), row.name


def ordered_builds(
    unordered_builds: Iterable[MeasuredBuild], order: Order
) -> tuple[list[MeasuredBuild], Values]:
    """Builds in their order, and the day of each; without all dates each counts as a day."""
    builds = list(unordered_builds)
    if order == "build":
        builds.sort(key=lambda build: natural_key(build.build or build.label))
    elif builds and all(build.measured_at for build in builds):
        builds.sort(key=lambda build: _moment(build.measured_at))
        return builds, np.array([_moment(build.measured_at) / A_DAY for build in builds])
    return builds, np.arange(float(len(builds)))


def _moment(text: str) -> float:
    build_time = datetime.fromisoformat(text)
    return (build_time if build_time.tzinfo else build_time.replace(tzinfo=UTC)).timestamp()


def natural_key(text: str) -> list[tuple[bool, int, str]]:
    """Digits by their number: `b9` before `b10`."""
    parts = re.split(r"(\d+)", text)
    return [(piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in parts]


# --- in words -----------------------------------------------------------------------------------
def report_rows(rows: Iterable[FileTrend]) -> Iterator[ReportedTrend]:
    for row in rows:
        state = state_of(row.trend, len(row.builds))
        fresh_change = row.trend.fresh_regression if row.trend else None
        since_words = (
            f"{fresh_change.share:+.1%} since {row.builds[fresh_change.at].name}"
            if fresh_change
            else ""
        )
        yield ReportedTrend(
            *row.name,
            _cells(row, WORDS[state]),
            state,
            regression=since_words,
            problem=row.problem,
            has_newest=row.has_newest,
        )


def _cells(row: FileTrend, word: str) -> tuple[str, ...]:
    name = " ".join(filter(None, (row.name.name, row.name.params)))
    count, trend = str(len(row.builds)), row.trend
    if trend is None:
        return (name, count, "-", "-", "-", "-", word)
    change = "-"
    if last_change := trend.last_change:
        change = f"{last_change.share:+.1%} {last_change.pattern}"
    against_best = "-" if trend.against is None else f"{trend.against:+.1%}"
    level = f"{trend.level:.4g} {row.unit}".rstrip()
    return (name, count, level, str(trend.last_size), change, against_best, word)
