"""One process at a time compiles a kernel."""

from __future__ import annotations

import fcntl
import multiprocessing
import threading
import time
from pathlib import Path

import pytest

from detectors.compilation import compiling
from detectors.compilation.cache import place_kernel_cache
from detectors.compilation.compiling import one_at_a_time
from detectors.kernels.jit import kernel


def compile_into(folder: Path) -> None:
    """As numba does it: look into the cache, compile, keep."""

    def compile_() -> None:
        kept = folder / "kept"
        if not kept.exists():
            with (folder / "compiled").open("a") as note:
                note.write("once\n")
            time.sleep(0.2)
            kept.touch()

    one_at_a_time(compile_, folder / "locks" / "f")()


def test_of_two_processes_one_compiles(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    both = [fork.Process(target=compile_into, args=(tmp_path,)) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join(60)

    assert [each.exitcode for each in both] == [0, 0]
    assert (tmp_path / "compiled").read_text() == "once\n"


def test_a_kernel_that_calls_itself_or_another_does_not_wait_for_itself(tmp_path: Path) -> None:
    inner = one_at_a_time(lambda: 1, tmp_path / "locks" / "inner")
    outer = one_at_a_time(lambda: inner() + again(), tmp_path / "locks" / "outer")
    again = one_at_a_time(lambda: 2, tmp_path / "locks" / "outer")

    assert outer() == 3


def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a process that was stopped while it compiled."""
    monkeypatch.setattr(compiling, "LONGEST_WAIT", 0.2)
    compile_ = one_at_a_time(lambda: "mine", tmp_path / "locks" / "f")

    with (tmp_path / "locks" / "f").open("a") as stopped:
        fcntl.flock(stopped, fcntl.LOCK_EX)
        assert compile_() == "mine"


def test_another_thread_waits_for_the_first(tmp_path: Path) -> None:
    inside, leave, order = threading.Event(), threading.Event(), []

    def first() -> None:
        inside.set()
        leave.wait(20)
        order.append("first")

    slow = one_at_a_time(first, tmp_path / "locks" / "f")
    quick = one_at_a_time(lambda: order.append("second"), tmp_path / "locks" / "f")
    threads = [threading.Thread(target=slow), threading.Thread(target=quick)]
    threads[0].start()
    assert inside.wait(20)
    threads[1].start()
    leave.set()
    for thread in threads:
        thread.join()

    assert order == ["first", "second"]


def test_kernels_are_compiled_under_a_lock_of_their_own() -> None:
    @kernel
    def one_more(x: int) -> int:
        return x + 1

    if one_more.compile() is one_more.function:  # type: ignore[attr-defined]
        pytest.skip("kernels are not compiled in this run")
    lock = place_kernel_cache() / "locks" / f"{__name__}.{one_more.__qualname__}"
    lock.unlink(missing_ok=True)

    assert one_more(1) == 2

    assert lock.is_file()
