"""A program in a process of its own, bounded in time and memory: the two sides of one.

A web process must not be held up, or filled, by a method that somebody gave a strange parameter
or by a file that was made to hurt: compiled code cannot be interrupted from within, and memory
that Python has taken is seldom given back. So a child does such work. It is started at the first
question and kept for the next ones; whoever asks ends it when it takes too long.

A question is a line of JSON, and bytes that it announces; an answer is one line of JSON or more.

A busy machine makes everything slow, so work of unknown size is bounded in processor time, by the
question's `processor_seconds`, and by progress: a child that neither speaks nor computes is ended.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import BoundedSemaphore, Event, Thread, Timer
from typing import Any, BinaryIO, Final, TypeAlias

STARTING: Final = 180.0  # seconds without progress while a child starts
SENDING: Final = 30.0  # seconds without progress while a child takes a question
PR_SET_PDEATHSIG: Final = 1  # of prctl(2)
LOOKS: Final = 10  # at a child in the seconds that it may stand still
ENDING: Final = 5.0  # seconds for a process to go that has closed its pipe
IDLE: Final = 600.0  # seconds without a question, after which a child makes room

Say: TypeAlias = Callable[[object], None]
"""Writes one line of an answer: anything that JSON can hold."""
Question: TypeAlias = Mapping[str, Any]


class ChildrenBusy(Exception):
    """Other questions are being answered; one may ask again in a moment."""


class ChildTimeout(Exception):
    """The child was ended before it had an answer."""


class ChildIdle(ChildTimeout):
    """The child was ended since it neither spoke nor computed."""


class ChildEnded(Exception):
    """The child ended by itself: it was killed, or failed where nothing could be said."""


# --- the side that asks -----------------------------------------------------------------------
class ChildReply:
    """Reply of a child to one question, line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._late: ChildTimeout | None = None
        self._waiting = False  # for the child: else it may be waiting for us
        self._lines = 0
        self.keep = True  # False: the child has grown, and is not asked again

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Bound the time that the block waits for the child by `seconds`; then the child is
        ended.
        """
        timer = Timer(seconds, self._end, (ChildTimeout(),))
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @contextmanager
    def limit_idleness(self, seconds: float) -> Iterator[None]:
        """End the child once it has neither spoken nor computed while waited for `seconds`."""
        end_event = Event()
        watch = Thread(
            target=self._watch, args=(seconds, end_event), name="child watch", daemon=True
        )
        watch.start()
        try:
            yield
        finally:
            end_event.set()

    def _watch(self, seconds: float, end_event: Event) -> None:
        progress_before, changed_at = None, time.monotonic()
        while not end_event.wait(seconds / LOOKS):
            progress = (self._lines, processor_seconds(self._process.pid))
            if progress != progress_before or not self._waiting:
                progress_before, changed_at = progress, time.monotonic()
            elif time.monotonic() - changed_at > seconds:
                self._end(ChildIdle())
                return

    @contextmanager
    def _note_waiting(self) -> Iterator[None]:
        self._waiting = True
        try:
            yield
        finally:
            self._waiting = False

    def send(self, question: bytes) -> None:
        """Raises ChildTimeout where the child does not go on taking it, and ChildEnded."""
        assert self._process.stdin is not None  # noqa: S101  # a pipe was asked for
        try:
            with self.limit_idleness(SENDING), self._note_waiting():
                self._process.stdin.write(question)
                self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._end_error() from error

    def _end_error(self) -> Exception:
        with suppress(subprocess.TimeoutExpired):
            if self._process.wait(ENDING) == -signal.SIGPROF:
                return ChildTimeout()
        return self._late or ChildEnded()

    def _end(self, timeout: ChildTimeout) -> None:
        self._late = timeout
        self._process.kill()

    def line(self) -> bytes:
        """The next line. Raises ChildTimeout, and ChildEnded when the child has ended."""
        assert self._process.stdout is not None  # noqa: S101  # a pipe was asked for
        with self._note_waiting():
            line = self._process.stdout.readline()
        if line.endswith(b"\n"):
            self._lines += 1
            return line
        raise self._end_error()


class ChildProcesses:
    """Children that run `python -m module arguments`, each of which answers one question at a time.

    At most `most` of them at once: further questions wait `queueing` seconds. Safe to ask from
    any thread.
    """

    def __init__(
        self, module: str, *arguments: str, folder: Path, limit: int = 1, queueing: float = 0.0
    ) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        self._folder = folder
        self._queueing = queueing
        self._free = BoundedSemaphore(limit)
        self._idle: deque[subprocess.Popen[bytes]] = deque()
        self._preparing: Thread | None = None
        atexit.register(self.stop)

    @contextmanager
    def reply_to(self, question: Question, data: bytes = b"") -> Iterator[ChildReply]:
        """The reply to a question; whoever leaves before its end ends the child.

        Raises ChildrenBusy; ChildTimeout and ChildEnded where no child starts or takes it.
        """
        if self._preparing is not None:
            self._preparing.join()  # at most `STARTING` s: a child that starts is not a busy one
        if not self._free.acquire(timeout=self._queueing):
            raise ChildrenBusy
        try:
            process = self._process_with_question(json.dumps(question).encode() + b"\n" + data)
            reply = ChildReply(process)
            with _end_on_failure(process):
                yield reply
            if reply.keep:
                self._idle.append(process)
            else:
                _end(process)
        finally:
            self._free.release()

    def _process_with_question(self, question: bytes) -> subprocess.Popen[bytes]:
        """A child that was idle for long is gone: the next one takes the question."""
        while process := self._take_idle_process():
            with suppress(ChildEnded):
                return _ask_process(process, question)
        return _ask_process(self._start_process(), question)

    def _take_idle_process(self) -> subprocess.Popen[bytes] | None:
        with suppress(IndexError):  # also where another thread took the last one
            return self._idle.pop()
        return None

    def _start_process(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603  # a module of ours, and nothing that came in
            self._command,
            cwd=self._folder,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # each takes room for itself
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the server's; this one ends with its pipe
        )
        reply = ChildReply(process)
        with _end_on_failure(process), reply.limit_idleness(STARTING):
            reply.line()  # "ready"
        return process

    def prepare(self) -> None:
        """Start a child before the first question, without waiting for it."""
        if not self._idle and self._free.acquire(blocking=False):
            thread = Thread(target=self._prepare, daemon=True)
            thread.start()
            self._preparing = thread

    def _prepare(self) -> None:
        try:
            with suppress(ChildTimeout, ChildEnded):  # whoever asks first is told
                self._idle.append(self._start_process())
        finally:
            self._free.release()

    def stop(self) -> None:
        """End the children that wait for a question."""
        while process := self._take_idle_process():
            _end(process)


def _ask_process(process: subprocess.Popen[bytes], question: bytes) -> subprocess.Popen[bytes]:
    with _end_on_failure(process):
        ChildReply(process).send(question)
    return process


@contextmanager
def _end_on_failure(process: subprocess.Popen[bytes]) -> Iterator[None]:
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


def processor_seconds(pid: int) -> float | None:
    """Processor time of a process, user and system; None where nobody can say."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        ticks = text.rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return None


