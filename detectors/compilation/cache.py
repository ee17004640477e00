"""The folder of compiled kernels between processes: decided here and nowhere else.

`detectors.kernels.jit` asks before it imports numba, so that nobody has to remember it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


@cache
def kernels_digest() -> str:
    """Changes with any kernel's source: numba itself misses a change in a callee's file."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parents[1].joinpath("kernels").glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def place_kernel_cache() -> Path:
    """Choose the folder, make it, and tell numba; the first that can be written is taken.

    `NUMBA_CACHE_DIR`, `PLATEAU_DATA`/numba, the user's cache folder, a private temporary
    one; each with the digest of the kernels. Works where the package itself is read-only.
    """
    folder = next(candidate for candidate in _candidate_folders() if _can_hold_files(candidate))
    os.environ[VARIABLE] = str(folder)
    return folder


def _candidate_folders() -> Iterator[Path]:
    digest = kernels_digest()
    if configured_path := os.environ.get(VARIABLE):
        # A child process finds what its parent has set: already complete.
        yield (
            Path(configured_path)
            if Path(configured_path).name == digest
            else Path(configured_path, digest)
        )
    if data := os.environ.get("PLATEAU_DATA"):
        yield Path(data, "numba", digest)
    if home := os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME"):
        cache_folders = () if os.environ.get("XDG_CACHE_HOME") else (".cache",)
        yield Path(home, *cache_folders, "plateau", "numba", digest)
    # 0700 and a name nobody can guess: compiled code is run, so no one else may write it.
    yield Path(tempfile.mkdtemp(prefix="plateau-numba-"))


def _can_hold_files(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
