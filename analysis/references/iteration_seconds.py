"""Seconds of a stored series, as far as is known how long its iterations last."""

from __future__ import annotations

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.error_seconds import elapsed_seconds, running_seconds
from detectors.planning.equal_iterations import EqualIterations
from formats.iterations import IterationLength
from formats.units import storage_unit


def seconds_until(values: Floats, unit: str, length: IterationLength | None) -> Floats | None:
    """Seconds before each iteration and at the end: float64 (…, n + 1); None where unknown.

    `values` of one series, or of several of one length: float64 (…, n). The seconds count from
    the start of the process: the first entry is how long its warm-up took before the first value,
    0 where all of it is recorded. Values that are times fill an iteration with whole operations;
    of others each iteration lasts exactly as long as configured, and a measured length is taken
    as it is.
    """
    if length is None:
        return None
    total = _recorded_seconds(values, unit, length)
    return total + length.seconds_before_the_first(total[..., 1:2]) if values.size else total


def warm_up_iterations(start: int, length: IterationLength | None) -> int:
    """Iterations from the start of the process to `start`, as such of the length behind warm-up."""
    if length is None:
        return start
    recorded_length = EqualIterations(length.warmup, length.warmup_share)
    return recorded_length.index(start) + length.recorded_from


def _recorded_seconds(values: Floats, unit: str, length: IterationLength) -> Floats:
    """Seconds since the first recorded iteration began."""
    if length.seconds is None:
        return running_seconds(values)
    spans = np.full(values.shape[-1], length.seconds)
    spans[: length.warmup] = length.warmup_seconds
    is_time = storage_unit(unit).is_time and not length.measured
    return (
        elapsed_seconds(values, iteration_seconds=spans)
        if is_time
        else running_seconds(np.broadcast_to(spans, values.shape))
    )
