"""Machines of a build: variance split by level for each benchmark, and what a precision takes."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from analysis.references.iteration_seconds import warm_up_iterations
from analysis.statistics.machine_plan import (
    LevelVariances,
    MachineCosts,
    MachinePlan,
    machine_plan,
    machines_needed,
)
from analysis.statistics.variance_components import SteadyMoments, fork_moments, variance_components
from analysis.trend.machines.query import MachinesQuery
from analysis.trend.query import target_words
from analysis.trend.recording_history import review_exclusions
from analysis.trend.recording_results import counted_starts, measured_series
from analysis.trend.starts import TrendSeries, TrendStart, find_start
from analysis.trend.steady_means import BATCH
from analysis.trend.two_builds.table import build_names, named_build
from analysis.web.latest_used import LatestUsed
from annotate import blind
from annotate.blind import Reader
from detectors.intervals.steady_interval import fork_half_width
from people.templatetags.writing import grouped, share
from series.models import Benchmark, Dataset, Recording, Series, SeriesValues
from series.models.series import SeriesQuerySet
from series.values.read_ahead import read_ahead

LEVELS: Final = ("benchmark", "machine", "fork", "iteration")
KEPT: Final = 100_000  # moments of forks in memory, of about 400 bytes each
LEAST_MEAN, MOST_MEAN = 1e-100, 1e100  # whose squares are numbers above 0: no other mean counts


class NoMachines(LookupError):
    """Build without two named machines; the sentence says what to do."""


class MachineFork(NamedTuple):
    """Moments of one fork, and the machine and the start that they are of."""

    machine: str
    series: Series
    start: int
    moments: SteadyMoments


@dataclass(frozen=True, slots=True)
class MachineBenchmark:
    """One benchmark on the machines of a build.

    machine, fork      variances between them, in the squared unit; below 0 by chance, None where
                       no level has two
    iteration          variance between iterations of one fork; None of single iterations
    long_run           the same as neighbours leave it to a mean of many iterations, times those
    half               half of the 95 % interval of the mean as it was measured, a share of it
    needed             machines for the target with forks and iterations as recorded; None: over
                       1,000
    plan               the cheapest measurement for the target; None where nobody says how long an
                       iteration lasts, or none is found
    """

    benchmark: Benchmark
    machines: int
    forks: int
    mean: float
    machine: float | None
    fork: float | None
    iteration: float | None
    long_run: float | None
    half: float | None
    needed: int | None
    plan: MachinePlan | None

    @property
    def deviations(self) -> list[float | None]:
        """Deviations between machines, forks and iterations."""
        return [self.deviation(level) for level in LEVELS[1:]]

    def deviation(self, level: str) -> float | None:
        """Standard deviation of a level as a share of the mean; 0 where its variance is below."""
        variance = getattr(self, level)
        return None if variance is None else math.sqrt(max(variance, 0.0)) / self.mean

    @property
    def shares(self) -> Mapping[str, float | None]:
        """Shares of the variance of a single iteration, by level."""
        parts = {level: getattr(self, level) for level in LEVELS[1:]}
        total = sum(max(part, 0.0) for part in parts.values() if part is not None)
        return {
            level: None if part is None or not total else max(part, 0.0) / total
            for level, part in parts.items()
        }


@dataclass(frozen=True, slots=True)
class LevelRow:
    """Variation of logarithms of one level over all benchmarks.

    share  its part in the variance within benchmarks; None of that between them
    """

    level: str
    groups: int
    deviation: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class BuildMachines:
    """All benchmarks of a build that was measured on several machines, most machines first.

    unnamed_count   recordings that name no machine and are left out
    hidden_count    series left out because the reader has yet to answer them
    excluded_count  series left out because a review took them out
    waiting_count   benchmarks that are left for a command, as their series are many
    """

    asked: MachinesQuery
    dataset: Dataset
    build: str
    start: TrendStart
    machines: Sequence[str]
    rows: Sequence[MachineBenchmark]
    levels: Sequence[LevelRow]
    unnamed_count: int
    hidden_count: int
    excluded_count: int
    waiting_count: int

    @property
    def sentence(self) -> str:
        """Answer of the page in one sentence."""
        if not self.rows and self.waiting_count:
            return "The series of this build are too many for a page: the command has them."
        if not self.rows:
            return f"No benchmark has a result from {self.start.title} on two machines or more."
        target_phrase = target_words(self.asked.target)
        needed_machines = [row.needed if row.needed is not None else math.inf for row in self.rows]
        median_machines = median(needed_machines)
        effort = (
            f"takes {grouped(math.ceil(median_machines))} machines"
            if math.isfinite(median_machines)
            else "takes more than 1,000 machines"
        )
        machine_deviation = median(row.deviation("machine") or 0.0 for row in self.rows)
        return (
            f"To know a benchmark to {target_phrase} {effort} (the median of "
            f"{grouped(len(self.rows))}), measured as on these {grouped(len(self.machines))}: they "
            f"differ by {share(machine_deviation, 2 if machine_deviation < 0.1 else 1)} "
            "(standard deviation)."
        )


def build_machines(
    dataset: Dataset, reader: Reader, query: MachinesQuery, *, limit: int | None = None
) -> BuildMachines:
    """Machines of the build that `query` names. Raises UnknownBuild, NoMachines, UnknownStart.

    limit  so many series are read now; the benchmarks behind them are left out and counted
    """
    names = build_names(dataset)
    if not names:
        raise NoMachines(f"The data set {dataset.slug} has no recording yet: import one")
    build = named_build(dataset, query.build or names[0], names)
    start = find_start(dataset, query.start)
    kinds = kinds_by_instance(dataset)
    machine_by_recording = {recording.pk: machine_of(recording) for recording in build.recordings}
    machines = {
        recording.pk: machine_by_recording[recording.pk]
        for recording in build.recordings
        if machine_by_recording[recording.pk] and query.kind in {"", kind_of(recording, kinds)}
    }
    _check_machines(dataset, build.name, set(machines.values()))
    series = Series.objects.filter(recording__in=list(machines))
    visible_series = series if start.yardstick is None else blind.visible_series(reader, series)
    excluded_pks, excluded_counts = review_exclusions(visible_series, reader)
    all_excluded = {pk for pks in excluded_pks.values() for pk in pks}
    rows = [row for row in measured_series(visible_series) if row.pk not in all_excluded]
    forks_by_benchmark, waiting_count = _measured_forks(
        rows, visible_series, start, machines, limit
    )
    benchmarks = dataset.benchmarks.in_bulk(list(forks_by_benchmark))
    benchmark_rows = [
        _benchmark_row(benchmarks[pk], benchmark_forks, query)
        for pk, benchmark_forks in forks_by_benchmark.items()
        if len({fork.machine for fork in benchmark_forks}) > 1
    ]
    return BuildMachines(
        asked=query,
        dataset=dataset,
        build=build.name,
        start=start,
        machines=sorted(set(machines.values())),
        rows=sorted(benchmark_rows, key=_sort_key),
        levels=list(_level_rows([forks_by_benchmark[row.benchmark.pk] for row in benchmark_rows])),
        unnamed_count=sum(not name for name in machine_by_recording.values()),
        hidden_count=blind.count_hidden_series(reader, series) if start.yardstick else 0,
        excluded_count=excluded_counts.total(),
        waiting_count=waiting_count,
    )


def machine_of(recording: Recording) -> str:
    """The instance that a recording was measured on; its machine where it names no instance.

    Earlier versions kept the host of a file as its machine: it counts as the instance of that name.
    """
    return recording.instance or recording.machine


def kinds_by_instance(dataset: Dataset) -> Mapping[str, str]:
    """Description of the machine by instance, from the recordings that name both."""
    named_recordings = dataset.recordings.exclude(instance="").exclude(machine="")
    return dict(named_recordings.order_by("pk").values_list("instance", "machine"))


def kind_of(recording: Recording, kinds: Mapping[str, str]) -> str:
    """Description of a recording's machine, or that of its instance; empty where nobody says."""
    if recording.instance:
        return recording.machine or kinds.get(recording.instance, "")
    return kinds.get(recording.machine, recording.machine)


