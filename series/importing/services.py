"""Importing a file into a data set: all of it or nothing, and twice is once."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import NamedTemporaryFile, SpooledTemporaryFile
from typing import Literal, TypeVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone

from formats import FormatError, Measurement, ReadLimits, ReadOptions
from formats.iterations import Conditions, length_of
from formats.names import normal
from formats.paths import stem
from people.models import Study, User
from people.public_id import new_public_id
from people.slugs import create_with_slug
from series.importing import direction_changes, quota
from series.importing.import_plan import (
    ImportPlan,
    RecordingDetails,
    plan_import,
    read_snapshot,
    recording_label,
)
from series.importing.upload_files import folder
from series.models import (
    Benchmark,
    Dataset,
    Import,
    Recording,
    Samples,
    Series,
    SeriesShape,
    SeriesSketch,
)
from series.models.series import SeriesQuerySet
from series.queries import NEWEST_FIRST
from series.reading import file_readers
from series.reading.staging import (
    ImportStep,
    IncomingSeries,
    SeriesAbout,
    StagedFile,
    digest_and_size,
)
from series.values import copies, stored_values
from series.values.row_inserts import insert_rows

T = TypeVar("T")
PlannedSeries = tuple[IncomingSeries, Benchmark, Recording]
OnProblems = Literal["stop", "leave-out"]
IN_MEMORY = 32_000_000  # bytes of values that wait in memory; more wait on disk
ROWS, BLOBS = 500, 100  # rows a statement: small ones, and ones with values
RAISE_FILE_SIZE = "ask whoever runs Plateau to raise PLATEAU_MAX_FILE_MB"
LIMIT_HINTS = {  # what to do about a file beyond a limit of ReadLimits
    "file_bytes": f"split it, or {RAISE_FILE_SIZE}",
    "points": f"split it, or {RAISE_FILE_SIZE}",
    "series": "split it, or ask whoever runs Plateau to raise PLATEAU_MAX_SERIES",
    "points_per_series": "ask whoever runs Plateau to raise PLATEAU_MAX_POINTS",
    "text": "split it",
    "memory": "split it",
    "events": "cut the log to the measured iterations, or raise PLATEAU_MAX_EVENTS",
}
LEAST_TEXT = 4  # bytes of a value in a file, such as "1.5,"
PART_BYTES = 8_000_000  # of values in one statement, unless one series has more


@dataclass(frozen=True, slots=True)
class SeriesImportResult:
    """Result of an import, or with `dry_run` of one that is not done. `stored` and `known` count
    series.
    """

    file: str
    digest: str
    size: int
    stored: int
    known: int
    benchmarks: int
    shortest: int
    longest: int
    recordings: tuple[str, ...]
    problems: tuple[FormatError, ...]  # of what was left out; the first hundred
    problem_count: int
    notes: tuple[tuple[str, int], ...]  # sentence, number of series that it is about


def import_file(
    dataset: Dataset,
    file: file_readers.FileToRead,
    *,
    by: User | None = None,
    occasion: RecordingDetails | None = None,
    on_problems: OnProblems = "stop",
    default_label: str = "",
    dry_run: bool = False,
    make_dataset: Callable[[], Dataset] | None = None,
) -> SeriesImportResult:
    """Store the series of a file; series that are there with the same values count as known.

    The file is read in a process of its own, within the limits of the settings. Nothing of it is
    stored when this raises: FormatError for the first thing that cannot be read or that
    contradicts what is stored (with `on_problems="leave-out"`: only for what concerns the file as
    a whole). A file that brings nothing new leaves no trace. `default_label` names a recording
    that neither the person nor the file names, instead of the file's name. `dry_run` tells what
    would happen and writes nothing; its data set need not be stored. `make_dataset` stores a data
    set that is not there yet, in the transaction of its first series.
    """
    with file.opened() as stream:
        digest, size = digest_and_size(stream)
    bounded_file = dataclasses.replace(file, options=within_limits(file.options))
    with _staged_file(bounded_file, on_problems) as intake:
        intake.digest, intake.size, intake.default_label = digest, size, normal(default_label)
        details = occasion or RecordingDetails()
        if dry_run:
            return _import_result(intake, _planned(dataset, intake, details))
        with transaction.atomic():
            if make_dataset is not None:
                dataset = make_dataset()
            return _import_result(intake, _store(dataset, intake, details, Import(by=by)))


def import_upload(
    dataset: Dataset,
    upload: Import,
    file: file_readers.FileToRead,
    *,
    occasion: RecordingDetails,
    on_problems: OnProblems,
    step: ImportStep | None = None,
) -> SeriesImportResult:
    """Store the series of a file that was uploaded before, with the options and limits of `file`.

    `upload` is done afterwards, also where the file brings nothing new. `step` is told of the
    progress, and may raise to end the import with nothing written.
    """
    with _staged_file(file, on_problems, step) as intake:
        intake.digest, intake.size = upload.file_digest, upload.size
        return _import_result(intake, _store(dataset, intake, occasion, upload))


@contextmanager
def _staged_file(
    file: file_readers.FileToRead, on_problems: OnProblems, step: ImportStep | None = None
) -> Iterator[StagedFile]:
    """The series of a file, whose values wait on disk until they are stored."""
    with NamedTemporaryFile(dir=folder(), suffix=".values") as spool:
        yield file_readers.stage_file(file, spool, collects=on_problems == "leave-out", step=step)


def import_measurements(
    dataset: Dataset,
    measurements: Iterable[Measurement],
    name: str,
    *,
    by: User | None = None,
    occasion: RecordingDetails | None = None,
) -> SeriesImportResult:
    """Store series that come from no file, such as simulated ones, by the rules of a file.

    `name` stands where the file's name would; what is told of its digest is that of all values.
    """
    with SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        intake = StagedFile(name, spool)
        intake.take(measurements)
        digests = "".join(series.digest for series in intake.series).encode()
        intake.digest = hashlib.sha256(digests).hexdigest()
        intake.size = sum(series.values.size for series in intake.series)
        details = occasion or RecordingDetails()
        return _import_result(intake, _store(dataset, intake, details, Import(by=by)))


def state_answer(series: Series, *, start: int, reason: str) -> None:
    """Say what is known of a simulated series: the first steady iteration, -1 for never, and why.

    Comparison uses it as a yardstick. Raises ValueError for a series that was measured.
    """
    if not series.benchmark.dataset.simulated:
        raise ValueError(f"{series}: the answer of a measured series is not known")
    Series.objects.filter(pk=series.pk).update(known_start=start, known_reason=reason[:300])


@transaction.atomic
def say_length(series: SeriesQuerySet, setting: Conditions) -> list[int]:
    """Say how long iterations last, of those series of which nobody knows; their primary keys.

    `setting` comes from `formats.iterations.stated_settings`. Rates of one operation stay unknown.
    """
    changed_series = []
    for row in series.select_related("benchmark"):
        new_settings = {**row.settings, **setting}
        new_length = length_of(row.benchmark.unit, row.benchmark.mode, new_settings)
        if row.iteration_length is None and new_length is not None:
            row.settings = new_settings
            row.seconds_per_iteration = new_length.seconds
            changed_series.append(row)
    Series.objects.bulk_update(changed_series, ["settings", "seconds_per_iteration"], ROWS)
    return [row.pk for row in changed_series]


def within_limits(options: ReadOptions) -> ReadOptions:
    """`options` with the installation's limits instead of the reader's own."""
    limits = ReadLimits(
        file_bytes=settings.IMPORT_MAX_FILE_BYTES,
        series=settings.IMPORT_MAX_SERIES,
        points_per_series=settings.IMPORT_MAX_POINTS,
        points=settings.IMPORT_MAX_FILE_BYTES // LEAST_TEXT,
        events=settings.IMPORT_MAX_EVENTS,
        hints=LIMIT_HINTS,
    )
    return dataclasses.replace(options, limits=limits)


def _planned(
    dataset: Dataset, intake: StagedFile, occasion: RecordingDetails
) -> ImportPlan[IncomingSeries]:
    """Plan what storing would do; raises the first contradiction unless those are left out."""
    label = label_for(dataset, intake.digest, default=intake.default_label or stem(intake.name))
    labels = {recording_label(series, occasion, label) for series in intake.series}
    benchmark_names = {series.benchmark.name for series in intake.series}
    plan = plan_import(
        intake.series,
        read_snapshot(dataset, labels, benchmark_names),
        file_name=intake.name,
        occasion=occasion,
        label=label,
    )
    for conflict in plan.conflicts:
        if not intake.collects:
            raise conflict
        intake.note_problem(conflict)
    return plan


@transaction.atomic
def _store(
    dataset: Dataset, intake: StagedFile, occasion: RecordingDetails, row: Import
) -> ImportPlan[IncomingSeries]:
    """Write what is new, with `row` of its import. The transaction only copies: all is read and
    drawn before. A row that is stored already, that of an upload, is done without news, too.
    """
    # The locks, that of the study first as everywhere: of two imports at once, the second finds
    # what the first has stored, and of an import and an upload both keep to the quota.
    quota.lock_quota(dataset.study)
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    plan = _planned(dataset, intake, occasion)
    is_upload = row.pk is not None
    if plan.new:
        copies.one_at_a_time()
        sizes = (series.stored_bytes for series, _, _ in plan.new)
        quota.check_quota(dataset.study, intake.name, sizes, upload=row if is_upload else None)
        recordings = plan.recordings.values()
        are_new = all(recording.pk is None for recording in recordings)
        _write(plan, intake)
        choose_shown(
            {benchmark.pk for _, benchmark, _ in plan.new},
            added_keys=[recording.pk for recording in recordings] if are_new else None,
        )
    if plan.new or is_upload:
        _note_import(dataset, intake, plan, row)
    return plan


def _note_import(
    dataset: Dataset, intake: StagedFile, plan: ImportPlan[IncomingSeries], row: Import
) -> None:
    stored_recordings = [recording for recording in plan.recordings.values() if recording.pk]
    row.study, row.dataset = dataset.study, dataset
    row.recording = stored_recordings[0] if len(stored_recordings) == 1 else None
    row.file_name, row.file_digest = intake.name[-300:], intake.digest
    row.size, row.state, row.error = intake.size, Import.State.DONE, ""
    row.stored, row.known = len(plan.new), plan.known
    row.save()


def label_for(dataset: Dataset, digest: str, *, default: str) -> str:
    """The recording of a file that names none: that of the same file before, else `default`."""
    return recording_labels(dataset, [digest]).get(digest, default)


def recording_labels(dataset: Dataset, digests: Iterable[str]) -> dict[str, str]:
    """The recording into which a file with this digest was imported last, by digest."""
    rows = Import.objects.filter(
        dataset__pk=dataset.pk, file_digest__in=list(digests), recording__isnull=False
    )
    return dict(rows.order_by("when").values_list("file_digest", "recording__label"))


def _import_result(intake: StagedFile, plan: ImportPlan[IncomingSeries]) -> SeriesImportResult:
    lengths = [series.n for series in intake.series]
    return SeriesImportResult(
        file=intake.name,
        digest=intake.digest,
        size=intake.size,
        stored=len(plan.new),
        known=plan.known,
        benchmarks=len(plan.benchmarks),
        shortest=min(lengths, default=0),
        longest=max(lengths, default=0),
        recordings=tuple(plan.recordings),
        problems=tuple(intake.problems),
        problem_count=intake.problem_count,
        notes=tuple((intake.notes + plan.notes).items()),
    )


# --- rows -------------------------------------------------------------------------------------
def _write(plan: ImportPlan[IncomingSeries], intake: StagedFile) -> None:
    used_benchmarks = {id(benchmark) for _, benchmark, _ in plan.new}
    Benchmark.objects.bulk_create(
        [benchmark for benchmark in plan.new_benchmarks if id(benchmark) in used_benchmarks], ROWS
    )
    for recording in plan.recordings.values():
        recording.save()
    stored_keys: list[int] = []
    moment = connection.ops.adapt_datetimefield_value(timezone.now())
    for batch in _parts(plan.new):  # no more values in memory than are written together
        batch_columns = [intake.about(series) for series, _, _ in batch]
        rows = [
            _row(planned_series, columns, moment)
            for planned_series, columns in zip(batch, batch_columns, strict=True)
        ]
        keys = insert_rows(Series, rows)
        pairs = zip(keys, batch_columns, strict=True)
        insert_rows(SeriesShape, [{"series_id": pk, **about.shape_columns} for pk, about in pairs])
        _write_blobs(list(zip(keys, [series for series, _, _ in batch], strict=True)), intake)
        stored_keys += keys
        intake.tell(stored_count=len(stored_keys))
    for linked_keys in _batches(stored_keys, copies.AT_ONCE):
        copies.link_copies(linked_keys)


def _parts(new_series: Sequence[PlannedSeries]) -> Iterator[list[PlannedSeries]]:
    """The series to write, so many at once that their values take at most `PART_BYTES`, or one."""
    batch: list[PlannedSeries] = []
    size = 0
    for planned_series in new_series:
        stored_bytes = planned_series[0].stored_bytes
        size += stored_bytes
        if batch and (size > PART_BYTES or len(batch) == BLOBS):
            yield batch
            batch, size = [], stored_bytes
        batch.append(planned_series)
    if batch:
        yield batch


def _row(planned_series: PlannedSeries, columns: SeriesAbout, moment: object) -> dict[str, object]:
    series, benchmark, recording = planned_series
    return {
        "public_id": new_public_id(),
        "benchmark_id": benchmark.pk,
        "recording_id": recording.pk,
        "fork": series.fork,
        "n": series.n,
        "digest": series.digest,
        "known_reason": "",
        "created": moment,
        **columns.series_columns,
    }


def _write_blobs(batch: Sequence[tuple[int, IncomingSeries]], intake: StagedFile) -> None:
    stored_values.store(
        [(pk, series.digest, intake.bytes_at(series.values)) for pk, series in batch]
    )
    sketch_rows = [
        {
            "series_id": pk,
            "hashes": intake.bytes_at(series.sketch),
            "value_hashes": intake.bytes_at(series.value_sketch),
        }
        for pk, series in batch
    ]
    insert_rows(SeriesSketch, sketch_rows)
    sample_rows = [
        {"series_id": pk, **_sample_bytes(series, intake)} for pk, series in batch if series.samples
    ]
    insert_rows(Samples, sample_rows)


def _sample_bytes(series: IncomingSeries, intake: StagedFile) -> dict[str, bytes]:
    names = ("offsets", "values", "counts")
    spool_places = series.samples or ()
    return {
        name: intake.bytes_at(spool_place)
        for name, spool_place in zip(names, spool_places, strict=True)
    }


def _batches(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def choose_shown(benchmark_ids: Iterable[int], *, added_keys: Sequence[int] | None = None) -> None:
    """Let each benchmark's row in lists show the lowest fork of its newest recording.

    Where only the recordings `added_keys` came since, no other series are looked at than theirs and
    those shown.
    """
    forks = Series.objects.filter(benchmark=OuterRef("pk")).order_by(*NEWEST_FIRST, "fork")
    if added_keys is not None:
        forks = forks.filter(Q(recording__in=added_keys) | Q(pk=OuterRef("shown")))
    for batch_ids in _batches(sorted(benchmark_ids), ROWS):
        Benchmark.objects.filter(pk__in=batch_ids).update(shown=Subquery(forks.values("pk")[:1]))


# --- benchmarks -------------------------------------------------------------------------------
def set_direction(benchmark: Benchmark, direction: str) -> None:
    """Say which values of a benchmark are better; empty for what its unit and mode say.

    Answers of methods that now read its values otherwise go. Raises ValidationError for anything
    else.
    """
    if direction not in {"", *Benchmark.Better.values}:
        raise ValidationError(f"Found “{direction[:40]}”, expected more, less or nothing.")
    previous_direction = benchmark.direction.more
    benchmark.better = direction
    with transaction.atomic():
        benchmark.save(update_fields=["better"])
        if benchmark.direction.more != previous_direction:
            direction_changes.announce_direction(benchmark)


# --- data sets --------------------------------------------------------------------------------
def find_dataset(study: Study, slug: str, *, simulated: bool = False) -> Dataset:
    """The study's data set with this slug, made if there is none."""
    dataset_fields = {"name": slug, "simulated": simulated}
    dataset, _ = Dataset.objects.get_or_create(study=study, slug=slug, defaults=dataset_fields)
    return dataset


def ensure_dataset(study: Study, name: str, *, simulated: bool = False, **columns: str) -> Dataset:
    """The study's data set of this name, made if there is none; two at once get the same one."""
    datasets_of_name = study.datasets.filter(name=name)
    if existing_dataset := datasets_of_name.first():
        return existing_dataset
    try:
        return create_dataset(study, name=name, simulated=simulated, **columns)
    except IntegrityError:
        return datasets_of_name.get()


def create_dataset(study: Study, *, name: str, simulated: bool = False, **columns: str) -> Dataset:
    """Store a new data set; its slug is made of the name, and free in the study.

    IntegrityError where the study has one of this name.
    """
    return create_with_slug(
        name,
        read_slugs=lambda: set(study.datasets.values_list("slug", flat=True)),
        fallback="data",
        create=lambda slug: Dataset.objects.create(
            study=study, name=name, slug=slug, simulated=simulated, **columns
        ),
    )
