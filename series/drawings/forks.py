"""Drawings of the forks of a benchmark, all in one y-range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from series.drawings import outlines
from series.models import Series


@dataclass(frozen=True, slots=True)
class ForkDrawing:
    """One fork and its drawing."""

    series: Series
    paths: outlines.OutlinePaths


def fork_drawings(forks: Sequence[Series]) -> list[ForkDrawing]:
    """Drawings of these forks, so that their heights can be compared."""
    low = min((series.robust_low for series in forks), default=0.0)
    high = max((series.robust_high for series in forks), default=1.0)
    return [ForkDrawing(series, outlines.paths(_redraw(series, low, high))) for series in forks]


def _redraw(series: Series, low: float, high: float) -> outlines.Outline:
    """The outline of a series, redrawn in a y-range that holds its own."""
    return outlines.rescaled_outline(
        series.outline, (series.robust_low, series.robust_high), (low, high)
    )
