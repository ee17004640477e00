"""Threads of BLAS, the library that multiplies matrices for NumPy."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any


def one_blas_thread() -> AbstractContextManager[object]:
    """One thread for the products within, whatever OMP_NUM_THREADS says or does not say.

    For small matrices: a second thread saves nothing there, waits by spinning, and takes a core
    from whoever else computes.
    """
    libraries = _libraries()
    if libraries is None:
        return nullcontext()
    thread_limit: AbstractContextManager[object] = libraries.limit(limits=1, user_api="blas")
    return thread_limit


@cache
def _libraries() -> Any:
    """Loaded BLAS libraries, looked for once, which takes a millisecond; None where the library
    is installed without `plateau-perf[all]`.
    """
    try:
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415  # only networks need it
    except ModuleNotFoundError:
        return None
    return ThreadpoolController()
