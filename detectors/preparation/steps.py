"""Steps that change the values of a series before a method reads them; iterations stay in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values
from detectors.shapes.series_shape import MAD_TO_DEVIATION, MEAN_TO_DEVIATION, ShapeFacts

Step = Literal["none", "median", "outliers", "cycles"]

MEDIAN_WIDTH: Final = 5  # values around each, itself among them
OUTLIER_WIDTH: Final = 25
OUTLIER: Final = 3.5  # robust standard deviations, as in the noise of a series
CYCLES_BESIDE: Final = 3  # periods on either side whose median is the cycle
LEAST: Final = 2 * OUTLIER_WIDTH  # values; a shorter series stays as it is


def filter_medians(values: Values, facts: ShapeFacts) -> Values:  # noqa: ARG001  # a step
    """Median of the five values around each."""
    medians: Values = np.median(_windows_around(values, MEDIAN_WIDTH), axis=1)
    return medians


def replace_outliers(values: Values, facts: ShapeFacts) -> Values:  # noqa: ARG001  # a step
    """Values far from the median of the 25 around them, replaced by that median (Hampel)."""
    scaled_values, _ = scaled_to_range(values)
    windows = _windows_around(scaled_values, OUTLIER_WIDTH)
    medians = np.median(windows, axis=1)
    distances = np.abs(windows - medians[:, None])
    middle, mean = np.median(distances, axis=1), distances.mean(axis=1)
    deviations = np.where(middle > 0, MAD_TO_DEVIATION * middle, MEAN_TO_DEVIATION * mean)
    is_outlier = np.abs(scaled_values - medians) > OUTLIER * deviations
    return np.where(is_outlier, np.median(_windows_around(values, OUTLIER_WIDTH), axis=1), values)


def cycles_removed(values: Values, facts: ShapeFacts) -> Values:
    """Values less their cycle: what the iterations one, two and three periods off have in common.

    The cycle is told from values less the mean of a period around each; of a series without one
    nothing is changed.
    """
    period = period_of(facts)
    if not period or values.size < (2 * CYCLES_BESIDE + 1) * period:
        return values
    scaled_values, exponent = scaled_to_range(values)
    level = _windows_around(scaled_values, period | 1).mean(axis=1)
    deviations = np.pad(scaled_values - level, CYCLES_BESIDE * period, constant_values=np.nan)
    offsets = range(-CYCLES_BESIDE, CYCLES_BESIDE + 1)
    shifted_rows = [deviations[(CYCLES_BESIDE + k) * period :][: values.size] for k in offsets]
    cycle: Values = np.nanmedian(shifted_rows, axis=0)
    calm_values: Values = np.ldexp(scaled_values - cycle, exponent)
    return calm_values


def period_of(facts: ShapeFacts) -> int:
    """Iterations of a cycle, fast or slow; 0 without."""
    if facts.period:
        return facts.period
    return round(facts.length) if facts.shape == "cycles" else 0


def _windows_around(values: Values, width: int) -> Values:
    """The `width` (odd) values around each, (n, width); beyond the ends the series is mirrored."""
    padded_values = np.pad(values, width // 2, mode="reflect")
    return np.lib.stride_tricks.sliding_window_view(padded_values, width)


STEPS: Final[Mapping[Step, Callable[[Values, ShapeFacts], Values]]] = MappingProxyType(
    {"median": filter_medians, "outliers": replace_outliers, "cycles": cycles_removed}
)
CHOICES: Final = ("auto", *STEPS)
"""What a person may ask for: the step that helps, or one step whatever the series."""
