"""Options and output of commands that start a job: a bar while they wait, a note without
workers.
"""

from __future__ import annotations

import sys

from django.core.management.base import BaseCommand

from analysis.work import services, workers
from analysis.work.command_workers import command_worker
from analysis.work.kinds import job_kind
from analysis.work.models import Job

BAR = 30  # characters of the progress bar


def is_queued(*, wait: bool) -> bool:
    """True if workers are told of a job: a command that waits needs none, but lets them help."""
    return not wait or bool(workers.living_workers())


def wait_or_leave(command: BaseCommand, job: Job, *, wait: bool) -> None:
    """Work on the job until it has ended, or leave it to workers and say where there are none."""

    def tell(count: int, total: int, failed: int) -> None:
        if sys.stderr.isatty():
            full_width = BAR * count // total if total else BAR
            text = (
                f"\r{'▓' * full_width}{'░' * (BAR - full_width)}  {count} of {total} · {failed} "
                "failed "
            )
            command.stderr.write(text, ending="\n" if count == total else "")

    if wait:
        services.work_through(job, worker=command_worker(), tell_progress=tell)
    elif not workers.living_workers():
        noun = job_kind(job).name
        command.stderr.write(
            f"No worker is connected. The {noun} starts by itself when one is: make worker"
        )
