"""One process at a time compiles a kernel."""

from __future__ import annotations

import fcntl
import gc
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from detectors.compilation import compiling
from detectors.compilation.cache import place_kernel_cache
from detectors.compilation.compiling import serialise
from detectors.kernels.jit import kernel


def compile_into(folder: Path) -> None:
    """As numba does it: look into the cache, compile, keep."""

    def compile_() -> None:
        kept_path = folder / "kept"
        if not kept_path.exists():
            with (folder / "compiled").open("a") as note:
                note.write("once\n")
            time.sleep(0.2)
            kept_path.touch()

    serialise(compile_, folder / "locks" / "f")()


def test_of_two_processes_one_compiles(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=compile_into, args=(tmp_path,)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0, 0]
    assert (tmp_path / "compiled").read_text() == "once\n"


def test_a_kernel_that_calls_itself_or_another_does_not_wait_for_itself(tmp_path: Path) -> None:
    inner_call = serialise(lambda: 1, tmp_path / "locks" / "inner")
    outer_call = serialise(lambda: inner_call() + second_call(), tmp_path / "locks" / "outer")
    second_call = serialise(lambda: 2, tmp_path / "locks" / "outer")

    assert outer_call() == 3


def test_no_garbage_is_collected_while_a_kernel_compiles(tmp_path: Path) -> None:
    inner_call = serialise(gc.isenabled, tmp_path / "locks" / "inner")
    outer_call = serialise(lambda: [inner_call(), gc.isenabled()], tmp_path / "locks" / "outer")
    failing_call = serialise(lambda: 1 // 0, tmp_path / "locks" / "failing")

    assert outer_call() == [False, False]
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        failing_call()
    assert gc.isenabled()


def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a process that was stopped while it compiled."""
    monkeypatch.setattr(compiling, "LONGEST_WAIT", 0.2)
    compile_ = serialise(lambda: "mine", tmp_path / "locks" / "f")

    with (tmp_path / "locks" / "f").open("a") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        assert compile_() == "mine"


def test_another_thread_waits_for_the_first(tmp_path: Path) -> None:
    entered_event, leave_event, finished_calls = threading.Event(), threading.Event(), []

    def wait_inside() -> None:
        entered_event.set()
        leave_event.wait(20)
        finished_calls.append("first")

    slow_call = serialise(wait_inside, tmp_path / "locks" / "f")
    quick_call = serialise(lambda: finished_calls.append("second"), tmp_path / "locks" / "f")
    threads = [threading.Thread(target=slow_call), threading.Thread(target=quick_call)]
    threads[0].start()
    assert entered_event.wait(20)
    threads[1].start()
    leave_event.set()
    for thread in threads:
        thread.join()

    assert finished_calls == ["first", "second"]


def test_kernels_are_compiled_under_a_lock_of_their_own() -> None:
    @kernel
    def add_one(x: int) -> int:
        return x + 1

    if add_one.compile() is add_one.function:  # type: ignore[attr-defined]
        pytest.skip("kernels are not compiled in this run")
    lock = place_kernel_cache() / "locks" / f"{__name__}.{add_one.__qualname__}"
    lock.unlink(missing_ok=True)

    assert add_one(1) == 2

    assert lock.is_file()
