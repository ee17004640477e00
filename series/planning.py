"""What of a file is new to a data set, what is there already, and what contradicts it. Reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.utils.dateparse import parse_datetime

from formats import FormatError, RecordingHint
from series.intake import Incoming, Intake, Key
from series.models import Benchmark, Dataset, Recording, Series

ANOTHER_RECORDING = (
    "values never change: import the file as another recording, "
    "such as --recording LABEL or the import page's field Recording"
)
ANOTHER_NAME = "give one of them another fork number, parameters or name"
ANOTHER_DATASET = "import the file into another data set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What a person says about the recording; what is left empty is read from the file.

    Without a label here and in the file, an earlier import of the very same file gives it,
    else the file's name.
    """

    label: str = ""
    build: str = ""
    measured_at: datetime | None = None
    machine: str = ""
    runtime: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """One series to store, with its benchmark and recording, which may not be stored yet."""

    incoming: Incoming
    benchmark: Benchmark
    recording: Recording


@dataclass(slots=True)
class Plan:
    """What importing would do."""

    new: list[Planned] = field(default_factory=list)
    known: int = 0
    benchmarks: dict[Key, Benchmark] = field(default_factory=dict)
    new_benchmarks: list[Benchmark] = field(default_factory=list)
    recordings: dict[str, Recording] = field(default_factory=dict)
    conflicts: list[FormatError] = field(default_factory=list)


def plan_import(dataset: Dataset, intake: Intake, occasion: Occasion, label: str) -> Plan:
    """Compare `intake` with `dataset`, which may not be stored yet; `label` names what has none."""
    planner = _Planner(dataset, intake, occasion, label)
    for incoming in intake.series:
        planner.place(incoming)
    return planner.plan


class _Planner:
    def __init__(self, dataset: Dataset, intake: Intake, occasion: Occasion, label: str) -> None:
        self.plan = Plan()
        self._dataset = dataset
        self._file = intake.name
        self._occasion = occasion
        self._label = label
        self._benchmarks = _stored_benchmarks(dataset)
        self._recordings = _stored_recordings(dataset, map(self._label_of, intake.series))
        self._digests = _stored_digests(self._recordings.values())
        self._seen: set[tuple[Key, str, int]] = set()

    def place(self, incoming: Incoming) -> None:
        benchmark = self._benchmark(incoming)
        recording = self._recording(incoming)
        digest = self._digests.get((benchmark.pk, recording.pk, incoming.fork))
        if conflict := self._conflict(incoming, benchmark, recording, digest):
            self.plan.conflicts.append(conflict)
        elif digest is None:
            self.plan.new.append(Planned(incoming, benchmark, recording))
        else:
            self.plan.known += 1

    def _benchmark(self, incoming: Incoming) -> Benchmark:
        found = self.plan.benchmarks.get(incoming.benchmark)
        found = found or self._benchmarks.get(incoming.benchmark)
        if found is None:
            system, name, params = incoming.benchmark
            found = Benchmark(
                dataset=self._dataset,
                system=system,
                name=name,
                params=params,
                unit=incoming.unit,
                mode=incoming.mode,
            )
            self.plan.new_benchmarks.append(found)
        return self.plan.benchmarks.setdefault(incoming.benchmark, found)

    def _recording(self, incoming: Incoming) -> Recording:
        label = self._label_of(incoming)
        if label not in self.plan.recordings:
            found = self._recordings.get(label) or Recording(dataset=self._dataset, label=label)
            fill_in(found, self._occasion, incoming.recording)
            self.plan.recordings[label] = found
        return self.plan.recordings[label]

    def _label_of(self, incoming: Incoming) -> str:
        return (self._occasion.label or incoming.recording.label or self._label)[:200]

    def _conflict(
        self, incoming: Incoming, benchmark: Benchmark, recording: Recording, digest: str | None
    ) -> FormatError | None:
        """The sentence on why this series cannot be stored; None if it can, or is known."""
        place = (incoming.benchmark, recording.label, incoming.fork)
        again = place in self._seen
        self._seen.add(place)
        if again:
            found = f"fork {incoming.fork} of this benchmark a second time"
            return self._refused(incoming, found, "each fork once in a recording", ANOTHER_NAME)
        if incoming.unit != benchmark.unit:
            found = f"values in {incoming.unit or 'no unit'}"
            expected = f"{benchmark.unit or 'no unit'}, in which this benchmark is stored"
            return self._refused(incoming, found, expected, ANOTHER_DATASET)
        if digest is not None and digest != incoming.digest:
            found = "other values than are stored"
            expected = f"those of recording “{recording.label}”, or a new recording"
            return self._refused(incoming, found, expected, ANOTHER_RECORDING)
        return None

    def _refused(self, incoming: Incoming, found: str, expected: str, hint: str) -> FormatError:
        return FormatError(self._file, incoming.label, found=found, expected=expected, hint=hint)


def fill_in(recording: Recording, occasion: Occasion, hint: RecordingHint) -> None:
    """Say what is not said yet: first what the person says, then what the file says."""
    for name in ("build", "machine", "runtime"):
        said = getattr(recording, name) or getattr(occasion, name) or getattr(hint, name)
        setattr(recording, name, said[:200])
    recording.notes = recording.notes or occasion.notes
    if recording.measured_at is None:
        recording.measured_at = occasion.measured_at or moment_of(hint.measured_at)


def moment_of(text: str) -> datetime | None:
    """An ISO 8601 time stamp; one without a zone is taken as UTC. None where it is no such."""
    try:
        found = parse_datetime(text.strip())
    except ValueError:  # well-formed, but no such day
        return None
    if found is not None and found.tzinfo is None:
        return found.replace(tzinfo=UTC)
    return found


# --- what is stored ---------------------------------------------------------------------------
def _stored_benchmarks(dataset: Dataset) -> dict[Key, Benchmark]:
    rows = Benchmark.objects.filter(dataset__pk=dataset.pk)  # none for one that is not stored
    return {Key(each.system, each.name, each.params): each for each in rows}


def _stored_recordings(dataset: Dataset, labels: Iterable[str]) -> dict[str, Recording]:
    wanted = set(labels)
    rows = Recording.objects.filter(dataset__pk=dataset.pk)
    return {each.label: each for each in rows if each.label in wanted}


def _stored_digests(recordings: Iterable[Recording]) -> dict[tuple[int, int, int], str]:
    """Digest by benchmark, recording and fork."""
    rows = Series.objects.filter(recording__in=list(recordings)).values_list(
        "benchmark_id", "recording_id", "fork", "digest"
    )
    return {(benchmark, recording, fork): digest for benchmark, recording, fork, digest in rows}
