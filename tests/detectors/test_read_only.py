"""A copy of the library that nobody may write to still answers, from wherever it lies."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DROP, WRITE_ANYWHERE = 24, 1  # prctl: PR_CAPBSET_DROP, CAP_DAC_OVERRIDE (linux/capability.h)
PROGRAM = """
import os
import detectors
from detectors.compilation.cache import place_kernel_cache
from detectors.kernels.pilot import penalty_factor
from detectors.registry import get
print(os.path.dirname(detectors.__file__))
print(get("fixed")(iteration=3).answer([1.0] * 9).steady_start, penalty_factor(2, 3))
print(place_kernel_cache())
try:
    open("detectors/new", "w")
except PermissionError:
    print("read-only")
"""


@pytest.fixture
def library_folder() -> Iterator[Path]:
    """A folder with the library in it and a home beside it, all of it read-only."""
    folder = Path(tempfile.mkdtemp(prefix="plateau-read-only-"))
    for room in ("detectors", "formats"):
        ignored_names = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, folder / room, ignore=ignored_names)
    (folder / "home").mkdir()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700)
    shutil.rmtree(folder)


def drop_root_rights() -> None:
    """Root, too, may then write only where the modes of files and folders allow it."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(DROP, WRITE_ANYWHERE, 0, 0, 0):
        raise OSError("root's right to write anywhere cannot be given up here")


def test_a_read_only_copy_answers_and_keeps_its_kernels_elsewhere(library_folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="plateau-scratch-") as scratch:
        Path(scratch).chmod(0o777)
        process = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=False,
            cwd=library_folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(library_folder / "home"),
                "TMPDIR": scratch,
                "PYTHONPATH": str(library_folder),
            },
            preexec_fn=drop_root_rights,
        )
        assert process.returncode == 0, process.stderr
        location, answers, cache, write_result = process.stdout.splitlines()
        kernel_files = list(Path(cache).rglob("*.nbi"))

    assert location == str(library_folder / "detectors")
    assert (answers, write_result) == ("3 7.0", "read-only")
    assert Path(cache).parent == Path(scratch)
    assert kernel_files
    assert not list(library_folder.rglob("*.nbi"))
