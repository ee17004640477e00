"""Start of a steady state from a flag for every iteration, steady or not.

Methods of process control judge each moment by itself. None of them names a start, so one rule
does for all: the start that fewest flags contradict. Pure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from detectors.api import NEVER, parameter

Flags = NDArray[np.bool_]


def alarms_parameter(default: float) -> Any:
    """The parameter `alarms` of every method that ends with flags."""
    return parameter(
        default,
        low=0.0,
        high=1.0,
        help="Never, when more than this share of the rest is flagged as not steady.",
    )


def first_steady(is_steady: Flags, alarms: float) -> int:
    """The start that fewest flags contradict, the first of equal ones; `NEVER` without one.

    A steady flag before the start contradicts it, and a flag that is not steady after it. Never,
    when no flag is left, or more than the share `alarms` of those left are not steady.
    """
    steady_counts = np.append(0, np.cumsum(is_steady))
    alarm_counts = np.append(np.cumsum(~is_steady[::-1])[::-1], 0)
    start = int(np.argmin(steady_counts + alarm_counts))
    remaining_count = is_steady.size - start
    return start if remaining_count and alarm_counts[start] <= alarms * remaining_count else NEVER
