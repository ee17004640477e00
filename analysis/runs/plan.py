"""The plan of a run: only what is not stored yet, cut into chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Avg, Count

from analysis.methods.models import KEY_LENGTH
from analysis.methods.weight_sets import refuse_others
from analysis.runs.models import Detection
from analysis.runs.selection import SeriesSelection
from analysis.runs.timing import MethodTiming, timings
from detectors.contract import Detector, ParameterError
from detectors.registry import from_key
from people.models import Study

# Series of a chunk by the method's cost: 0.5 to 5 seconds of work, a fair share of a lease.
CHUNK_SIZES: Mapping[str, int] = {"instant": 100, "quick": 25, "slow": 4}
CHUNK_POINTS = 2_000_000  # values that one chunk may hold in memory: 16 MB
COSTS = tuple(CHUNK_SIZES)  # cheap methods first: their results come at once
OVERHEAD_MILLISECONDS = 0.5  # reading a series and storing its answer


class NothingToRun(ValueError):
    """No series or no method was chosen; the message says which."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Counts of a run that has not started. `stored` has a number for each detector key."""

    detectors: tuple[Detector, ...]
    series: int
    stored: Mapping[str, int]
    timings: Mapping[str, MethodTiming]
    values: float = 0.0  # of a series, on average
    again: bool = False

    @property
    def wanted(self) -> int:
        return len(self.detectors) * self.series

    @property
    def stored_count(self) -> int:
        return 0 if self.again else sum(self.stored.values())

    @property
    def to_compute(self) -> int:
        return self.wanted - self.stored_count

    def seconds(self, workers: int) -> float:
        """About how long `workers` processes take."""
        work = sum(
            self._left(each) * (self.timings[each.key].of(self.values) + OVERHEAD_MILLISECONDS)
            for each in self.detectors
        )
        return work / 1000 / max(workers, 1)

    @property
    def guessed(self) -> int:
        """Methods to compute that have not run on this machine: their times are guesses."""
        return sum(
            self._left(each) > 0 and not self.timings[each.key].measured for each in self.detectors
        )

    def _left(self, detector: Detector) -> int:
        return self.series - (0 if self.again else self.stored[detector.key])


def plan_run(
    study: Study, selection: SeriesSelection, keys: Iterable[str], *, again: bool = False
) -> RunPlan:
    """What a run of these detector keys would have to compute."""
    detectors = in_order_of_cost(keys)
    refuse_others(study, detectors)
    series = selection.series(study)
    stored = dict.fromkeys((each.key for each in detectors), 0)
    stored |= dict(
        Detection.objects.filter(series__in=series, detector_key__in=stored)
        .settled()
        .values_list("detector_key")
        .annotate(count=Count("pk"))
        .order_by()
    )
    sizes = series.aggregate(count=Count("pk"), values=Avg("n"))
    times = timings(study, detectors)
    return RunPlan(detectors, sizes["count"], stored, times, sizes["values"] or 0.0, again)


def cut_into_chunks(series: Sequence[tuple[int, int]], size: int) -> Iterator[list[int]]:
    """Primary keys in lists of at most `size`, and of at most CHUNK_POINTS values.

    series: pairs of primary key and number of values. A single longer series
    is a chunk of its own.
    """
    ids: list[int] = []
    points = 0
    for pk, n in series:
        if ids and (len(ids) == size or points + n > CHUNK_POINTS):
            yield ids
            ids, points = [], 0
        ids.append(pk)
        points += n
    if ids:
        yield ids


def in_order_of_cost(keys: Iterable[str]) -> tuple[Detector, ...]:
    """The detectors of the keys, each once, cheap ones first."""
    chosen = dict.fromkeys(from_key(key) for key in keys)
    for each in chosen:
        check_length(each)
    return tuple(sorted(chosen, key=lambda each: COSTS.index(each.cost)))


def check_length(detector: Detector) -> None:
    """Raise ParameterError when the detector's key is longer than a row can hold."""
    if len(detector.key) > KEY_LENGTH:
        raise ParameterError(
            f"{detector.slug}: its parameters take {len(detector.key)} characters; "
            f"at most {KEY_LENGTH} can be stored"
        )
