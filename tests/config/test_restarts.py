"""Programs that end are started again, and the pauses between their starts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config import processes, restarts
from config.processes import ChildProgram
from config.restarts import KeptProgram, restart_pause


def test_pauses_grow_to_a_minute_and_no_further() -> None:
    assert [restart_pause(n) for n in (0, 1, 2, 3, 6, 7, 8, 5000)] == [0, 1, 2, 4, 32, 60, 60, 60]


class Kept:
    """A program of one line, and a clock that the test moves."""

    def __init__(self, folder: Path, line: str) -> None:
        self.folder, self.line = folder, line
        self.started: list[ChildProgram] = []
        self.program = KeptProgram("example", self.start)
        self.now = self.program._since

    def start(self) -> ChildProgram:
        command = [sys.executable, "-Sc", self.line]
        child = processes.start_program(
            "x", command, log=self.folder / "x.log", patience=0, environment={}
        )
        self.started.append(child)
        return child

    def end(self) -> None:
        for child in self.started:
            child.process.kill()
            child.process.wait()

    def after(self, seconds: float) -> int:
        """Look at it when it has ended and so much time has passed; how often it was started."""
        self.started[-1].process.wait()
        self.now += seconds
        self.program.look(self.now)
        return len(self.started)


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[Callable[[str], Kept]]:
    programs: list[Kept] = []

    def keep(line: str) -> Kept:
        programs.append(Kept(tmp_path, line))
        return programs[-1]

    yield keep
    for program in programs:
        program.end()


def test_what_has_run_for_a_while_is_started_again_at_once(
    keep: Callable[[str], Kept], capfd: pytest.CaptureFixture[str]
) -> None:
    program = keep("import os; os.kill(os.getpid(), 9)")

    assert program.after(restarts.LIVED) == 2
    assert capfd.readouterr().err == (
        "The example was killed by signal 9; it is started again now.\n"
    )


def test_what_ends_at_once_says_why_and_is_tried_ever_later(
    keep: Callable[[str], Kept], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = keep("print('no room'); raise SystemExit(3)")
    monkeypatch.setattr(restarts.time, "monotonic", lambda: program.now)

    start_counts = [program.after(seconds) for seconds in (0.1, 0.8, 0.2, 0.1, 1.8, 0.2)]

    assert start_counts == [1, 1, 2, 2, 2, 3]
    output = capfd.readouterr().err
    assert "example ended with status 3" in output
    assert "is started again in 2" in output
    assert f"the end of {program.folder / 'x.log'}:\n  no room\n" in output


def test_a_start_that_fails_is_tried_again(
    keep: Callable[[str], Kept], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = keep("")
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", _no_memory)
        assert program.after(restarts.LIVED) == 1
    assert "cannot be started ([Errno 12]" in capfd.readouterr().err

    assert program.after(restarts.LONGEST_PAUSE) == 2


def _no_memory(*_: object, **__: object) -> None:
    raise OSError(12, "Cannot allocate memory")


def test_what_runs_is_left_alone(
    keep: Callable[[str], Kept], capfd: pytest.CaptureFixture[str]
) -> None:
    program = keep("import signal; signal.pause()")

    program.program.look(program.now + 1e6)

    assert len(program.started) == 1
    assert capfd.readouterr().err == ""
