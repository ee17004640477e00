"""Answers from a process of their own, which is ended when it takes too long.

A web process must not be held up by a method that somebody gave a strange parameter, and a
compiled kernel cannot be interrupted from within: so it runs in a child (`detectors.answers`)
that is started at the first question and kept, with its kernels loaded, for the next ones.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock, Thread, Timer
from typing import Any, Final, NamedTuple

import numpy as np
from django.conf import settings

from detectors.contract import Context, Detector, Values

STARTING: Final = 60.0  # seconds to start and to load, or compile, the kernels of a method
QUEUEING: Final = 3.0  # seconds that a quick question waits for the one before it


class Busy(Exception):
    """Another question is being answered; the person may ask again in a moment."""


class TookTooLong(Exception):
    """The method was ended before it had an answer."""


class Answer(NamedTuple):
    """What a method answered, and its evidence as JSON: long, and only a browser reads it."""

    found: dict[str, Any]
    evidence: str


class Calculator:
    """One child process, which answers one question at a time. Safe to ask from any thread."""

    def __init__(self, *, queueing: float) -> None:
        self._lock = Lock()
        self._queueing = queueing
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.stop)

    def ask(
        self, detector: Detector, values: Values, context: Context, *, seconds: float
    ) -> Answer:
        """The answer of `detectors.answers`. Raises Busy and TookTooLong."""
        if not self._lock.acquire(timeout=self._queueing):
            raise Busy
        try:
            return self._answer(_request(detector, values, context), seconds)
        finally:
            self._lock.release()

    def _answer(self, request: bytes, seconds: float) -> Answer:
        process = self._send(request)
        self._line(process, STARTING)  # "warm"
        found = json.loads(self._line(process, seconds))
        return Answer(found, self._line(process, seconds).decode())

    def _send(self, request: bytes) -> subprocess.Popen[bytes]:
        """A child that has been idle for long is gone: the next one takes the question."""
        process = self._running()
        try:
            _write(process, request)
        except BrokenPipeError:
            self.stop()
            process = self._running()
            _write(process, request)
        return process

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "detectors.answers"],
                cwd=settings.BASE_DIR,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is the server's; this one ends with its pipe
            )
            self._line(self._process, STARTING)  # "ready"
        return self._process

    def _line(self, process: subprocess.Popen[bytes], seconds: float) -> bytes:
        assert process.stdout is not None  # noqa: S101  # a pipe was asked for
        timer = Timer(seconds, process.kill)
        timer.start()
        line = process.stdout.readline()
        timer.cancel()
        if not line.endswith(b"\n"):
            self.stop()
            raise TookTooLong
        return line

    def prepare(self) -> None:
        """Start the child before the first question, without waiting for it."""
        if self._process is None and self._lock.acquire(blocking=False):
            Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        try:
            with suppress(TookTooLong):  # whoever asks first is told
                self._running()
        finally:
            self._lock.release()

    def stop(self) -> None:
        """End the child, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)
        process.wait()


def _close(pipe: Any) -> None:
    with suppress(BrokenPipeError):  # what was left to write has no reader any more
        pipe.close()


def _write(process: subprocess.Popen[bytes], request: bytes) -> None:
    assert process.stdin is not None  # noqa: S101  # a pipe was asked for
    process.stdin.write(request)
    process.stdin.flush()


def _request(detector: Detector, values: Values, context: Context) -> bytes:
    arrays: dict[str, np.ndarray] = {"values": values.astype("<f8", copy=False)}
    if context.samples is not None:
        arrays["offsets"] = context.samples.offsets.astype("<i8", copy=False)
        arrays["samples"] = context.samples.values.astype("<f8", copy=False)
        arrays["counts"] = context.samples.counts.astype("<i8", copy=False)
    head: Mapping[str, Any] = {
        "key": detector.key,
        "context": {
            "unit": context.unit,
            "mode": context.mode,
            "seconds_per_iteration": context.seconds_per_iteration,
            "settings": dict(context.settings),
            "benchmark": context.benchmark,
        },
        "arrays": [[name, each.dtype.str, each.size] for name, each in arrays.items()],
    }
    parts = [json.dumps(head).encode(), b"\n", *(each.tobytes() for each in arrays.values())]
    return b"".join(parts)


# Questions of two kinds, so that nobody's slider waits for somebody's slow method.
at_once: Final = Calculator(queueing=QUEUEING)
on_request: Final = Calculator(queueing=0)
