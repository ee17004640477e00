"""Windows of a series as learned methods see them: 100 values, or others, standardised."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.arrays.safe_range import LARGE, SMALL, scaled_to_range
from detectors.contract import Values

WINDOW: Final = 100  # values; of every published model, and where nobody says otherwise
LEAST_WINDOW: Final = 12  # the longest kernel of ROCKET lies in it
LONGEST_WINDOW: Final = 1000
MICROSECONDS: Final = 1e6  # as published: seconds become microseconds, against tiny numbers only

Singles = NDArray[np.float32]


def standardised_windows(windows: Values) -> Singles:
    """Each row of `windows`, (k, width), with mean 0 and standard deviation 1 (divisor width).

    Where the deviation is 0 everything is 0. A constant whose mean rounds has a tiny deviation
    instead: NumPy's arithmetic decides, as it did for the published models.
    """
    peaks = np.abs(windows).max(axis=1)
    if ((peaks > LARGE) | ((peaks < SMALL) & (peaks > 0))).any():
        windows = np.stack([scaled_to_range(row)[0] for row in windows])
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = MICROSECONDS * windows
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= rows.std(axis=1, keepdims=True)
    rows[~np.isfinite(rows)] = 0.0
    return rows.astype(np.float32)


def windows_from(values: Values, start: int, stop: int, width: int = WINDOW) -> Singles:
    """The standardised windows that begin at `start` … `stop` - 1, (stop - start, width)."""
    all_windows = np.lib.stride_tricks.sliding_window_view(values, width)
    return standardised_windows(np.ascontiguousarray(all_windows[start:stop]))


def windows_at(values: Values, starts: NDArray[np.int64], width: int = WINDOW) -> Singles:
    """The standardised windows of `width` values that begin at `starts`, (starts, width)."""
    if not starts.size:
        return np.empty((0, width), dtype=np.float32)
    all_windows = np.lib.stride_tricks.sliding_window_view(values, width)
    return standardised_windows(np.ascontiguousarray(all_windows[starts]))
