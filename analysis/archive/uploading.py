"""Archives that people upload: kept, checked, shown, and imported when somebody says so.

Checking and importing run in a process of their own, which the web process starts: it is bounded
in seconds and memory, and needs no worker. Whatever ends it leaves nothing half stored.
"""

from __future__ import annotations

import hashlib
import logging
import os
import socket
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.archive import archive_storage
from analysis.archive.contents import contents
from analysis.archive.models import ArchiveUpload
from analysis.archive.reading import ArchiveError
from analysis.archive.restoring import import_archive
from formats.names import normal
from people import database
from people.models import User
from series.importing import import_process
from series.importing.jobs import lives

log = logging.getLogger(__name__)
State = ArchiveUpload.State
COMMAND: Final = "import_uploaded_archive"
SECONDS: Final = 3600.0  # seconds that checking or importing may take
MOST: Final = 3  # waiting archives of one person
BROKE_OFF: Final = (
    "The import broke off: its process ended, or took longer than an hour or more memory than "
    "PLATEAU_READ_MB. manage.py import_archive has no such limits."
)
FAULT: Final = "The server failed while it read this archive; its log says why."
BUSY: Final = "The database was busy or the disk was full. Import the archive again in a moment."


class UploadRefused(ValueError):
    """The upload was not kept; the sentence says why."""


def visible_uploads(person: User) -> QuerySet[ArchiveUpload]:
    """Uploads that this person may still look at."""
    return ArchiveUpload.objects.filter(by=person).exclude(state=State.DONE)


# --- keeping ----------------------------------------------------------------------------------
def keep_upload(chunks: Iterable[bytes], name: str, *, user: User) -> ArchiveUpload:
    """Store an uploaded file and have it checked. Raises UploadRefused, and keeps nothing."""
    purge_archive_uploads()
    if visible_uploads(user).count() >= MOST:
        raise UploadRefused(f"{MOST} archives of yours wait. Import or discard one of them first.")
    upload = ArchiveUpload(by=user, file_name=normal(name)[-300:])
    try:
        _write(upload, chunks)
        upload.save()
    except BaseException:  # the file goes: no row names it
        archive_upload_path(upload).unlink(missing_ok=True)
        raise
    _start(upload)
    return upload


def archive_upload_path(upload: ArchiveUpload) -> Path:
    return archive_storage.upload_path(upload.public_id)


def _write(upload: ArchiveUpload, chunks: Iterable[bytes]) -> None:
    digest, most_bytes = hashlib.sha256(), settings.IMPORT_MAX_FILE_BYTES
    with archive_upload_path(upload).open("wb") as upload_file:
        for chunk in chunks:
            upload.size += upload_file.write(chunk)
            digest.update(chunk)
            if upload.size > most_bytes:
                raise UploadRefused(
                    f"{upload.file_name} has more than the {most_bytes / 1e6:,.0f} MB that an "
                    "upload may "
                    "have (PLATEAU_MAX_FILE_MB); manage.py import_archive takes larger ones."
                )
    upload.digest = digest.hexdigest()


def discard(upload: ArchiveUpload) -> bool:
    """Let go of one that is not wanted; False, and nothing happens, while a process is at it."""
    running_states = [State.CHECKING, State.IMPORTING]
    was_discarded = bool(
        ArchiveUpload.objects.filter(pk=upload.pk).exclude(state__in=running_states).delete()[0]
    )
    if was_discarded:
        archive_upload_path(upload).unlink(missing_ok=True)
    return was_discarded


def purge_archive_uploads() -> None:
    """Discard what waits, or was imported, longer ago than `IMPORT_KEEP_DAYS`."""
    oldest_kept_time = timezone.now() - timedelta(days=settings.IMPORT_KEEP_DAYS)
    for old_upload in ArchiveUpload.objects.filter(when__lt=oldest_kept_time):
        give_up_dead_upload(old_upload)
        discard(old_upload)


# --- importing --------------------------------------------------------------------------------
def confirm(upload: ArchiveUpload) -> bool:
    """Import it; False where it does not wait for that, as after the first of two clicks."""
    waiting_uploads = ArchiveUpload.objects.filter(pk=upload.pk, state=State.READY)
    if not waiting_uploads.update(state=State.IMPORTING, error=""):
        return False
    upload.refresh_from_db()
    _start(upload)
    return True


def _start(upload: ArchiveUpload) -> None:
    _store_process(upload)
    import_process.start_import_process(
        upload.public_id, "", report_failure=mark_broken_off, command=COMMAND, seconds=SECONDS
    )


def _store_process(upload: ArchiveUpload) -> None:
    """Say which process is at it: first the server, which starts another."""
    upload.pid, upload.host = os.getpid(), socket.gethostname()
    upload.save(update_fields=["pid", "host"])


def process_archive_upload(upload: ArchiveUpload) -> None:
    """Check or import it, whichever it waits for; what comes of it is in its row."""
    _store_process(upload)
    step = {State.CHECKING: _check, State.IMPORTING: _import}.get(State(upload.state))
    if step is None:
        return  # the upload was given up meanwhile
    try:
        step(upload)
    except ArchiveError as refused:
        _end(upload, State.REFUSED, f"{refused}. Nothing was imported.")
    except MemoryError:
        _end(upload, State.REFUSED, BROKE_OFF)
    except Exception as fault:  # log and page say the fault
        log.exception("archive %s failed", upload.public_id)
        _end(upload, *((State.READY, BUSY) if _may_wait(upload, fault) else (State.REFUSED, FAULT)))


def _check(upload: ArchiveUpload) -> None:
    upload.contents = contents(archive_upload_path(upload))
    upload.save(update_fields=["contents"])
    _end(upload, State.READY)


def _import(upload: ArchiveUpload) -> None:
    with transaction.atomic():  # the study and its message: both or neither
        study = import_archive(archive_upload_path(upload), owner=upload.by)
        running_upload = ArchiveUpload.objects.filter(pk=upload.pk, state=State.IMPORTING)
        if not running_upload.update(state=State.DONE, study=study):
            raise ArchiveError("somebody gave it up meanwhile")
    archive_upload_path(upload).unlink(missing_ok=True)


def _may_wait(upload: ArchiveUpload, fault: Exception) -> bool:
    """True if the upload was checked, and the fault is one that passes."""
    return bool(upload.contents) and database.is_unavailable(fault)


def _end(upload: ArchiveUpload, state: State, error: str = "") -> None:
    """Unless it has been given up."""
    running_upload = ArchiveUpload.objects.filter(pk=upload.pk, state=upload.state)
    database.write_unless_busy(partial(running_upload.update, state=state, error=error))


# --- watching ---------------------------------------------------------------------------------
def give_up_dead_upload(upload: ArchiveUpload) -> None:
    """Give up what a process that ended has left; looked at whenever its page is."""
    if upload.is_going and not lives(upload.host, upload.pid):
        mark_broken_off(upload.public_id)
        upload.refresh_from_db()


def mark_broken_off(public_id: str) -> None:
    interrupted_uploads = ArchiveUpload.objects.filter(public_id=public_id)
    for state, next_state in ((State.CHECKING, State.REFUSED), (State.IMPORTING, State.READY)):
        interrupted_uploads.filter(state=state).update(state=next_state, error=BROKE_OFF)
