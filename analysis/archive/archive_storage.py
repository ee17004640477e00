"""The folder of archives: `DATA_DIR/archives`, each by the name of its job or of its upload."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings

from analysis.archive.models import ArchiveJob, ArchiveUpload

MAKING: Final = timedelta(days=1)  # a file without a row may be one that a worker writes


def path_of(job: ArchiveJob) -> Path:
    return _folder() / f"{job.public_id}.zip"


def partial_path(job: ArchiveJob, attempt: int) -> Path:
    """Where one attempt writes: one that was too slow never touches the file of another."""
    return _folder() / f"{job.public_id}-{attempt}.partial"


def upload_path(public_id: str) -> Path:
    """Where an uploaded one waits, never under a name that came with it."""
    return _folder() / f"{public_id}.upload"


def purge() -> int:
    """Remove files whose archive is gone, and what a killed worker left; how many."""
    kept = {path_of(each) for each in ArchiveJob.objects.made()}
    uploads = ArchiveUpload.objects.values_list("public_id", flat=True)
    kept |= {upload_path(each) for each in uploads}
    old = time.time() - MAKING.total_seconds()
    gone = [each for each in _folder().iterdir() if each not in kept and each.stat().st_mtime < old]
    for each in gone:
        each.unlink(missing_ok=True)
    return len(gone)


def _folder() -> Path:
    found = Path(settings.DATA_DIR) / "archives"
    found.mkdir(parents=True, exist_ok=True)
    return found