def _check_machines(dataset: Dataset, build: str, machines: set[str]) -> None:
    if len(machines) > 1:
        return
    machine_phrase = f"on {next(iter(machines))} alone" if machines else "on no named machine"
    raise NoMachines(
        f"“{build}” of {dataset.slug} was measured {machine_phrase}; machines differ where two are "
        "named: name an instance when you import them, or choose another build"
    )


# --- forks and their moments ------------------------------------------------------------------
_kept: LatestUsed[tuple[str, int], SteadyMoments] = LatestUsed(KEPT)
"""Moments by public id of a series and start: its values never change."""


def _measured_forks(
    rows: Sequence[TrendSeries],
    series: SeriesQuerySet,
    start: TrendStart,
    machines: Mapping[int, str],
    limit: int | None,
) -> tuple[dict[int, list[MachineFork]], int]:
    """Forks by benchmark, whole benchmarks of at most `limit` series; how many are left out."""
    starts = counted_starts(rows, series, start)
    rows_by_benchmark = defaultdict[int, list[TrendSeries]](list)
    for row in rows:
        if row.pk in starts:
            rows_by_benchmark[row.benchmark_pk].append(row)
    chosen_benchmarks, series_count = list[int](), 0
    for benchmark, benchmark_rows in rows_by_benchmark.items():
        series_count += len(benchmark_rows)
        if limit is None or series_count <= limit:
            chosen_benchmarks.append(benchmark)
    chosen_rows = [row for benchmark in chosen_benchmarks for row in rows_by_benchmark[benchmark]]
    moments = _moments(chosen_rows, starts)
    stored_series = Series.objects.select_related("benchmark").in_bulk(list(moments))
    forks_by_benchmark = defaultdict[int, list[MachineFork]](list)
    for row in chosen_rows:
        if row.pk in moments and LEAST_MEAN < moments[row.pk].mean < MOST_MEAN:
            fork_series = stored_series[row.pk]
            forks_by_benchmark[row.benchmark_pk].append(
                MachineFork(
                    machines[row.recording_pk], fork_series, starts[row.pk], moments[row.pk]
                )
            )
    return forks_by_benchmark, len(rows_by_benchmark) - len(chosen_benchmarks)


