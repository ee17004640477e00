"""Files that hold one figure a run: what their series says, and how it is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ONE_FIGURE: Final = "the file holds one figure a run, which goes to the trend over recordings"

SORTED: Final = "the times are sorted by size: their median goes to the trend over recordings"
_MOST_NAMED: Final = 5  # of what is left out
_FEW_SORTED: Final = 5  # times that may rise by chance


def are_sorted(values: Sequence[float]) -> bool:
    """Return whether numbers never fall, and are too many to rise by chance."""
    return len(values) > _FEW_SORTED and values == sorted(values)


def commit_label(commit: str, *more: str) -> str:
    """Name of the recording of a commit: its first eight characters, then what tells it apart."""
    return " ".join(filter(None, (commit[:8], *more)))


def unit_per_operation(unit: str) -> str:
    """Unit of a figure, where tools call an operation an iteration: ``ns/iter`` is ``ns/op``."""
    return f"{unit.removesuffix('/iter')}/op" if unit.endswith("/iter") else unit


def left_out_note(subject: str, names: Sequence[str]) -> tuple[str, ...]:
    """Note that names what a reader left out, such as benchmarks that failed; none without any."""
    ellipsis = ", …" if len(names) > _MOST_NAMED else ""
    names_text = ", ".join(name or "one without a name" for name in names[:_MOST_NAMED])
    return (f"{subject} are left out: {names_text}{ellipsis}",) if names else ()
