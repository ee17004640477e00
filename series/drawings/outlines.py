"""Outline, range and scale of a series, drawn before its values arrive. Pure.

Everything is computed once, at import, with float64, and stored, so that everybody sees the
same picture and no list page reads values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detectors.arrays.length_batches import length_batches
from detectors.arrays.robust_range import Values, robust_ranges

Outline = Mapping[str, Sequence[int]]

BUCKETS = 64  # at 132 px in a list, two pixels a bucket
LEVELS = 1000  # an outline's integers go from 0 (low end of the robust range) to this
LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class SeriesOutline:
    """The stored figures of one series, in its own unit; columns of `series.Series`."""

    minimum: float
    median: float
    maximum: float
    median_last_half: float
    robust_low: float
    robust_high: float
    scale: float
    outline: dict[str, list[int]]

    @property
    def columns(self) -> dict[str, Any]:
        """The figures by name; nothing is copied, as `dataclasses.asdict` does value by value."""
        return {name: getattr(self, name) for name in self.__slots__}


def draw_outline(values: Values) -> SeriesOutline:
    """Every stored figure of `values` (one-dimensional, finite, not empty)."""
    return _drawn_rows(values[None])[0]


def draw_outlines(arrays: Sequence[Values]) -> list[SeriesOutline]:
    """`draw_outline` of each series; of hundreds of one length in a tenth of the time."""
    drawings: dict[int, SeriesOutline] = {}
    for series_indices in length_batches(arrays):
        rows = np.array([arrays[series_index] for series_index in series_indices])
        drawings |= zip(series_indices, _drawn_rows(rows), strict=True)
    return [drawings[series_index] for series_index in range(len(arrays))]


def _drawn_rows(rows: Values) -> list[SeriesOutline]:
    """Each row of `rows`, float64 (series, values)."""
    # Powers of two: divided by them, values near 1e300 or 1e-300 fit a float32
    sizes = np.abs(rows).max(axis=1)
    scales: Values = np.where(sizes > 0, np.ldexp(1.0, np.frexp(sizes)[1] - 1), 1.0)
    scaled_rows = rows / scales[:, None]  # at most 2 in size: no sum or difference can overflow
    low, high = robust_ranges(scaled_rows)
    last_half = scaled_rows[:, rows.shape[1] // 2 :]
    columns = {
        "minimum": rows.min(axis=1),
        "median": _scaled_back(np.median(scaled_rows, axis=1), scales),
        "maximum": rows.max(axis=1),
        "median_last_half": _scaled_back(np.median(last_half, axis=1), scales),
        "robust_low": _scaled_back(low, scales),
        "robust_high": _scaled_back(high, scales),
        "scale": scales,
    }
    figures = {name: column.tolist() for name, column in columns.items()}
    return [
        SeriesOutline(
            **{name: column[row] for name, column in figures.items()}, outline=row_outline
        )
        for row, row_outline in enumerate(_outlines(scaled_rows, low, high))
    ]


def _scaled_back(scaled_rows: Values, scales: Values) -> Values:
    with np.errstate(over="ignore"):
        products: Values = np.clip(scaled_rows * scales, -LARGEST, LARGEST)
    return products


def outline(values: Values, low: float, high: float) -> dict[str, list[int]]:
    """Least, greatest and middle value of up to 64 stretches, as integers from 0 to 1000.

    Values beyond low … high are drawn at the edge. A series of fewer than 64 values has as
    many stretches as values.
    """
    return _outlines(values[None], np.array([low]), np.array([high]))[0]


def _outlines(rows: Values, low: Values, high: Values) -> list[dict[str, list[int]]]:
    """`outline` of each row."""
    low, high = low[:, None], high[:, None]
    with np.errstate(over="ignore"):  # a giant above a tiny range is infinitely far: cut like any
        levels = np.clip((rows - low) / (high - low), 0.0, 1.0) * LEVELS
    stretches, sizes = _stretches(levels, min(BUCKETS, rows.shape[1]))
    stretch_indices = np.arange(sizes.size)
    curves = {
        "low": stretches[:, :, 0],
        "high": stretches[:, stretch_indices, sizes - 1],
        "middle": (
            stretches[:, stretch_indices, (sizes - 1) // 2]
            + stretches[:, stretch_indices, sizes // 2]
        )
        / 2,
    }
    rounded_columns = {
        name: np.rint(column).astype(int).tolist() for name, column in curves.items()
    }
    return [
        {name: column[row_index] for name, column in rounded_columns.items()}
        for row_index in range(len(rows))
    ]


def _stretches(levels: Values, count: int) -> tuple[Values, NDArray[np.int64]]:
    """Rows cut into `count` stretches, each sorted, then infinity; how many values each has."""
    n = levels.shape[1]
    edges = n * np.arange(count + 1) // count
    sizes = np.diff(edges)
    stretches = np.full((len(levels), count, int(sizes.max())), np.inf)
    stretches[:, np.arange(stretches.shape[2]) < sizes[:, None]] = levels
    stretches.sort(axis=2)
    return stretches, sizes


# --- as paths of an SVG -----------------------------------------------------------------------
HEIGHT, LIST_HEIGHT = 56, 28  # of the view box: where there is room, and in a row of a list
STEP = 1
STAY = 1.0


@dataclass(frozen=True, slots=True)
class OutlinePaths:
    """Path data of an outline in a view box of `width` x `height`: band and median line."""

    width: int
    height: int
    band: str
    median: str


def paths(outline: Outline, height: int = HEIGHT) -> OutlinePaths:
    """Integer, relative path data; equal slopes are one step, which keeps lists small."""
    top, bottom, middle = (_heights(outline[name], height) for name in ("high", "low", "middle"))
    backward_line = _line(bottom[::-1], -STEP)
    band = f"M0 {top[0]}{_line(top, STEP)}{_rise(top[-1], bottom[-1])}{backward_line}z"
    median = f"M0 {middle[0]}{_line(middle, STEP)}"
    return OutlinePaths(STEP * (len(top) - 1), height, band, median)


def _heights(levels: Iterable[int], height: int) -> list[int]:
    """Levels as distances from the top; one stays until the next is `STAY` away from it.

    Rounding alone would make a ripple of what lies between two whole distances.
    """
    heights: list[int] = []
    for level in levels:
        exact_height = height - level * height / LEVELS
        stays_level = heights and abs(exact_height - heights[-1]) <= STAY
        heights.append(heights[-1] if stays_level else round(exact_height))
    return heights


def _rise(start: int, end: int) -> str:
    return f"v{end - start}" if end != start else ""


def _line(heights: Sequence[int], step: int) -> str:
    """Relative lines through `heights`, `step` apart; equal slopes in a row are one line."""
    slopes = (height - previous_height for previous_height, height in pairwise(heights))
    runs = [(step * len(list(run)), slope) for slope, run in groupby(slopes)]
    strokes = ["", *(_stroke(dx, dx // step * slope) for dx, slope in runs)]
    return "".join(
        _shorten_stroke(previous_stroke, stroke) for previous_stroke, stroke in pairwise(strokes)
    )


def _shorten_stroke(previous_stroke: str, stroke: str) -> str:
    """Drop the letter of a stroke where the one before has the same and a minus parts the
    numbers.
    """
    return stroke[1:] if previous_stroke[:1] == "l" and stroke.startswith("l-") else stroke


def _stroke(dx: int, dy: int) -> str:
    if dy == 0:
        return f"h{dx}"
    return f"l{dx}{dy}" if dy < 0 else f"l{dx} {dy}"


def rescaled_outline(
    outline: Outline, own_range: tuple[float, float], wider_range: tuple[float, float]
) -> Outline:
    """An outline of the y-range `own_range`, as it looks in the wider y-range `wider_range`."""
    reach = wider_range[1] - wider_range[0]
    start, factor = (
        (own_range[0] - wider_range[0]) / reach * LEVELS,
        (own_range[1] - own_range[0]) / reach,
    )
    return {
        name: [round(start + factor * level) for level in levels]
        for name, levels in outline.items()
    }
