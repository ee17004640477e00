"""The first answers after an installation: of a few short series only hot kernels are compiled."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from detectors.command import file_series
from detectors.contract import Context
from detectors.detection_rows import SeriesInFile
from detectors.kernels.jit import can_compile
from detectors.methods.mser import Mser
from detectors.simulated.synthetic import simulate

STEP = simulate("step", n=600).values
FROM_PYTHON = """
import sys
import numpy as np
import plateau_perf as pp
values = np.load(sys.argv[1])
print([pp.detect(values, "mser").start for _ in range(3)], "numba" in sys.modules)
"""


def process_output(folder: Path, *arguments: str) -> str:
    """What a process prints whose cache of kernels is in `folder`."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "0"},
    ).stdout


def detection_rows(folder: Path, file: Path) -> list[dict[str, str]]:
    command = ("-m", "detectors", "detect", str(file), "--method", "mser", "--format", "csv")
    return list(csv.DictReader(io.StringIO(process_output(folder, *command))))


def has_compiled(folder: Path) -> bool:
    return any(folder.glob("**/*.nbi"))


def test_a_few_short_series_are_answered_without_compiling_and_without_a_time(
    tmp_path: Path,
) -> None:
    np.savez(tmp_path / "steps.npz", *[STEP] * 8)
    cold_folder = tmp_path / "cold"

    rows = detection_rows(cold_folder, tmp_path / "steps.npz")

    assert not has_compiled(cold_folder)
    assert {row["milliseconds"] for row in rows} == {""}
    assert [int(row["steady_start"]) for row in rows] == [Mser().answer(STEP).steady_start] * 8


def test_so_are_the_first_ones_of_a_program(tmp_path: Path) -> None:
    np.save(tmp_path / "step.npy", STEP)
    cold_folder = tmp_path / "cold"

    output = process_output(cold_folder, "-c", FROM_PYTHON, str(tmp_path / "step.npy"))

    assert output == f"{[Mser().answer(STEP).steady_start] * 3} False\n"
    assert not has_compiled(cold_folder)


@pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
def test_a_few_answers_do_not_wait_for_numba_to_read_what_was_compiled(tmp_path: Path) -> None:
    np.save(tmp_path / "step.npy", STEP)
    kept_folder = tmp_path / "kept"
    process_output(
        kept_folder, "-c", "from detectors.methods.mser import Mser\nMser().answer([1.0] * 100)"
    )

    output = process_output(kept_folder, "-c", FROM_PYTHON, str(tmp_path / "step.npy"))

    assert has_compiled(kept_folder)
    assert output == f"{[Mser().answer(STEP).steady_start] * 3} False\n"


@pytest.mark.parametrize(
    ("sizes", "are_few"),
    [([], True), ([1], True), ([4000] * 8, True), ([10] * 9, False), ([10, 4001], False)],
)
def test_many_series_or_a_long_one_are_worth_compiling(sizes: list[int], *, are_few: bool) -> None:
    series = [SeriesInFile("", str(index), np.ones(n), Context()) for index, n in enumerate(sizes)]

    has_few, remaining_series = file_series._are_few_and_series(series)

    assert has_few == are_few
    assert list(remaining_series) == series
