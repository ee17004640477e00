"""Large imports in a process of their own: what memory they take goes with it.

A row of a series holds all its values, of which drivers and databases make copies, and memory that
a process has taken is seldom given back.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from threading import BoundedSemaphore, Thread
from typing import Final

from django.conf import settings
from django.db import connections

log = logging.getLogger(__name__)
MOST_AT_ONCE: Final = 2  # of one web process; further ones wait
_free: Final = BoundedSemaphore(MOST_AT_ONCE)


def start_import_process(
    job: str,
    order: str,
    *,
    report_failure: Callable[[str], None],
    command: str = "import_uploads",
    seconds: float | None = None,
) -> None:
    """Begin a command of ours for a job, with the order as its input.

    `report_failure` is told if it does not end well, or not within `seconds`.

    The process belongs to the group of the server, and ends with it.
    """
    arguments = ([command, job], order, seconds, partial(report_failure, job))
    Thread(target=_watch, args=arguments, name=f"import {job}", daemon=True).start()


def _watch(
    command: Sequence[str], order: str, seconds: float | None, report_failure: Callable[[], None]
) -> None:
    try:
        with _free:
            _run(command, order, seconds)
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("%s broke off: %s", " ".join(command), error)
        report_failure()
    finally:
        connections.close_all()


def _run(command: Sequence[str], order: str, seconds: float | None) -> None:
    subprocess.run(  # noqa: S603  # a command of ours; what people said is its input
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *command],
        cwd=settings.BASE_DIR,
        env={**os.environ, "PLATEAU_DATA": str(settings.DATA_DIR)},
        input=order,
        text=True,
        check=True,
        timeout=seconds,
    )
