"""The first answer after an installation: nothing is compiled for one short series."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from detectors.cache import UNCOMPILED, as_written
from detectors.methods.mser import Mser
from detectors.synthetic import simulate

STEP = simulate("step", n=600).values


def asked(folder: Path, *arguments: str) -> list[dict[str, str]]:
    """The rows of a process whose cache of kernels is in `folder`."""
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(folder), UNCOMPILED: "0"}
    done = subprocess.run(
        [sys.executable, "-m", "detectors", "detect", *arguments, "--format", "csv"],
        capture_output=True,
        text=True,
        check=True,
        env=settings,
    )
    return list(csv.DictReader(io.StringIO(done.stdout)))


def compiled(folder: Path) -> bool:
    return any(folder.glob("**/*.nbi"))


def test_one_short_series_is_answered_without_compiling_and_without_a_time(tmp_path: Path) -> None:
    np.save(tmp_path / "step.npy", STEP)
    cold = tmp_path / "cold"

    (row,) = asked(cold, str(tmp_path / "step.npy"), "--method", "mser")

    assert not compiled(cold)
    assert row["milliseconds"] == ""
    assert int(row["steady_start"]) == Mser().answer(STEP).steady_start
    assert row["error"] == ""


@pytest.mark.parametrize("series", [[STEP, STEP], [np.tile(STEP, 7)]])
def test_several_series_or_a_long_one_are_worth_compiling(
    series: list[np.ndarray], tmp_path: Path
) -> None:
    np.savez(tmp_path / "steps.npz", *series)
    cold = tmp_path / "cold"

    rows = asked(cold, str(tmp_path / "steps.npz"), "--method", "mser")

    assert compiled(cold)
    assert len(rows) == len(series)
    assert all(float(row["milliseconds"]) > 0 for row in rows)


@pytest.mark.parametrize("before", [None, "0", "1"])
def test_the_setting_is_as_it_was_afterwards(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(UNCOMPILED, raising=False)
    if before is not None:
        monkeypatch.setenv(UNCOMPILED, before)

    with as_written():
        assert os.environ[UNCOMPILED] == "1"

    assert os.environ.get(UNCOMPILED) == before