def _moments(rows: Sequence[TrendSeries], starts: Mapping[int, int]) -> dict[int, SteadyMoments]:
    """Moments by series."""
    keys = {row.pk: (row.public_id, starts[row.pk]) for row in rows}
    kept_moments = ((pk, _kept.get(key, None)) for pk, key in keys.items())
    moments = {pk: kept for pk, kept in kept_moments if kept is not None}
    missing_pks = [pk for pk in keys if pk not in moments]
    for offset in range(0, len(missing_pks), BATCH):
        batch = SeriesValues.objects.filter(series__in=missing_pks[offset : offset + BATCH])
        for stored_series in read_ahead(batch.iterator(BATCH)):
            new_moments = fork_moments(stored_series.array()[starts[stored_series.pk] :])
            moments[stored_series.pk] = _kept.keep(keys[stored_series.pk], new_moments)
    return moments


# --- one benchmark ----------------------------------------------------------------------------
def _benchmark_row(
    benchmark: Benchmark, forks: Sequence[MachineFork], query: MachinesQuery
) -> MachineBenchmark:
    means, errors = _means_and_errors(forks)
    machine_indices = _name_indices(fork_variance.machine for fork_variance in forks)
    machine_variance, fork_variance = variance_components([machine_indices], means, errors)
    counts = np.bincount(machine_indices)
    machine_means = np.bincount(machine_indices, means) / counts
    mean = float(machine_means.mean())
    level_variances = (machine_variance, fork_variance, _pooled_variance(forks, "long_run") or 0.0)
    variances = LevelVariances(*(max(np.nan_to_num(v), 0.0) / mean**2 for v in level_variances))
    iteration_count = median(fork.moments.n for fork in forks)
    deviation = math.sqrt(variances.of_machine(float(counts.mean()), iteration_count))
    return MachineBenchmark(
        benchmark=benchmark,
        machines=counts.size,
        forks=len(forks),
        mean=mean,
        machine=_known_variance(machine_variance),
        fork=_known_variance(fork_variance),
        iteration=_pooled_variance(forks, "variance"),
        long_run=_pooled_variance(forks, "long_run"),
        half=fork_half_width(machine_means.tolist()) / mean,
        needed=machines_needed(deviation, query.target),
        plan=_cheapest_plan(forks, variances, query),
    )


