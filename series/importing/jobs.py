"""Imports at work: files that are taken, imported in the background, watched and cancelled.

A large import takes longer than a page should take to answer. It runs in a process that the web
process starts, since that is where the uploaded file lies: it needs no worker, and a person may
leave the page. Each file is stored whole or not at all, in one transaction of its own, so whatever
ends the process leaves nothing half written; files that had not begun wait again.

How far a job is stands in a file beside the uploads, not in the database: SQLite has one writer,
and while a file is being stored that is the job itself.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from django.conf import settings

from people import database, notices
from people.models import Study
from people.notices import Notice
from people.public_id import new_public_id
from series.importing import import_process, uploads
from series.importing.import_order import ImportOrder
from series.importing.upload_files import cancel_path, progress_path
from series.models import Import

log = logging.getLogger(__name__)
TOLD_EVERY = 0.25  # seconds between two notes of the progress
SILENT_AFTER = 900.0  # seconds without a note after which a job is taken for dead
PATIENCE = 120.0  # seconds that it waits for its turn to write: nobody waits for a page meanwhile
GIVING_BACK = 2.0  # seconds that it waits to say that files wait again
STORING = 0.25  # time that storing a series takes, of the time that reading and drawing it takes
BYTES_A_VALUE = 8
BROKE_OFF = "The import broke off: its process ended. Import the file again, or discard it."
BUSY = "The database was busy or the disk was full. Import the file again in a moment."
FAULT = (
    "The server failed while it stored this file; its log says why. "
    "Import the file again, or tell whoever runs the server."
)


class ImportCancelled(Exception):
    """Somebody asked the import to end."""


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """Progress of a job. `read` and `stored` count series of all its files."""

    name: str  # of the file that is imported now
    file: int  # from 1
    files: int
    total: int  # series of all files, as found when they were looked into
    began: float  # seconds since 1970, as `noted`
    noted: float
    read: int = 0
    stored: int = 0
    pid: int = 0
    host: str = ""
    cancelled: bool = False
    ticks: float = 0.0  # seconds of its machine's monotonic clock, as `noted`

    @property
    def is_silent(self) -> bool:
        """True if the last note is so old, or of before a restart, that the job is dead.

        Of this machine by a clock that nobody sets; of another one only the time of day is known.
        """
        if self.host == socket.gethostname():
            return not 0 <= time.monotonic() - self.ticks < SILENT_AFTER
        return time.time() - self.noted >= SILENT_AFTER

    @property
    def share(self) -> float:
        """Share of the work that is done, from 0 to 1, by the time that reading and storing
        take.
        """
        total_work = self.total * (1 + STORING)
        return min((self.read + STORING * self.stored) / total_work, 1.0) if total_work else 0.0

    @property
    def percent(self) -> int:
        return int(100 * self.share)

    @property
    def rate(self) -> float | None:
        """Series read in a second, since the job began; None before there is one."""
        seconds = self.noted - self.began
        return self.read / seconds if seconds > 0 and self.read else None

    @property
    def seconds_left(self) -> float | None:
        seconds = self.noted - self.began
        return seconds * (1 - self.share) / self.share if seconds > 1 and self.share else None


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """Outcome of the files of a job that has ended."""

    done: Sequence[Import]
    refused: Sequence[Import]
    back: Sequence[Import]  # cancelled before they were stored

    @property
    def all_stored(self) -> bool:
        return not self.refused and not self.back


# --- beginning --------------------------------------------------------------------------------
def begin_import(chosen_uploads: Sequence[Import], order: ImportOrder) -> str:
    """Import the files, large ones in the background; the name of the job, empty if there is none.

    A file that somebody else is importing at this moment is left to them.
    """
    job = new_public_id()
    upload_keys = [upload.pk for upload in chosen_uploads]
    _write_progress(job, _initial_progress(chosen_uploads))
    # The claim: of two clicks, one finds the file waiting.
    if not Import.objects.filter(uploads.WAITING, pk__in=upload_keys).update(
        state=Import.State.RUNNING, job=job, error=""
    ):
        progress_path(job).unlink(missing_ok=True)
        return ""
    if _may_be_large(chosen_uploads):
        import_process.start_import_process(job, order.as_text(), report_failure=release_files)
    else:
        import_files(job, order)
    return job


def _may_be_large(chosen_uploads: Sequence[Import]) -> bool:
    most_bytes = BYTES_A_VALUE * settings.IMPORT_AT_ONCE_POINTS
    has_unread_file = any(upload.preview.get("unread") for upload in chosen_uploads)
    return has_unread_file or sum(map(_stored_bytes, chosen_uploads)) > most_bytes


def _stored_bytes(upload: Import) -> int:
    """Bytes that its values and samples will take, as found when it was looked into."""
    preview = upload.preview
    # Files that have waited since before samples were counted have their values only.
    return int(preview.get("stored_bytes", BYTES_A_VALUE * preview.get("points", 0)))


def _initial_progress(chosen_uploads: Sequence[Import]) -> ImportProgress:
    current_time = time.time()
    return ImportProgress(
        name=chosen_uploads[0].file_name,
        file=1,
        files=len(chosen_uploads),
        total=sum(upload.preview.get("series", 0) for upload in chosen_uploads),
        began=current_time,
        noted=current_time,
        pid=os.getpid(),
        host=socket.gethostname(),
        ticks=time.monotonic(),
    )


def import_files(job: str, order: ImportOrder) -> None:
    """Import the files of a job, one after the other, until all are or somebody cancels.

    Raises what a database or disk raises that is busy, full or gone; the files then wait again.
    """
    running_imports = Import.objects.filter(job=job, state=Import.State.RUNNING).order_by(
        "when", "pk"
    )
    job_uploads, error_text = list(running_imports), ""
    if not job_uploads:
        return  # given back while the job waited for its turn
    reporter = _ProgressReporter(job, job_uploads)
    try:
        for upload in reporter.files():
            _import(upload, order, reporter)
        _tell(job)
    except ImportCancelled:
        log.info("import %s was cancelled", job)
    except Exception as fault:
        error_text = BUSY if database.is_unavailable(fault) else ""
        raise
    finally:
        put_back = partial(running_imports.update, state=Import.State.UPLOADED, error=error_text)
        # Where it is busy still, the next look at the page finds a job without progress.
        database.write_unless_busy(put_back, seconds=GIVING_BACK)
        progress_path(job).unlink(missing_ok=True)
        cancel_path(job).unlink(missing_ok=True)


def _tell(job: str) -> None:
    """Tell a webhook what is stored now."""
    imports = list(
        Import.objects.filter(job=job, state=Import.State.DONE).select_related("dataset")
    )
    if not imports or not notices.is_on():
        return
    dataset, stored_count = imports[0].dataset, sum(upload.stored for upload in imports)
    if dataset is None:  # removed since
        return
    notices.send(
        Notice(
            "import-finished",
            f"{stored_count:,} new series in {dataset}",
            f"{len(imports)} files were imported into {dataset}: {stored_count:,} new series.",
            dataset.study,
            dataset.get_absolute_url(),
            once=f"import:{job}",
        )
    )


def _import(upload: Import, order: ImportOrder, reporter: _ProgressReporter) -> None:
    try:
        uploads.confirm(
            upload,
            order.dataset,
            occasion=order.occasion,
            on_problems=order.on_problems,
            step=reporter.step,
        )
    except ImportCancelled:
        raise
    except Exception as fault:  # the log and the page have to say it
        if database.is_unavailable(fault):
            raise
        log.exception("import of %s failed", upload.file_name)
        Import.objects.filter(pk=upload.pk).update(state=Import.State.FAILED, error=FAULT)


class _ProgressReporter:
    """Notes how far a job is, and hears when somebody wants it to end."""

    def __init__(self, job: str, chosen_uploads: Sequence[Import]) -> None:
        self.job, self.chosen = job, chosen_uploads
        self.progress = _initial_progress(chosen_uploads)
        self._before = 0  # series of the files that have ended
        self._next = 0.0

    def files(self) -> Iterator[Import]:
        for number, upload in enumerate(self.chosen, start=1):
            self.progress = replace(self.progress, name=upload.file_name, file=number)
            self._tell(self._before, self._before)
            yield upload
            self._before += upload.preview.get("series", 0)

    def step(self, *, read_count: int, stored_count: int) -> None:
        """Called now and then; raises ImportCancelled when somebody asked for it."""
        if time.monotonic() >= self._next:
            self._tell(self._before + read_count, self._before + stored_count)

    def _tell(self, read_count: int, stored_count: int) -> None:
        self._next = time.monotonic() + TOLD_EVERY
        if cancel_path(self.job).exists():
            raise ImportCancelled
        self.progress = replace(
            self.progress,
            read=read_count,
            stored=stored_count,
            noted=time.time(),
            ticks=time.monotonic(),
        )
        _write_progress(self.job, self.progress)


def _write_progress(job: str, progress: ImportProgress) -> None:
    path = progress_path(job)
    new_path = path.with_suffix(".noting")
    new_path.write_text(json.dumps(asdict(progress)), encoding="utf-8")
    new_path.replace(path)  # whoever reads finds all of the old one or all of the new one


# --- watching ---------------------------------------------------------------------------------
def progress(job: str) -> ImportProgress | None:
    """Progress of a job; None once it has ended, if its server has, or without a job."""
    if not job:
        return None
    try:
        noted_progress = ImportProgress(
            **json.loads(progress_path(job).read_text(encoding="utf-8"))
        )
    except FileNotFoundError:
        return None
    is_alive = not noted_progress.is_silent and lives(noted_progress.host, noted_progress.pid)
    return replace(noted_progress, cancelled=cancel_path(job).exists()) if is_alive else None


def lives(host: str, pid: int) -> bool:
    """Return whether the process of a job exists; of another machine one cannot know."""
    if host != socket.gethostname():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def live_jobs(study: Study) -> list[tuple[Import, ImportProgress]]:
    """The jobs of a study that are at work, each with one of its files.

    Files of a job whose server stopped are given back here, with a word on what happened.
    """
    rows = study.imports.filter(state=Import.State.RUNNING).select_related("by", "study")
    job_by_name: dict[str, tuple[Import, ImportProgress]] = {}
    broken_jobs = set()
    for upload in rows.order_by("when", "pk"):
        if upload.job in job_by_name or upload.job in broken_jobs:
            continue
        current_progress = progress(upload.job)
        if current_progress:
            job_by_name[upload.job] = (upload, current_progress)
        else:
            broken_jobs.add(upload.job)
    for job in broken_jobs:
        release_files(job)
    return list(job_by_name.values())


def first_upload_of_job(upload: Import) -> Import:
    """The file whose address is that of the job of `upload`: other addresses lead there.

    A file that waits, or of which nothing was stored, keeps its own.
    """
    ended_states = Import.State.DONE, Import.State.RUNNING
    if not upload.job or upload.state not in ended_states:
        return upload
    return upload.study.imports.filter(job=upload.job, state=upload.state).order_by("when")[0]


def release_files(job: str) -> None:
    """Let the files of a dead job wait again. Nothing of them was stored, or they were done."""
    running_imports = Import.objects.filter(job=job, state=Import.State.RUNNING)
    running_imports.update(state=Import.State.FAILED, error=BROKE_OFF)
    progress_path(job).unlink(missing_ok=True)
    cancel_path(job).unlink(missing_ok=True)


def cancel(job: str) -> bool:
    """Ask a job to end at its next series; False if it has ended already."""
    if not progress_path(job).exists():
        return False
    cancel_path(job).touch()
    return True


def outcome(study: Study, job: str) -> ImportOutcome:
    """Outcome of the files of a job."""
    rows = list(study.imports.filter(job=job).select_related("dataset__study").order_by("when"))
    state = Import.State
    return ImportOutcome(
        done=[upload for upload in rows if upload.state == state.DONE],
        refused=[upload for upload in rows if upload.state == state.FAILED or upload.error],
        back=[upload for upload in rows if upload.state == state.UPLOADED and not upload.error],
    )
