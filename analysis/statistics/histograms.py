"""Histograms of errors and of paired differences: equal bins whose edges are round numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.statistics.answers import Floats

ABOUT: Final = 30
"""Bins over the whole range, more or less: the step is a round number."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of values in [edges[k], edges[k + 1]); zero is an edge.

    mean, sd  of the values, sd dividing by the count; None without values
    """

    edges: tuple[int, ...]
    counts: tuple[int, ...]
    n: int
    mean: float | None
    sd: float | None

    @property
    def two_sd(self) -> tuple[float, float] | None:
        """mean - 2 sd and mean + 2 sd."""
        if self.mean is None or self.sd is None:
            return None
        return self.mean - 2 * self.sd, self.mean + 2 * self.sd


def histogram(values: Floats, wanted_bins: int = ABOUT) -> Histogram:
    """The histogram of `values`, float64 (n,), in iterations; NaN is no value."""
    finite_values = values[np.isfinite(values)]
    if not finite_values.size:
        return Histogram((), (), 0, None, None)
    return binned_histogram(
        finite_values, round_step(float(np.ptp(np.r_[finite_values, 0.0])), wanted_bins)
    )


def binned_histogram(values: Floats, step: int) -> Histogram:
    """The histogram of `values`, finite float64 (n,) with n > 0, in bins of `step` iterations."""
    bins = np.floor_divide(values, step).astype(np.int64)
    first_bin, last_bin = int(bins.min()), int(bins.max())
    counts = np.bincount(bins - first_bin, minlength=last_bin - first_bin + 1)
    edges = tuple(step * bin_number for bin_number in range(first_bin, last_bin + 2))
    mean, sd = float(values.mean()), float(values.std())
    return Histogram(edges, tuple(counts.tolist()), values.size, mean, sd)


def normal_counts(histogram: Histogram, positions: Floats) -> Floats:
    """Counts at `positions` that a normal distribution of the histogram's mean and deviation gives.

    float64 like `positions`; empty where there is no deviation.
    """
    if histogram.mean is None or not histogram.sd:
        return np.empty(0)
    step = histogram.edges[1] - histogram.edges[0]
    z = (positions - histogram.mean) / histogram.sd
    heights: Floats = (
        histogram.n * step / (histogram.sd * math.sqrt(2 * math.pi)) * np.exp(-z * z / 2)
    )
    return heights


def round_step(span: float, wanted_steps: int) -> int:
    """1, 2 or 5 times a power of ten, at least 1, so that about `wanted_steps` of them reach so
    far.
    """
    rough_step = max(span / wanted_steps, 1.0)
    power = int(10 ** math.floor(math.log10(rough_step)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough_step)
