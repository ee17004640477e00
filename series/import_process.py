"""Large imports in a process of their own: what memory they take goes with it.

A row of a series holds all its values, of which drivers and databases make copies, and memory that
a process has taken is seldom given back.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from threading import BoundedSemaphore, Thread
from typing import Final

from django.conf import settings
from django.db import connections

log = logging.getLogger(__name__)
MOST_AT_ONCE: Final = 2  # of one web process; further ones wait
_free: Final = BoundedSemaphore(MOST_AT_ONCE)


def start(job: str, order: str, *, failed: Callable[[str], None]) -> None:
    """Begin `manage.py import_uploads` for a job; `failed` is told if it does not end well.

    The process belongs to the group of the server, and ends with it.
    """
    arguments = (job, order, failed)
    Thread(target=_watched, args=arguments, name=f"import {job}", daemon=True).start()


def _watched(job: str, order: str, failed: Callable[[str], None]) -> None:
    try:
        with _free:
            _run(job, order)
    except (OSError, subprocess.CalledProcessError) as error:
        log.warning("import %s broke off: %s", job, error)
        failed(job)
    finally:
        connections.close_all()


def _run(job: str, order: str) -> None:
    subprocess.run(  # noqa: S603  # a command of ours; what people said is its input
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "import_uploads", job],
        cwd=settings.BASE_DIR,
        env={**os.environ, "PLATEAU_DATA": str(settings.DATA_DIR)},
        input=order,
        text=True,
        check=True,
    )
