"""Threads of BLAS, the library that multiplies matrices for NumPy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_blas_thread() -> AbstractContextManager[object]:
    """One thread for the products within, whatever OMP_NUM_THREADS says or does not say.

    For small matrices: a second thread saves nothing there, waits by spinning, and takes a core
    from whoever else computes.
    """
    limited: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limited


@cache
def _libraries() -> Any:
    """Loaded BLAS libraries; looked for once, which takes a millisecond."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415  # only networks need it

    return ThreadpoolController()
