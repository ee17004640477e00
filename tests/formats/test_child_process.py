"""A child that starts and then fails its first question ends as one that failed later."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats import child_process
from formats.child_process import ChildEnded, ChildProcesses, ChildrenBusy, ChildTimeout

READY = "import time\nprint('{}', flush=True)\n"
ECHO = (
    "import sys\nprint('{}', flush=True)\nfor line in sys.stdin: print(line, end='', flush=True)\n"
)
MORE_THAN_A_PIPE_HOLDS = bytes(2_000_000)


def child_processes(folder: Path, child_code: str) -> ChildProcesses:
    (folder / "child.py").write_text(READY + child_code)
    return ChildProcesses("child", folder=folder)


def test_a_child_that_ends_before_its_first_question(tmp_path: Path) -> None:
    ending = child_processes(tmp_path, "")

    for _ in range(2):  # the first failure leaves room for the second question
        with pytest.raises(ChildEnded), ending.reply_to({}, MORE_THAN_A_PIPE_HOLDS):
            pass


def test_a_child_that_does_not_read_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_process, "SENDING", 0.05)
    deaf_processes = child_processes(tmp_path, "time.sleep(20)")

    for _ in range(2):
        with pytest.raises(ChildTimeout), deaf_processes.reply_to({}, MORE_THAN_A_PIPE_HOLDS):
            pass


def test_a_child_that_does_not_start_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_process, "STARTING", 0.05)
    (tmp_path / "child.py").write_text("import time\ntime.sleep(20)")
    stuck_processes = ChildProcesses("child", folder=tmp_path)

    with pytest.raises(ChildTimeout), stuck_processes.reply_to({}):
        pass


def test_a_child_that_still_starts_is_waited_for(tmp_path: Path) -> None:
    """However long it takes: only a child that answers somebody else is a busy one."""
    (tmp_path / "child.py").write_text("import time\ntime.sleep(0.3)\n" + ECHO)
    slow_processes = ChildProcesses("child", folder=tmp_path, queueing=0.0)

    slow_processes.prepare()

    with slow_processes.reply_to({"n": 3}) as reply:
        assert reply.line() == b'{"n": 3}\n'
        with pytest.raises(ChildrenBusy), slow_processes.reply_to({}):
            pass
    slow_processes.stop()
