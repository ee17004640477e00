"""Files that people upload: kept until they are imported or discarded, and looked into before.

Where they lie and for how long is in `series.importing.upload_files`. Nothing of a file reaches a
data set before it is confirmed.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from formats import FormatError, ReadOptions
from formats.names import normal
from people.models import Study, User
from series.importing import quota
from series.importing.import_plan import RecordingDetails
from series.importing.services import OnProblems, SeriesImportResult, import_upload, within_limits
from series.importing.upload_files import forget, list_path, open_upload, touch, upload_path
from series.models import Dataset, Import
from series.reading import file_readers, import_summary
from series.reading.file_readers import ReadersBusy
from series.reading.staging import ImportStep

WAITING = Q(state=Import.State.UPLOADED) | Q(state=Import.State.FAILED)
PROBLEM_COLUMNS = ("file", "where", "found", "expected", "what to do")


def waiting_uploads(study: Study, person: User) -> QuerySet[Import]:
    """Files that this person uploaded and has neither imported nor discarded, in order of
    upload.
    """
    return study.imports.filter(WAITING, by=person).order_by("when", "pk")


# --- keeping a file ---------------------------------------------------------------------------
def store_upload(
    study: Study, chunks: Iterable[bytes], name: str, *, by: User, benchmark: str = ""
) -> Import:
    """Store an uploaded file and look into it. The same file waiting already stays one.

    benchmark  name of the benchmark, where the file has none

    Raises TooLarge, and keeps nothing, where the study has no room for it.
    """
    options = {"benchmark": benchmark} if benchmark else {}
    upload = Import(study=study, by=by, file_name=normal(name)[-300:], size=0, options=options)
    try:
        _write(upload, chunks)
        if same_upload := waiting_uploads(study, by).filter(_same_file(upload)).first():
            forget(upload)
            return same_upload
        _forget_discarded_files(study, by)
        quota.check_waiting_quota(upload)  # before the file is read, and again when it is stored
        _look_into(upload)
        _save_within_quota(upload)
    except BaseException:  # no file stays that no row tells of
        forget(upload)
        raise
    return upload


def _write(upload: Import, chunks: Iterable[bytes]) -> None:
    digest = hashlib.sha256()
    with upload_path(upload).open("wb") as upload_file:
        for chunk in chunks:
            digest.update(chunk)
            upload.size += upload_file.write(chunk)
    upload.file_digest = digest.hexdigest()


def _same_file(upload: Import) -> Q:
    """Uploads of the same bytes; under the same name of a benchmark, where one was said."""
    same_bytes = Q(file_digest=upload.file_digest)
    return same_bytes & Q(options=upload.options) if upload.options else same_bytes


def earlier_import(upload: Import) -> Import | None:
    """The import of the very same file into a data set of this study, if there was one."""
    finished_imports = upload.study.imports.filter(_same_file(upload), state=Import.State.DONE)
    return finished_imports.select_related("by", "dataset__study").first()


def discard(upload: Import) -> bool:
    """Mark a file as not wanted; False, and nothing happens, unless it waits.

    The file stays for an hour (`purge_uploads`), or until its person uploads another.
    """
    discarded_count = Import.objects.filter(WAITING, pk=upload.pk).update(
        state=Import.State.DISCARDED
    )
    if discarded_count and upload_path(upload).exists():
        touch(upload)
    return bool(discarded_count)


@transaction.atomic
def restore_upload(upload: Import, state: str) -> bool:
    """Let a discarded file wait again, as `state` says.

    False where the file is gone or not discarded. Raises TooLarge where the study has no room.
    """
    quota.lock_quota(upload.study)
    discarded_upload = Import.objects.filter(pk=upload.pk, state=Import.State.DISCARDED)
    if not (upload_path(upload).exists() and discarded_upload.exists()):
        return False
    quota.check_waiting_quota(upload)
    return bool(discarded_upload.update(state=state))


@transaction.atomic
def _save_within_quota(upload: Import) -> None:
    quota.lock_quota(upload.study)
    quota.check_waiting_quota(upload)
    upload.save()


def _forget_discarded_files(study: Study, person: User) -> None:
    """Remove files that can still be restored: no more than one upload's worth lies unused."""
    oldest_time = timezone.now() - timedelta(days=settings.IMPORT_KEEP_DAYS + 1)
    discarded_uploads = study.imports.filter(
        state=Import.State.DISCARDED, by=person, when__gt=oldest_time
    )
    for upload in discarded_uploads:
        forget(upload)


# --- looking into it --------------------------------------------------------------------------
def _look_into(upload: Import) -> None:
    """Look into a new file; where the readers are busy it is kept, for the person to look again."""
    try:
        _read_preview(upload)
    except ReadersBusy as error:
        upload.preview = {**import_summary.refused_summary(upload.file_name, error), "unread": True}


def reread_upload(upload: Import) -> None:
    """Read the file as an import would, with the options chosen, and keep what was found.

    Raises ReadersBusy, and stores nothing.
    """
    _read_preview(upload)
    # Only these: the file may have been confirmed in another tab while it was read.
    upload.save(update_fields=["options", "preview"])


def _read_preview(upload: Import) -> None:
    try:
        with open_upload(upload):
            touch(upload)
        upload.preview = file_readers.preview_file(file_of(upload), list_path(upload))
    except ReadersBusy:
        raise
    except FormatError as error:
        upload.preview = import_summary.refused_summary(upload.file_name, error)


def file_of(upload: Import) -> file_readers.FileToRead:
    """The kept file, and how the person said that it is to be read."""
    return file_readers.FileToRead(
        upload.file_name,
        path=upload_path(upload),
        format=upload.options.get("format", "auto"),
        options=upload_options(upload),
    )


def upload_options(upload: Import) -> ReadOptions:
    """Options by which the person said that the file is to be read."""
    chosen_options = {name: value for name, value in upload.options.items() if name != "format"}
    if "series_columns" in chosen_options:
        chosen_options["series_columns"] = tuple(chosen_options["series_columns"])
    return within_limits(ReadOptions(**chosen_options))


def problems_csv(upload: Import) -> str:
    """Every problem of the file as CSV, however many there are."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(PROBLEM_COLUMNS)
    table.writerows(
        (problem.file, problem.where, problem.found, problem.expected, problem.hint)
        for problem in file_readers.problems(file_of(upload))
    )
    return text.getvalue()


# --- importing it -----------------------------------------------------------------------------
def confirm(
    upload: Import,
    dataset: Dataset,
    *,
    occasion: RecordingDetails,
    on_problems: OnProblems,
    step: ImportStep | None = None,
) -> SeriesImportResult | None:
    """Import a kept file; None if it was refused, and the reason is then in `upload.error`."""
    try:
        with open_upload(upload):  # or the reader would find nothing
            import_result = import_upload(
                dataset,
                upload,
                file_of(upload),
                occasion=occasion,
                on_problems=on_problems,
                step=step,
            )
    except FormatError as error:
        upload.state, upload.error = Import.State.FAILED, str(error)
        upload.save(update_fields=["state", "error"])
        return None
    forget(upload)
    return import_result
