"""Strengths of steps, window by window."""

from __future__ import annotations

import numpy as np

from detectors.contract import Values


def plain_strengths(logs: Values, half: int, least: int) -> Values:
    """As it is defined, window by window."""
    n = logs.size
    found = np.zeros(n)
    for u in range(least, n - least):
        found[u] = abs(np.median(logs[max(0, u - half) : u]) - np.median(logs[u : u + half]))
    return found