def _means_and_errors(forks: Sequence[MachineFork]) -> tuple[np.ndarray, np.ndarray]:
    """Means of forks, and the variance that iterations leave to each; 0 of a single one."""
    moments = [fork.moments for fork in forks]
    errors = np.array([moment.long_run / moment.n for moment in moments])
    return np.array([moment.mean for moment in moments]), np.nan_to_num(errors)


def _pooled_variance(forks: Sequence[MachineFork], name: str) -> float | None:
    """Variance within forks, weighted by their degrees of freedom; None of single iterations."""
    weights = np.array([fork.moments.n - 1 for fork in forks], np.float64)
    if not weights.any():
        return None
    variances = np.nan_to_num([getattr(fork.moments, name) for fork in forks])
    return float(weights @ variances / weights.sum())


def _cheapest_plan(
    forks: Sequence[MachineFork], variances: LevelVariances, query: MachinesQuery
) -> MachinePlan | None:
    """The cheapest measurement; a fork is charged its start and the recorded warm-up."""
    seconds = [_iteration_seconds(fork) for fork in forks]
    lengths = [length for length in seconds if length]
    if not lengths:
        return None
    length = median(lengths)
    warm_up = median(warm_up_iterations(fork.start, fork.series.iteration_length) for fork in forks)
    costs = MachineCosts(query.machine_start, query.fork_start + warm_up * length, length)
    iteration_count = round(median(fork.moments.n for fork in forks))
    return machine_plan(variances, costs, query.target, most_iterations=max(iteration_count, 1))


def _iteration_seconds(fork: MachineFork) -> float | None:
    """Length of an iteration: as recorded, or its mean where it is one operation."""
    length = fork.series.iteration_length
    if length is None:
        return None
    return fork.moments.mean if length.seconds is None else length.seconds


def _name_indices(names: Iterable[object]) -> np.ndarray:
    """Number of each name, from 0 in the order of their first places."""
    indices: dict[object, int] = {}
    return np.array([indices.setdefault(name, len(indices)) for name in names], np.int64)


def _known_variance(variance: float) -> float | None:
    return None if math.isnan(variance) else variance


def _sort_key(row: MachineBenchmark) -> tuple[float, str, str, str]:
    """Sort key: benchmarks that need most machines first."""
    benchmark = row.benchmark
    needed_machines = math.inf if row.needed is None else row.needed
    return -needed_machines, benchmark.system, benchmark.name, benchmark.params


# --- all benchmarks together ------------------------------------------------------------------
def _level_rows(benchmarks: Sequence[Sequence[MachineFork]]) -> Iterator[LevelRow]:
    """Variation of logarithms by level over all benchmarks, the outermost first."""
    forks = [(index, fork) for index, group in enumerate(benchmarks) for fork in group]
    if not forks:
        return
    means, errors = _means_and_errors([fork for _, fork in forks])
    benchmark_indices = _name_indices(index for index, _ in forks)
    machine_indices = _name_indices((index, fork.machine) for index, fork in forks)
    groups = [benchmark_indices, machine_indices]
    variances = [
        None if math.isnan(variance) else max(variance, 0.0)
        for variance in variance_components(groups, np.log(means), errors / means**2)
    ]
    relative_variances = [
        fork.moments.variance / fork.moments.mean**2 for _, fork in forks if fork.moments.n > 1
    ]
    variances.append(float(np.mean(relative_variances)) if relative_variances else None)
    within_benchmarks = sum(variance for variance in variances[1:] if variance is not None)
    counts = [*(int(group.max()) + 1 for group in groups), len(forks)]
    counts.append(sum(fork.moments.n for _, fork in forks))
    for level, variance, count in zip(LEVELS, variances, counts, strict=True):
        has_share = level != LEVELS[0] and within_benchmarks > 0
        yield LevelRow(
            level,
            count,
            None if variance is None else math.sqrt(variance),
            variance / within_benchmarks if has_share and variance is not None else None,
        )
