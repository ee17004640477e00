"""A program in a process of its own, bounded in seconds and memory: the two sides of one.

A web process must not be held up, or filled, by a method that somebody gave a strange parameter
or by a file that was made to hurt: compiled code cannot be interrupted from within, and memory
that Python has taken is seldom given back. So a child does such work. It is started at the first
question and kept for the next ones; whoever asks ends it when it takes too long.

A question is a line of JSON, and bytes that it announces; an answer is one line of JSON or more.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import select
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import BoundedSemaphore, Thread, Timer
from typing import Any, BinaryIO, Final, TypeAlias

STARTING: Final = 180.0  # seconds to start: our own work, which no question makes longer
SENDING: Final = 30.0  # seconds in which a child takes a question
IDLE: Final = 600.0  # seconds without a question, after which a child makes room

Say: TypeAlias = Callable[[object], None]
"""Writes one line of an answer: anything that JSON can hold."""
Question: TypeAlias = Mapping[str, Any]


class ChildrenBusy(Exception):
    """Other questions are being answered; one may ask again in a moment."""


class ChildTimeout(Exception):
    """The child was ended before it had an answer."""


class ChildEnded(Exception):
    """The child ended by itself: it was killed, or failed where nothing could be said."""


# --- the side that asks -----------------------------------------------------------------------
class ChildReply:
    """What a child says to one question, line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._late = False
        self.keep = True  # False: the child has grown, and is not asked again

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """What is waited for here is waited for so long; then the child is ended."""
        timer = Timer(seconds, self._too_late)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def send(self, question: bytes) -> None:
        """Raises ChildTimeout where the child does not take it in `SENDING` s, and ChildEnded."""
        assert self._process.stdin is not None  # noqa: S101  # a pipe was asked for
        try:
            with self.within(SENDING):
                self._process.stdin.write(question)
                self._process.stdin.flush()
        except BrokenPipeError as broken:
            raise self._why_ended() from broken

    def _why_ended(self) -> Exception:
        return ChildTimeout() if self._late else ChildEnded()

    def _too_late(self) -> None:
        self._late = True
        self._process.kill()

    def line(self) -> bytes:
        """The next line. Raises ChildTimeout, and ChildEnded when the child has ended."""
        assert self._process.stdout is not None  # noqa: S101  # a pipe was asked for
        line = self._process.stdout.readline()
        if line.endswith(b"\n"):
            return line
        raise self._why_ended()


class ChildProcesses:
    """Children that run `python -m module arguments`, each of which answers one question at a time.

    At most `most` of them at once: further questions wait `queueing` seconds. Safe to ask from
    any thread.
    """

    def __init__(
        self, module: str, *arguments: str, folder: Path, most: int = 1, queueing: float = 0.0
    ) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._folder = folder
        self._queueing = queueing
        self._free = BoundedSemaphore(most)
        self._idle: deque[subprocess.Popen[bytes]] = deque()
        self._preparing: Thread | None = None
        atexit.register(self.stop)

    @contextmanager
    def asked(self, question: Question, data: bytes = b"") -> Iterator[ChildReply]:
        """The reply to a question; whoever leaves before its end ends the child.

        Raises ChildrenBusy; ChildTimeout and ChildEnded where no child starts or takes it.
        """
        if self._preparing is not None:
            self._preparing.join()  # at most `STARTING` s: a child that starts is not a busy one
        if not self._free.acquire(timeout=self._queueing):
            raise ChildrenBusy
        try:
            process = self._sent(json.dumps(question).encode() + b"\n" + data)
            reply = ChildReply(process)
            with _ended_if_it_fails(process):
                yield reply
            self._put_back(process, keep=reply.keep)
        finally:
            self._free.release()

    def _sent(self, question: bytes) -> subprocess.Popen[bytes]:
        """A child that was idle for long is gone: the next one takes the question."""
        while process := self._next_idle():
            with suppress(ChildEnded):
                return _given(process, question)
        return _given(self._started(), question)

    def _next_idle(self) -> subprocess.Popen[bytes] | None:
        with suppress(IndexError):  # also where another thread took the last one
            return self._idle.pop()
        return None

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603  # a module of ours, and nothing that came in
            self._command,
            cwd=self._folder,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # each takes room for itself
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the server's; this one ends with its pipe
        )
        reply = ChildReply(process)
        with _ended_if_it_fails(process), reply.within(STARTING):
            reply.line()  # "ready"
        return process

    def _put_back(self, process: subprocess.Popen[bytes], *, keep: bool) -> None:
        if keep:
            self._idle.append(process)
        else:
            _end(process)

    def prepare(self) -> None:
        """Start a child before the first question, without waiting for it."""
        if not self._idle and self._free.acquire(blocking=False):
            thread = Thread(target=self._prepare, daemon=True)
            thread.start()
            self._preparing = thread

    def _prepare(self) -> None:
        try:
            with suppress(ChildTimeout, ChildEnded):  # whoever asks first is told
                self._idle.append(self._started())
        finally:
            self._free.release()

    def stop(self) -> None:
        """End the children that wait for a question."""
        while process := self._next_idle():
            _end(process)


def _given(process: subprocess.Popen[bytes], question: bytes) -> subprocess.Popen[bytes]:
    with _ended_if_it_fails(process):
        ChildReply(process).send(question)
    return process


@contextmanager
def _ended_if_it_fails(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        _end(process)
        raise


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # what was left to write has no reader any more
                pipe.close()
    process.wait()


# --- the side that answers --------------------------------------------------------------------
def serve(answer: Callable[[Question, BinaryIO, Say], None], *, memory: int) -> int:
    """Answer until there is nobody left to ask, or nobody has asked for `IDLE` seconds.

    `answer` is given a question, the stream from which it reads the bytes that the question
    announces, and what writes a line. `memory` bounds the address space, in bytes, a good part of
    which libraries only reserve.
    """
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    inbox, outbox = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whoever prints must not speak into the answers

    def say(line: object) -> None:
        try:
            outbox.write(json.dumps(line, allow_nan=False).encode() + b"\n")
            outbox.flush()
        except BrokenPipeError:
            os._exit(0)  # whoever asked has ended, and nobody is left to be told

    say({"ready": True})
    while _somebody_asks(inbox) and (line := inbox.readline()):
        answer(json.loads(line), inbox, say)
    return 0


def _somebody_asks(inbox: BinaryIO) -> bool:
    return bool(select.select([inbox], [], [], IDLE)[0])


def held_memory() -> int:
    """The bytes that this process holds now; the most that it ever held where nobody can say.

    The most is no use on Linux: a child begins with that of the process that started it.
    """
    with suppress(FileNotFoundError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
