"""Iterations of moments: where seconds since the start of a process fall in a series. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.statistics.answers import Floats

Iterations: TypeAlias = NDArray[np.int64]
BEFORE: Final = -1
"""Iteration of a moment before the first one; behind the last of n it is n."""


class PlacedSpans(NamedTuple):
    """First and last iteration of each event, int64: -1 before the first, n behind the last."""

    first: Iterations
    last: Iterations


def shifted_boundaries(boundaries: Floats, offset: float | None) -> Floats:
    """Boundaries whose first iteration begins `offset` seconds after the process; None: as is."""
    return boundaries if offset is None else boundaries - boundaries[0] + offset


def place_times(starts: Floats, ends: Floats, boundaries: Floats) -> PlacedSpans:
    """Place events in seconds; `boundaries`: n + 1 starts of iterations, the last their end.

    A moment at which two iterations meet belongs to the later one; an event that ends there, and
    has begun before, ends with the earlier one.
    """
    first = np.searchsorted(boundaries, starts, side="right") - 1
    last = np.where(ends > starts, np.searchsorted(boundaries, ends, side="left") - 1, first)
    return PlacedSpans(first.astype(np.int64), np.maximum(last, first).astype(np.int64))


def place_iterations(starts: Floats, ends: Floats, n: int) -> PlacedSpans:
    """Place events that say their iterations: from `starts` on, to before `ends` if that is later.

    Numbers that are no iteration of the series lie before or behind it.
    """
    first = np.floor(starts)
    last = np.where(ends > starts, np.ceil(ends) - 1, first)
    clipped_places = (np.clip(places, BEFORE, n) for places in (first, np.maximum(last, first)))
    return PlacedSpans(*(places.astype(np.int64) for places in clipped_places))


def merged_spans(first: Iterations, last: Iterations, n: int, cell: int) -> list[list[int]]:
    """Pairs [from, to) of iterations in which anything happens, apart and rising.

    Events outside of the series are left out. Each pair is widened to whole cells of so many
    iterations, so that there are at most n / cell of them.
    """
    is_inside = (last >= 0) & (first < n)
    covered_cells = np.zeros(-(-n // cell) + 1, dtype=np.int64)
    np.add.at(covered_cells, np.clip(first[is_inside], 0, n - 1) // cell, 1)
    np.add.at(covered_cells, np.clip(last[is_inside], 0, n - 1) // cell + 1, -1)
    is_covered = np.concatenate([[0], np.cumsum(covered_cells[:-1]) > 0, [0]]).astype(np.int8)
    edges = np.flatnonzero(np.diff(is_covered)) * cell
    return [
        [int(begin), min(int(end), n)] for begin, end in zip(edges[::2], edges[1::2], strict=True)
    ]
