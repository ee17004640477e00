"""Version of the library that is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

PACKAGE = "plateau-perf"


def library_version() -> str:
    """Version of the installed package; ``0+checkout`` in a checkout."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "0+checkout"
