"""Relative width of an interval by batch means, of any number of values: for rules that stop."""

from __future__ import annotations

import math

from detectors.contract import Values
from detectors.intervals.quantiles import student_quantile
from detectors.intervals.steady_interval import CONFIDENCE, mean_error


def batch_precision(values: Values) -> float | None:
    """Half of the 95 % interval of the mean as a share of it; None where it is unknown."""
    error = mean_error(values)
    if error is None:
        return None
    half = student_quantile((1 + CONFIDENCE) / 2, error.freedom) * math.sqrt(error.squared)
    return half / abs(float(values.mean()))
