"""Where compiled kernels are kept, so that a process start compiles nothing twice."""

from __future__ import annotations

import hashlib
import os

from config.environment import DATA, ROOT

SOURCES = ROOT / "detectors" / "kernels"


def keep_compiled() -> None:
    """Name numba's cache folder; before the first kernel is imported.

    Each version of the kernels has a folder of its own: numba looks at the
    file of a kernel only, and would keep it when one that it calls changes.
    One thread a process: workers already fill the cores.
    """
    os.environ.setdefault("NUMBA_CACHE_DIR", str(DATA / "numba" / digest()))
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def digest() -> str:
    """Names the present text of all kernels."""
    text = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        text.update(path.read_bytes())
    return text.hexdigest()[:12]
