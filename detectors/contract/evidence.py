"""Evidence: why a detector answered so, made of few kinds that a page can draw unseen.

Positions are 0-based iterations; spans are half open ``(start, stop)``. Every kind has a `label`,
a few words beside the drawing, and a `meaning`, one sentence that says how to read it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

MOST_POINTS: Final = 20_000  # of a curve for a page; above it the extremes of so many stretches
STRETCHES: Final = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A line over the iterations, on an axis of its own (a probability, a statistic).

    `y` may hold NaN where there is no value. `x` are its positions; without it, `y` has a
    value for each iteration from 0 on. ``shape="steps"`` keeps a value until the next position.
    Infinite values become NaN: they lie beyond what can be drawn.
    """

    y: NDArray[np.float64]
    label: str
    x: NDArray[np.int64] | None = None
    threshold: float | None = None
    unit: str = ""
    shape: Literal["line", "steps"] = "line"
    meaning: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if np.isinf(self.y).any():
            object.__setattr__(self, "y", np.where(np.isinf(self.y), np.nan, self.y))


@dataclass(frozen=True, slots=True)
class Bands:
    """Stretches of the series that mean something: windows, batches, phases."""

    spans: tuple[tuple[int, int], ...]
    label: str
    notes: tuple[str, ...] = ()  # one for each span, or none
    meaning: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Levels:
    """Horizontal pieces ``(start, stop, level)`` in the series' own unit: means of segments."""

    pieces: tuple[tuple[int, int, float], ...]
    label: str
    meaning: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Events:
    """Single iterations: change points, steps, decisions."""

    at: tuple[int, ...]
    label: str
    notes: tuple[str, ...] = ()  # one for each iteration, or none
    meaning: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Figures:
    """Named numbers ``(name, value, unit)``: what the method computed on its way."""

    rows: tuple[tuple[str, float | int | str, str], ...]
    label: str
    meaning: str = field(default="", compare=False)


Evidence = Curve | Bands | Levels | Events | Figures


def as_json(evidence: Evidence) -> dict[str, Any]:
    """The one way from evidence to JSON: its kind and its fields; no number means null."""
    cells = {field.name: _plain_value(getattr(evidence, field.name)) for field in fields(evidence)}
    return {"kind": type(evidence).__name__.lower(), **cells}


def _plain_value(value: Any) -> Any:
    if isinstance(value, np.ndarray) and np.isfinite(value).all():
        return value.tolist()  # at once: a curve has thousands of values
    if isinstance(value, np.ndarray):
        return [_plain_value(member) for member in value.tolist()]
    if isinstance(value, list | tuple):
        return [_plain_value(member) for member in value]
    if isinstance(value, np.generic):
        return _plain_value(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def thin_curve(evidence: Evidence) -> Evidence:
    """A long curve as the least and greatest value of each stretch: no spike is lost."""
    if not isinstance(evidence, Curve) or evidence.y.size <= MOST_POINTS:
        return evidence
    extremes = _extremes(evidence.y)
    x = np.arange(evidence.y.size) if evidence.x is None else evidence.x
    return replace(evidence, y=evidence.y[extremes], x=x[extremes])


def _extremes(y: NDArray[np.float64]) -> NDArray[np.int64]:
    edges = y.size * np.arange(STRETCHES + 1) // STRETCHES
    extreme_indices: list[int] = [0, y.size - 1]
    for start, stop in pairwise(edges):
        stretch = y[start:stop]
        if stretch.size and not np.isnan(stretch).all():
            extreme_indices += [
                int(start + np.nanargmin(stretch)),
                int(start + np.nanargmax(stretch)),
            ]
    return np.unique(extreme_indices)
