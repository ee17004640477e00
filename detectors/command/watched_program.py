"""A program whose output is watched, and which ends when nobody watches any more."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from select import select
from typing import Final, cast

PATIENCE: Final = 10.0  # seconds between asking a program to end and ending it


@contextmanager
def watched_program(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A program with its standard output, which ends with the block, its child processes too.

    A closed pipe alone does not end a Java program: it never hears that its output is lost. The
    program also ends where a signal ends this process. Raises `OSError` where it cannot be
    started.
    """
    with (
        _signals_as_exit(),
        subprocess.Popen(  # noqa: S603  # what the user wrote behind `--`
            command, stdout=subprocess.PIPE, start_new_session=True
        ) as process,
    ):
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def output_of(process: subprocess.Popen[bytes]) -> BufferedReader:
    return cast("BufferedReader", process.stdout)


def status_at_end(process: subprocess.Popen[bytes]) -> int | None:
    """Exit status of a program whose output has ended; None where it has not, or it runs on.

    A program closes its output a moment before its status is known.
    """
    if not select([output_of(process)], [], [], 0)[0] or output_of(process).peek(1):
        return process.poll()
    with suppress(subprocess.TimeoutExpired):
        return process.wait(PATIENCE)
    return None


@contextmanager
def _signals_as_exit() -> Iterator[None]:
    """Let SIGTERM and SIGHUP leave blocks in order, as an exception does."""
    handlers_before = {
        number: signal.signal(number, _exit_on_signal) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in handlers_before.items():
            signal.signal(number, handler)


def _exit_on_signal(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)
