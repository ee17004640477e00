"""The folder of archives: `DATA_DIR/archives`, each by the name of its job or of its upload."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings

from analysis.archive.models import ArchiveJob, ArchiveUpload

MAKING: Final = timedelta(days=1)  # a younger file without a row may be still being written


def archive_path(job: ArchiveJob) -> Path:
    return _folder() / f"{job.public_id}.zip"


def partial_path(job: ArchiveJob, attempt: int) -> Path:
    """Path that one attempt writes to: an attempt that was too slow never touches another's
    file.
    """
    return _folder() / f"{job.public_id}-{attempt}.partial"


def upload_path(public_id: str) -> Path:
    """Path of a waiting upload, never under a name that came with it."""
    return _folder() / f"{public_id}.upload"


def purge_archives() -> int:
    """Remove files whose archive is gone, and what a killed worker left; how many."""
    wanted_paths = {archive_path(job) for job in ArchiveJob.objects.with_file()}
    uploads = ArchiveUpload.objects.values_list("public_id", flat=True)
    wanted_paths |= {upload_path(public_id) for public_id in uploads}
    oldest_kept_time = time.time() - MAKING.total_seconds()
    purged_paths = [
        path
        for path in _folder().iterdir()
        if path not in wanted_paths and path.stat().st_mtime < oldest_kept_time
    ]
    for path in purged_paths:
        path.unlink(missing_ok=True)
    return len(purged_paths)


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / "archives"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
