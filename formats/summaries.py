"""Files that hold one figure a run: what their series says, and how it is taken."""

from __future__ import annotations

from typing import Final

ONE_FIGURE: Final = "the file holds one figure a run, which goes to the trend over recordings"


def commit_label(commit: str, *more: str) -> str:
    """Name of the recording of a commit: its first eight characters, then what tells it apart."""
    return " ".join(filter(None, (commit[:8], *more)))


def per_operation(unit: str) -> str:
    """Unit of a figure, where tools call an operation an iteration: ``ns/iter`` is ``ns/op``."""
    return f"{unit.removesuffix('/iter')}/op" if unit.endswith("/iter") else unit
