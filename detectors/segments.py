"""What change-point searches share: values in units of their noise, and segments as an answer.

A breakpoint is the first iteration of the next segment; n itself is none.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from detectors.contract import Detection, Events, Evidence, Levels, Values

NORMAL_DIFFERENCE = 0.954  # median |difference| of two standard normal values


def in_units_of_noise(values: Values) -> Values:
    """``(values - median) / noise``, so that a penalty means the same in every unit.

    The noise is the median absolute difference of neighbours, as a standard deviation; 1 where
    more than half of the neighbours are equal.
    """
    noise = float(np.median(np.abs(np.diff(values)))) / NORMAL_DIFFERENCE if values.size > 1 else 0
    return np.asarray((values - np.median(values)) / (noise or 1.0), dtype=np.float64)


def after_the_last(breakpoints: list[int]) -> Detection:
    """Steady from the last breakpoint on, from 0 without one; such a search never says never."""
    start = breakpoints[-1] if breakpoints else 0
    return Detection(start, published_index=start)


def segments_as_evidence(values: Values, breakpoints: list[int]) -> tuple[Evidence, ...]:
    """The breakpoints, and the mean of each segment in the series' own unit."""
    edges = [0, *breakpoints, values.size]
    pieces = tuple(
        (start, stop, float(values[start:stop].mean())) for start, stop in pairwise(edges)
    )
    return Events(tuple(breakpoints), label="change points"), Levels(pieces, label="segment means")
