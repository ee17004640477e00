"""Configured iterations of some seconds, filled with recorded iterations."""

from __future__ import annotations

from detectors.contract import Values
from detectors.kernels.jit import kernel


@kernel
def consumed_count(durations: Values, seconds: float, iterations: int) -> int:
    """Number of recorded iterations that so many configured ones of `seconds` take, from the first
    on.

    What exceeds `seconds` is thrown away, not carried over, and durations are added one by one,
    as published: ten times 0.1 is less than 1. The count is tested after an iteration, so that
    none configured still takes one.
    """
    elapsed_seconds, iterations_done = 0.0, 0
    for i in range(durations.size):
        elapsed_seconds += durations[i]
        if elapsed_seconds >= seconds:
            iterations_done += 1
            elapsed_seconds = 0.0
        if iterations_done >= iterations:
            return i + 1
    return int(durations.size)
