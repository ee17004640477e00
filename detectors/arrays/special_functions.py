"""SciPy's special functions, for methods that need some; the library installs NumPy alone."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from detectors.contract import NotAvailable


def missing_scipy() -> str:
    """Reason why a method that needs SciPy cannot work here; empty where it is installed."""
    return "" if find_spec("scipy") else "SciPy not installed; `pip install plateau-perf[all]`"


def scipy_special() -> Any:
    """`scipy.special`, imported late: it takes half a second. Raises `NotAvailable` without it."""
    if reason := missing_scipy():
        raise NotAvailable(reason)
    from scipy import special  # noqa: PLC0415  # late on purpose

    return special
