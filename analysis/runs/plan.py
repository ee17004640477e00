"""The plan of a run: only what is not stored yet, cut into chunks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db.models import Count

from analysis.methods.models import KEY_LENGTH
from analysis.methods.weight_sets import refuse_foreign_sets
from analysis.runs.models import Detection
from analysis.runs.selection import SeriesSelection
from analysis.runs.timing import MethodTiming, timings
from detectors.contract import Detector, ParameterError
from detectors.registry import from_key
from people.models import Study

# Series of a chunk by the method's cost: 0.5 to 5 seconds of work, a fair share of a lease.
CHUNK_SIZES: Mapping[str, int] = {"instant": 100, "quick": 25, "slow": 4}
CHUNK_MILLISECONDS = 5_000.0  # expected computing of a chunk; a slower series is a chunk of its own
CHUNK_POINTS = 2_000_000  # values that one chunk may hold in memory: 16 MB
COSTS = tuple(CHUNK_SIZES)  # cheap methods first: their results come at once
OVERHEAD_MILLISECONDS = 0.5  # time to read a series and store its answer


class NothingToRun(ValueError):
    """No series or no method was chosen; the message says which."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Counts of a run that has not started. `stored_by_key` has a number for each detector key."""

    detectors: tuple[Detector, ...]
    series_count: int
    stored_by_key: Mapping[str, int]
    timings: Mapping[str, MethodTiming]
    count_by_length: Mapping[int, int] = field(default_factory=dict)  # series by number of values
    again: bool = False

    @property
    def wanted_count(self) -> int:
        return len(self.detectors) * self.series_count

    @property
    def stored_count(self) -> int:
        return 0 if self.again else sum(self.stored_by_key.values())

    @property
    def missing_count(self) -> int:
        return self.wanted_count - self.stored_count

    def seconds(self, workers: int) -> float:
        """About how long `workers` processes take."""
        return sum(self.seconds_of(detector, workers) for detector in self.detectors)

    def seconds_of(self, detector: Detector, workers: int, *, stored: bool = True) -> float:
        """About how long one method takes; `stored` False counts what is stored already, too."""
        remaining_series = self._remaining_series(detector) if stored else self.series_count
        share = remaining_series / max(self.series_count, 1)
        return share * self._milliseconds(detector) / 1000 / max(workers, 1)

    def seconds_of_length(self, n: int, workers: int) -> float:
        """About how long all series of `n` values take with every method."""
        milliseconds = sum(
            self._remaining_series(detector)
            * (
                expected_milliseconds(detector, self.timings[detector.key], n)
                + OVERHEAD_MILLISECONDS
            )
            for detector in self.detectors
        )
        share = self.count_by_length[n] / max(self.series_count, 1)
        return share * milliseconds / 1000 / max(workers, 1)

    def with_methods(self, keys: Collection[str]) -> RunPlan:
        """Plan of the methods with these keys alone."""
        chosen_detectors = tuple(detector for detector in self.detectors if detector.key in keys)
        return replace(
            self,
            detectors=chosen_detectors,
            stored_by_key={
                detector.key: self.stored_by_key[detector.key] for detector in chosen_detectors
            },
        )

    def _milliseconds(self, detector: Detector) -> float:
        """Milliseconds of one worker for all series, with reading and storing."""
        timing = self.timings[detector.key]
        return sum(
            count * (expected_milliseconds(detector, timing, n) + OVERHEAD_MILLISECONDS)
            for n, count in self.count_by_length.items()
        )

    @property
    def guessed_count(self) -> int:
        """Methods to compute that have not run on this machine: their times are guesses."""
        return sum(
            self._remaining_series(detector) > 0 and not self.timings[detector.key].is_measured
            for detector in self.detectors
        )

    def _remaining_series(self, detector: Detector) -> int:
        return self.series_count - (0 if self.again else self.stored_by_key[detector.key])


def plan_run(
    study: Study, selection: SeriesSelection, keys: Iterable[str], *, again: bool = False
) -> RunPlan:
    """Plan of the answers that a run of these detector keys has to compute."""
    detectors = detectors_by_cost(keys)
    refuse_foreign_sets(study, detectors)
    series = selection.series(study)
    stored_counts = dict.fromkeys((detector.key for detector in detectors), 0)
    stored_counts |= dict(
        Detection.objects.filter(series__in=series, detector_key__in=stored_counts)
        .settled()
        .values_list("detector_key")
        .annotate(count=Count("pk"))
        .order_by()
    )
    lengths = dict(series.order_by().values_list("n").annotate(count=Count("pk")))
    method_timings = timings(study, detectors)
    return RunPlan(detectors, sum(lengths.values()), stored_counts, method_timings, lengths, again)


class PlannedChunk(NamedTuple):
    """Series of a chunk by primary key, and the milliseconds that they are expected to take."""

    series_pks: list[int]
    expected_ms: float


def cut_into_chunks(
    series: Sequence[tuple[int, int]], size: int, milliseconds: Callable[[int], float]
) -> Iterator[PlannedChunk]:
    """Chunks of at most `size` series, CHUNK_POINTS values and CHUNK_MILLISECONDS, short first.

    series: pairs of primary key and number of values; milliseconds: of computing so many values.
    A series that is longer or slower than a chunk is a chunk of its own.
    """
    series_pks: list[int] = []
    chunk_points, chunk_milliseconds = 0, 0.0
    for pk, n in sorted(series, key=lambda pair: (pair[1], pair[0])):
        series_milliseconds = milliseconds(n) + OVERHEAD_MILLISECONDS
        is_full = (
            chunk_points + n > CHUNK_POINTS
            or chunk_milliseconds + series_milliseconds > CHUNK_MILLISECONDS
        )
        if series_pks and (len(series_pks) == size or is_full):
            yield PlannedChunk(series_pks, chunk_milliseconds)
            series_pks, chunk_points, chunk_milliseconds = [], 0, 0.0
        series_pks.append(pk)
        chunk_points += n
        chunk_milliseconds += series_milliseconds
    if series_pks:
        yield PlannedChunk(series_pks, chunk_milliseconds)


def expected_milliseconds(detector: Detector, timing: MethodTiming, n: int) -> float:
    """Computing time of `n` values; none where the method reads no series of that length."""
    if detector.longest is not None and n > detector.longest:
        return 0.0
    return timing.for_length(n)


def detectors_by_cost(keys: Iterable[str]) -> tuple[Detector, ...]:
    """The detectors of the keys, each once, cheap ones first."""
    detectors = dict.fromkeys(from_key(key) for key in keys)
    for detector in detectors:
        check_length(detector)
    return tuple(sorted(detectors, key=lambda detector: COSTS.index(detector.cost)))


def check_length(detector: Detector) -> None:
    """Raise ParameterError when the detector's key is longer than a row can hold."""
    if len(detector.key) > KEY_LENGTH:
        raise ParameterError(
            f"{detector.slug}: its parameters take {len(detector.key)} characters; "
            f"at most {KEY_LENGTH} can be stored"
        )
