"""A program whose output is watched, and which ends when nobody watches any more."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final, cast

PATIENCE: Final = 10.0  # seconds between asking a program to end and ending it


@contextmanager
def output_of(command: Sequence[str]) -> Iterator[BinaryIO]:
    """Standard output of a program, which ends with the block, its child processes too.

    A closed pipe alone does not end a Java program: it never hears that its output is lost.
    Raises `OSError` where the program cannot be started.
    """
    with subprocess.Popen(  # noqa: S603  # what the user wrote behind `--`
        command, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            yield cast("BinaryIO", process.stdout)
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):  # it has ended by itself
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