def end_with_parent() -> None:
    """Have Linux end this process when its parent ends: for `preexec_fn`.

    A parent that is killed cannot end anybody. It must live as long as the thread that starts it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


# --- the side that answers --------------------------------------------------------------------
def serve(answer: Callable[[Question, BinaryIO, Say], None], *, memory: int) -> int:
    """Answer until there is nobody left to ask, or nobody has asked for `IDLE` seconds.

    `answer` is given a question, the stream from which it reads the bytes that the question
    announces, and what writes a line. `memory` bounds the address space, in bytes, a good part of
    which libraries only reserve.
    """
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # whoever started this may ignore it
    inbox, outbox = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whoever prints must not speak into the answers

    def say(line: object) -> None:
        try:
            outbox.write(json.dumps(line, allow_nan=False).encode() + b"\n")
            outbox.flush()
        except BrokenPipeError:
            os._exit(0)  # whoever asked has ended, and nobody is left to be told

    say({"ready": True})
    while _has_question(inbox) and (line := inbox.readline()):
        question = json.loads(line)
        with _processor_bound(question.get("processor_seconds", 0.0)):
            answer(question, inbox, say)
    return 0


@contextmanager
def _processor_bound(seconds: float) -> Iterator[None]:
    """End this process by SIGPROF once the block has used so much processor time; 0: no bound.

    The system sends the signal, and nothing here handles it: compiled code is ended, too.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _has_question(inbox: BinaryIO) -> bool:
    return bool(select.select([inbox], [], [], IDLE)[0])


def held_memory() -> int:
    """The bytes that this process holds now; the most that it ever held where nobody can say.

    The most is no use on Linux: a child begins with that of the process that started it.
    """
    with suppress(FileNotFoundError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
