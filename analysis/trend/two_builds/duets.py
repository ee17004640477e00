"""Duets of two builds: forks of recordings that were measured side by side, pair by pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Final, NamedTuple

from analysis.references.iteration_seconds import warm_up_iterations
from analysis.statistics.answers import Floats
from analysis.statistics.duet_differences import DuetDifference, SidePair, duet_difference
from analysis.statistics.machine_plan import (
    LevelVariances,
    MachineCosts,
    MachinePlan,
    machine_plan,
    machines_needed,
)
from analysis.trend.recording_results import counted_starts
from analysis.trend.starts import TrendSeries, TrendStart
from people.templatetags.writing import HARD, grouped
from series.models import Recording, Series, SeriesValues
from series.models.series import SeriesQuerySet
from series.values.read_ahead import read_ahead

FORK_START: Final = 1.0  # seconds until the first iteration of a fork
AT_ONCE: Final = 100  # pairs whose values are in memory
DuetFork = tuple[str, int]  # name of the duet, number of the fork


class DuetSide(NamedTuple):
    """One fork of a duet, and the first iteration that counts."""

    row: TrendSeries
    start: int


DuetForks = Mapping[DuetFork, DuetSide]


@dataclass(frozen=True, slots=True)
class BenchmarkDuet:
    """Difference of one benchmark by its pairs.

    iteration_seconds  length of an iteration; None where nobody says
    warm_up            iterations before the first that counts, the median over forks
    """

    difference: DuetDifference
    iteration_seconds: float | None
    warm_up: float

    @property
    def saving_words(self) -> str:
        """Words on the forks that runs apart would need: `pairing saves 12 × the forks`."""
        saving = self.difference.saving or 0.0
        multiple = f"{grouped(saving) if saving >= 10 else format(saving, '.1f')}{HARD}×"
        return (
            f"pairing saves {multiple} the forks"
            if saving >= 1
            else f"pairing saves none: {multiple}"
        )

    def forks_needed(self, target: float) -> int | None:
        """Pairs of forks for an interval of ± `target`, with iterations as recorded."""
        variances = self._variances
        if variances is None:
            return None
        deviation = variances.of_machine(1, self.difference.iterations) ** 0.5
        return machines_needed(float(deviation), target)

    def plan(self, target: float) -> MachinePlan | None:
        """The cheapest duet for an interval of ± `target`: its `machines` are pairs of forks."""
        variances, seconds = self._variances, self.iteration_seconds
        if variances is None or not seconds:
            return None
        costs = MachineCosts(FORK_START + self.warm_up * seconds, 0.0, seconds)
        iteration_count = max(round(self.difference.iterations), 1)
        return machine_plan(variances, costs, target, most_forks=1, most_iterations=iteration_count)

    @property
    def _variances(self) -> LevelVariances | None:
        between = self.difference.between_forks
        if between is None:
            return None
        return LevelVariances(max(between, 0.0), 0.0, max(self.difference.long_run or 0.0, 0.0))


def duet_names(*builds: Iterable[Recording]) -> set[str]:
    """Names of the duets of which all builds have a recording."""
    return set.intersection(*({recording.duet for recording in build} - {""} for build in builds))


def duet_forks(
    series: SeriesQuerySet, rows: Sequence[TrendSeries], start: TrendStart, names: Collection[str]
) -> dict[int, dict[DuetFork, DuetSide]]:
    """Forks of the duets `names` by benchmark; `series` is a query that has all of `rows`.

    Where recordings of one side share a duet, a fork is that of the one stored first.
    """
    recordings = Recording.objects.filter(pk__in={row.recording_pk for row in rows}, duet__in=names)
    name_by_recording = dict(recordings.values_list("pk", "duet"))
    duet_rows = sorted(row for row in rows if row.recording_pk in name_by_recording)
    starts = counted_starts(duet_rows, series, start)
    forks = defaultdict[int, dict[DuetFork, DuetSide]](dict)
    for row in duet_rows:
        if row.pk in starts:
            fork = name_by_recording[row.recording_pk], row.fork
            forks[row.benchmark_pk].setdefault(fork, DuetSide(row, starts[row.pk]))
    return forks


def pair_count(before: DuetForks, after: DuetForks) -> int:
    """Number of forks that both sides have."""
    return len(before.keys() & after.keys())


def benchmark_duet(before: DuetForks, after: DuetForks) -> BenchmarkDuet | None:
    """Difference of one benchmark from the forks that both sides have; None without any."""
    pairs = sorted((before[fork], after[fork]) for fork in before.keys() & after.keys())
    side_pairs = _side_pairs(pairs)
    first_pair = next(side_pairs, None)
    if first_pair is None:
        return None
    series = Series.objects.select_related("benchmark").get(pk=pairs[0][0].row.pk)
    length, seconds = series.iteration_length, None
    if length is not None:
        seconds = series.median_last_half if length.seconds is None else length.seconds
    warm_up = median(warm_up_iterations(max(side.start for side in pair), length) for pair in pairs)
    return BenchmarkDuet(duet_difference(chain([first_pair], side_pairs)), seconds, warm_up)


def _side_pairs(pairs: Sequence[tuple[DuetSide, DuetSide]]) -> Iterator[SidePair]:
    """Values of pairs that count, read a batch at a time."""
    for offset in range(0, len(pairs), AT_ONCE):
        batch = pairs[offset : offset + AT_ONCE]
        rows = SeriesValues.objects.filter(series__in=[side.row.pk for side in chain(*batch)])
        values = {row.pk: row.array() for row in read_ahead(rows.iterator(AT_ONCE))}
        paired_values = (_pair_sides(values, *sides) for sides in batch)
        yield from (pair for pair in paired_values if pair is not None)


def _pair_sides(values: Mapping[int, Floats], before: DuetSide, after: DuetSide) -> SidePair | None:
    """Values of both from the later start to the earlier end; None without any, all above 0."""
    if not {before.row.pk, after.row.pk} <= values.keys():  # removed meanwhile
        return None
    start, stop = max(before.start, after.start), min(before.row.n, after.row.n)
    first, second = (values[side.row.pk][start:stop] for side in (before, after))
    is_ratio = stop > start and min(first.min(), second.min()) > 0
    return (first, second) if is_ratio else None
