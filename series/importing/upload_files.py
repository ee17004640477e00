"""The folder of uploaded files: what lies there for each of them, and for how long.

A file lies in `DATA_DIR/imports` under the public id of its `Import`, never under a name that came
with it. Beside it are the list of its series and, while it is imported, the progress.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from formats import FormatError
from people import undo
from series.models import Import

log = logging.getLogger(__name__)
HELD = (Import.State.UPLOADED, Import.State.FAILED, Import.State.RUNNING)
# A file without a row may be one whose upload has not ended; none takes longer than this.
UPLOADING = timedelta(days=1)


def folder() -> Path:
    """Folder where uploaded files lie; made if it is not there."""
    path = Path(settings.DATA_DIR) / "imports"
    path.mkdir(parents=True, exist_ok=True)
    return path


def upload_path(upload: Import) -> Path:
    return folder() / upload.public_id


def list_path(upload: Import) -> Path:
    """The list of its series; `series.import_pages.import_preview` writes and reads it."""
    return folder() / f"{upload.public_id}.series"


def progress_path(job: str) -> Path:
    """File that says how far an import is; `series.importing.jobs` writes and reads it."""
    return folder() / f"{job}.progress"


def cancel_path(job: str) -> Path:
    """A file that asks an import to end; what it holds is of no interest."""
    return folder() / f"{job}.cancel"


@contextmanager
def open_upload(upload: Import) -> Iterator[BinaryIO]:
    """The kept file. FormatError if somebody cleared the folder meanwhile."""
    try:
        stream = upload_path(upload).open("rb")
    except FileNotFoundError as error:
        raise FormatError(
            upload.file_name,
            "file",
            found="nothing any more",
            expected="the uploaded file",
            hint="upload it again",
        ) from error
    with stream:
        yield stream


def touch(upload: Import) -> None:
    """Begin its time anew: somebody works with it."""
    os.utime(upload_path(upload))


def forget(upload: Import) -> None:
    """Let go of the file and of all that lies beside it."""
    for path in (upload_path(upload), list_path(upload)):
        path.unlink(missing_ok=True)


def purge_uploads() -> int:
    """Discard files that nobody has looked at for `IMPORT_KEEP_DAYS`; returns how many.

    Nothing younger is touched, and nothing that is being imported. A discarded file goes after the
    hour in which that can be undone; leftovers that belong to no row (of a server that was killed)
    go after a day.
    """
    limit = timedelta(days=settings.IMPORT_KEEP_DAYS).total_seconds()
    current_time = time.time()
    upload_by_id = {
        held_upload.public_id: held_upload for held_upload in Import.objects.filter(state__in=HELD)
    }
    discarded_ids = set(
        Import.objects.filter(state=Import.State.DISCARDED).values_list("public_id", flat=True)
    )
    discarded_count = 0
    for path, age in [
        (path, current_time - _last_change(path, current_time)) for path in folder().iterdir()
    ]:
        upload = upload_by_id.get(path.name)
        if upload is None:
            most_seconds = undo.SECONDS if path.stem in discarded_ids else UPLOADING.total_seconds()
            if path.stem not in upload_by_id and age > most_seconds:
                path.unlink(missing_ok=True)
        elif age > limit and upload.state != Import.State.RUNNING:
            discarded_count += _discard_idle(upload)
    return discarded_count


def _last_change(path: Path, current_time: float) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another request was faster
        return current_time


def _discard_idle(upload: Import) -> int:
    # Only while it still waits: a person may confirm it at this very moment.
    waiting_upload = Import.objects.filter(pk=upload.pk, state=upload.state)
    discarded_count = waiting_upload.update(state=Import.State.DISCARDED)
    if discarded_count:
        log.info("%s was not confirmed in time and is discarded", upload.file_name)
        forget(upload)
    return discarded_count
