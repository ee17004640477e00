"""The plan of an import: new series, known ones, contradictions. Reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Generic, TypeVar

from django.utils.dateparse import parse_datetime

from detectors.contract.directions import direction_of
from formats import FormatError, RecordingHint
from series.models import Benchmark, Dataset, Recording, Series
from series.reading.staging import BenchmarkKey, SeriesHeader

N = TypeVar("N", bound=SeriesHeader)
Where = tuple[BenchmarkKey, str, int]  # benchmark, label of the recording, fork
ANOTHER_RECORDING = (
    "values never change: import the file as another recording, "
    "such as --recording LABEL or the import page's field Recording"
)
FEW_NAMES = 1000  # of benchmarks or recordings, that one query may list
MEASURED_YEARS: Final = range(1900, 3000)
ANOTHER_NAME = "give one of them another fork number, parameters or name"
ANOTHER_LABEL = "leave it empty, or import the file as another recording"
OTHER_INSTANCE = (
    "measured on {}, and recording “{}” keeps {} as its machine: machines are told apart by "
    "recordings"
)
ANOTHER_DATASET = "import the file into another data set"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingDetails:
    """Details of the recording from a person; what is left empty is read from the file.

    Without a label here and in the file, an earlier import of the very same file gives it,
    else the file's name.
    """

    label: str = ""
    build: str = ""
    measured_at: datetime | None = None
    machine: str = ""
    instance: str = ""
    duet: str = ""
    runtime: str = ""
    notes: str = ""


@dataclass(slots=True)
class ImportPlan(Generic[N]):
    """Plan of what importing would do.

    new    each series to store, with its benchmark and recording, which may not be stored yet
    notes  sentences on what files say otherwise than their recording, with their new series
    """

    new: list[tuple[N, Benchmark, Recording]] = field(default_factory=list)
    known: int = 0
    benchmarks: dict[BenchmarkKey, Benchmark] = field(default_factory=dict)
    new_benchmarks: list[Benchmark] = field(default_factory=list)
    recordings: dict[str, Recording] = field(default_factory=dict)
    conflicts: list[FormatError] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class DatasetSnapshot:
    """Snapshot of what a data set holds, as far as the recordings with some labels go."""

    dataset: Dataset
    benchmarks: dict[BenchmarkKey, Benchmark]
    recordings: dict[str, Recording]
    digests: dict[Where, str]

    def add(self, plan: ImportPlan[N]) -> None:
        """Count what `plan` would store as stored, for a file that is imported after it."""
        for header, benchmark, recording in plan.new:
            self.benchmarks.setdefault(header.benchmark, benchmark)
            self.digests[header.benchmark, recording.label, header.fork] = header.digest


def read_snapshot(
    dataset: Dataset, labels: Iterable[str], names: Collection[str] | None = None
) -> DatasetSnapshot:
    """Three queries, however many series there are; nothing for a data set that is not stored.

    names  of the only benchmarks that are asked about: a night in a hundred files would else read
           what it has stored before a hundred times
    """
    few_names = list(names) if names is not None and len(names) <= FEW_NAMES else None
    benchmarks = Benchmark.objects.filter(dataset__pk=dataset.pk)
    if few_names is not None:
        benchmarks = benchmarks.filter(name__in=few_names)
    wanted_labels = set(labels)
    stored_recordings = Recording.objects.filter(dataset__pk=dataset.pk)
    if len(wanted_labels) <= FEW_NAMES:
        stored_recordings = stored_recordings.filter(label__in=wanted_labels)
    recordings = {
        recording.label: recording
        for recording in stored_recordings
        if recording.label in wanted_labels
    }
    series = Series.objects.filter(recording__in=list(recordings.values()))
    if few_names is not None:
        series = series.filter(benchmark__in=benchmarks)
    key = ("benchmark__system", "benchmark__name", "benchmark__params")
    rows = series.values_list(*key, "recording__label", "fork", "digest")
    return DatasetSnapshot(
        dataset,
        {
            BenchmarkKey(benchmark.system, benchmark.name, benchmark.params): benchmark
            for benchmark in benchmarks
        },
        recordings,
        {(BenchmarkKey(*key), label, fork): digest for *key, label, fork, digest in rows},
    )


def recording_label(series: SeriesHeader, occasion: RecordingDetails, default: str) -> str:
    """Label of the recording of a series, `default` where neither person nor file names it."""
    return (occasion.label or series.recording.label or default)[:200]


def plan_import(
    series: Iterable[N],
    snapshot: DatasetSnapshot,
    *,
    file_name: str,
    occasion: RecordingDetails,
    label: str,
) -> ImportPlan[N]:
    """Compare the series of a file with `snapshot`, which knows its data set under all labels.

    label  of the recording of series for which neither `occasion` nor the file has one
    """
    planner = _ImportPlanner[N](snapshot, file_name, occasion, label)
    for header in series:
        planner.place(header)
    return planner.plan


class _ImportPlanner(Generic[N]):
    def __init__(
        self, snapshot: DatasetSnapshot, file_name: str, occasion: RecordingDetails, label: str
    ) -> None:
        self.plan: ImportPlan[N] = ImportPlan()
        self._stored = snapshot
        self._file, self._occasion, self._default_label = file_name, occasion, label
        self._seen: set[Where] = set()

    def place(self, header: N) -> None:
        benchmark = self._benchmark(header)
        recording = self._recording(header)
        series_place = (header.benchmark, recording.label, header.fork)
        digest = self._stored.digests.get(series_place)
        conflict = self._conflict(header, benchmark, series_place, digest)
        if conflict is None and digest is None:
            conflict = self._details_conflict(header, recording)
        if conflict:
            self.plan.conflicts.append(conflict)
        elif digest is None:
            self.plan.new.append((header, benchmark, recording))
            instance = header.recording.instance[:200]
            if not self._occasion.instance and instance not in ("", recording.instance):
                self.plan.notes[OTHER_INSTANCE.format(instance, recording, recording.instance)] += 1
        else:
            self.plan.known += 1

    def _benchmark(self, header: SeriesHeader) -> Benchmark:
        benchmark = self.plan.benchmarks.get(header.benchmark)
        benchmark = benchmark or self._stored.benchmarks.get(header.benchmark)
        if benchmark is None:
            system, name, params = header.benchmark
            is_direction_known = direction_of(header.unit, header.mode).is_known
            benchmark = Benchmark(
                dataset=self._stored.dataset,
                system=system,
                name=name,
                params=params,
                unit=header.unit,
                mode=header.mode,
                better="" if is_direction_known else header.better,
            )
            self.plan.new_benchmarks.append(benchmark)
        return self.plan.benchmarks.setdefault(header.benchmark, benchmark)

    def _recording(self, header: SeriesHeader) -> Recording:
        label = recording_label(header, self._occasion, self._default_label)
        if label not in self.plan.recordings:
            recording = self._stored.recordings.get(label) or Recording(
                dataset=self._stored.dataset, label=label
            )
            fill_recording(recording, self._occasion, header.recording)
            self.plan.recordings[label] = recording
        return self.plan.recordings[label]

    def _conflict(
        self, header: SeriesHeader, benchmark: Benchmark, series_place: Where, digest: str | None
    ) -> FormatError | None:
        """The sentence on why this series cannot be stored; None if it can, or is known."""
        is_repeated = series_place in self._seen
        self._seen.add(series_place)
        if is_repeated:
            actual = f"fork {header.fork} of this benchmark a second time"
            return self._refused(header, actual, "each fork once in a recording", ANOTHER_NAME)
        if header.unit != benchmark.unit:
            actual = f"values in {header.unit or 'no unit'}"
            status = "is stored" if benchmark.pk else "came before in this import"
            expected = f"{benchmark.unit or 'no unit'}, in which this benchmark {status}"
            return self._refused(header, actual, expected, ANOTHER_DATASET)
        if digest is not None and digest != header.digest:
            actual = "other values than are stored"
            expected = f"those of recording “{series_place[1]}”, or a new recording"
            return self._refused(header, actual, expected, ANOTHER_RECORDING)
        return None

    def _details_conflict(self, incoming: SeriesHeader, recording: Recording) -> FormatError | None:
        """The sentence on what the person says otherwise than the recording; None for nothing."""
        for name in ("build", "machine", "instance", "duet"):
            stated, present = getattr(self._occasion, name)[:200], getattr(recording, name)
            if stated not in ("", present):
                actual = f"{name} {stated}"
                expected = f"{present}, as recording “{recording.label}” has it"
                return self._refused(incoming, actual, expected, ANOTHER_LABEL)
        return None

    def _refused(
        self, incoming: SeriesHeader, actual: str, expected: str, hint: str
    ) -> FormatError:
        return FormatError(self._file, incoming.label, found=actual, expected=expected, hint=hint)


def fill_recording(recording: Recording, occasion: RecordingDetails, hint: RecordingHint) -> None:
    """Say what is not said yet: first what the person says, then what the file says."""
    for name in ("build", "machine", "instance", "runtime"):
        text = getattr(recording, name) or getattr(occasion, name) or getattr(hint, name)
        setattr(recording, name, text[:200])
    recording.duet = recording.duet or occasion.duet[:200]
    recording.notes = recording.notes or occasion.notes
    if recording.measured_at is None:
        recording.measured_at = occasion.measured_at or parse_moment(hint.measured_at)


def parse_moment(text: str) -> datetime | None:
    """Read an ISO 8601 time stamp; one without a zone is taken as UTC.

    None where it is no such, or of a year in which nothing was measured: the first and last days of
    the calendar cannot be shown in every time zone.
    """
    try:
        parsed_time = parse_datetime(text.strip())
        if parsed_time is None:
            return None
        moment = (
            parsed_time.replace(tzinfo=UTC)
            if parsed_time.tzinfo is None
            else parsed_time.astimezone(UTC)
        )
    except (ValueError, OverflowError):  # well-formed, but no such day, or none in UTC
        return None
    return moment if moment.year in MEASURED_YEARS else None
