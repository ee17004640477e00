"""Kernels are compiled when they are called, with the kernels that they call."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from detectors.compilation import cache
from detectors.contract import Values
from detectors.kernels import jit
from detectors.kernels.jit import CompiledKernel, compile_when_hot, inlined_kernel, kernel
from detectors.kernels.order_statistics import median

BATCHED = """
import numpy, sys
from detectors.kernels.mser import batch_means
print(batch_means(numpy.array([3.0, 1.0, 4.0, 0.0]), 2), "numba" in sys.modules)
"""
ANSWER = """
import sys
from detectors.methods.kb_kssd import KbKssd
from detectors.simulated.synthetic import simulate
print(KbKssd().answer(simulate("step").values).steady_start, "numba" in sys.modules)
"""

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


@kernel
def double_median(values: Values) -> float:
    """Calls a kernel of another module."""
    return 2.0 * median(values, np.empty(values.size))


@kernel
def add_index(values: Values, index: int) -> float:
    return float(values[index]) + index


@kernel
def add_indices(values: Values) -> float:
    """Calls one kernel with two numbers that are written down."""
    return add_index(values, 0) + add_index(values, 2)


@kernel
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


def run(
    program: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
        env={**os.environ, **environment},
    )


def test_a_kernel_calls_kernels_of_other_modules_and_itself() -> None:
    assert double_median(np.array([3.0, 1.0, 2.0])) == 4.0
    assert factorial(10) == 3_628_800


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_is_compiled_once_for_all_numbers_in_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "place_kernel_cache", lambda: tmp_path)  # nothing of an earlier run
    for added_kernel in (add_index, add_indices):
        monkeypatch.setattr(added_kernel, "compiled", None)

    assert add_indices(np.array([3.0, 1.0, 2.0])) == 7.0
    signatures = add_index.compiled.nopython_signatures  # type: ignore[attr-defined]
    assert [str(signature.args[1]) for signature in signatures] == ["int64"]


def test_a_kernel_is_known_by_its_own_name() -> None:
    assert double_median.__name__ == "double_median"
    assert double_median.__doc__ == "Calls a kernel of another module."
    assert pickle.loads(pickle.dumps(double_median)) is double_median  # noqa: S301


@pytest.fixture
def fresh_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledKernel:
    """`double_median` where nothing is compiled."""
    monkeypatch.setattr(jit, "place_kernel_cache", lambda: tmp_path)
    return CompiledKernel(double_median.function)  # type: ignore[attr-defined]


def test_a_few_calls_run_as_written(fresh_kernel: CompiledKernel) -> None:
    with compile_when_hot() as use:
        assert fresh_kernel(np.array([3.0, 1.0, 2.0])) == 4.0

    assert use.as_written
    assert fresh_kernel.compiled is None
    assert fresh_kernel.seconds > 0


def test_as_written_there_are_no_warnings_that_compiled_there_are_not(
    recwarn: pytest.WarningsRecorder,
) -> None:
    overflows = CompiledKernel(lambda value: value * value)

    with compile_when_hot():
        assert overflows(np.float64(1e300)) == np.inf

    assert not recwarn.list


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_hot_kernel_is_compiled_and_so_is_what_another_process_compiled(
    fresh_kernel: CompiledKernel, tmp_path: Path
) -> None:
    fresh_kernel.seconds = jit.COMPILE_SECONDS * len(fresh_kernel.tree()) + 0.1
    with compile_when_hot() as use:
        assert fresh_kernel(np.array([3.0, 1.0, 2.0])) == 4.0
    second_kernel = CompiledKernel(fresh_kernel.function)
    with compile_when_hot() as kernel_use:
        assert second_kernel(np.array([3.0, 1.0, 2.0])) == 4.0

    assert fresh_kernel.lock.is_relative_to(tmp_path)
    assert fresh_kernel.compiled
    assert second_kernel.compiled
    assert [use.as_written, kernel_use.as_written] == [False, False]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_long_kernel_never_runs_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "place_kernel_cache", lambda: tmp_path)
    long_kernel = jit.long_kernel(lambda n: n + 1)

    with compile_when_hot() as use:
        assert long_kernel(1) == 2

    assert not use.as_written


def test_what_a_kernel_is_compiled_with_is_it_and_its_callees_to_the_last() -> None:
    names = {kernel.__name__ for kernel in double_median.tree()}  # type: ignore[attr-defined]

    assert {"double_median", "median", "middle_pair", "select", "advance"} <= names
    assert factorial.tree() == {factorial}  # type: ignore[attr-defined]


def test_a_thread_beside_it_compiles() -> None:
    with compile_when_hot(), ThreadPoolExecutor(1) as threads:
        waiting_kernels = threads.submit(jit._waiting.get).result()

    assert waiting_kernels is None


def test_threads_may_call_first_at_once() -> None:
    fresh_kernel = CompiledKernel(double_median.function)  # type: ignore[attr-defined]

    with ThreadPoolExecutor(4) as threads:
        medians = list(threads.map(fresh_kernel, [np.array([3.0, 1.0, 2.0])] * 4))

    assert medians == [4.0] * 4


def test_the_same_answer_with_compilation_off() -> None:
    assert run(ANSWER, NUMBA_DISABLE_JIT="1").stdout == "657 False\n"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_compiled_code_is_kept_where_the_environment_says(tmp_path: Path) -> None:
    process = run(BATCHED, NUMBA_CACHE_DIR="", PLATEAU_DATA=str(tmp_path))

    assert process.stdout == "[2. 2.] True\n"
    (folder,) = (tmp_path / "numba").iterdir()
    assert folder.name == cache.kernels_digest()
    assert list(folder.rglob("*.nbi"))


@inlined_kernel
def halve(x: float) -> float:
    return x / 2


@kernel
def quarter(x: float) -> float:
    return halve(x) / 2


@pytest.mark.skipif(not COMPILED, reason="kernels are not compiled in this run")
def test_an_inlined_kernel_is_compiled_in_its_caller_only() -> None:
    assert quarter(12.0) == 3.0
    assert halve.compile().signatures == []  # type: ignore[attr-defined]
    assert halve(12.0) == 6.0


@pytest.mark.skipif(not COMPILED, reason="the same in both runs: it compiles by itself")
def test_another_copy_of_the_same_kernels_compiles_nothing(tmp_path: Path) -> None:
    for name in ("first", "second"):
        shutil.copytree(Path(jit.__file__).parents[1], tmp_path / name / "detectors")
    program = """
import numpy
from detectors.kernels.order_statistics import median
median(numpy.ones(3), numpy.ones(3))
print(sum(median.compiled.stats.cache_hits.values()))
"""
    settings = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "NUMBA_DISABLE_JIT": "0"}

    first, second = (run(program, tmp_path / name, **settings) for name in ("first", "second"))

    assert (first.stdout, second.stdout) == ("0\n", "1\n")


def test_a_folder_called_numba_is_no_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ModuleSpec("numba", None)
    monkeypatch.setattr(jit, "find_spec", lambda _name: spec)

    assert not jit.has_numba.__wrapped__()
