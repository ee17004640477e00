"""Forks of one benchmark side by side, in one y-range or each in its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from series import outlines
from series.models import Recording, Series
from series.queries import RecordingRow


@dataclass(frozen=True, slots=True)
class ForkDrawing:
    """One fork and its drawing."""

    series: Series
    paths: outlines.OutlinePaths


@dataclass(frozen=True, slots=True)
class ForkMultiples:
    """The forks of one recording."""

    recording: Recording
    forks: Sequence[ForkDrawing]


def small_multiples(rows: Iterable[RecordingRow], *, own: bool) -> list[ForkMultiples]:
    """Drawings of all forks; in one y-range for all of them unless each has its `own`."""
    found = list(rows)
    everything = [series for row in found for series in row.forks]
    low = min((series.robust_low for series in everything), default=0.0)
    high = max((series.robust_high for series in everything), default=1.0)
    return [
        ForkMultiples(
            row.recording,
            [
                ForkDrawing(
                    series, outlines.paths(series.outline if own else _within(series, low, high))
                )
                for series in row.forks
            ],
        )
        for row in found
    ]


def _within(series: Series, low: float, high: float) -> outlines.Outline:
    """The outline of a series, redrawn in a y-range that holds its own."""
    return outlines.moved(series.outline, (series.robust_low, series.robust_high), (low, high))
