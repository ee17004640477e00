"""Part of the y-axis of a series that is shown first: the rule of js/chart/range.js. Pure.

Both sides are held to the same sample vectors (`tests/range_vectors.json`).
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from detectors.arrays.length_batches import TOGETHER

Values = NDArray[np.float64]
Limits = tuple[float, float]

RULE = 2  # its version; a mark is kept with that of the view in which it was made
REACH = 7  # a running median is of a value and so many on either side
TAIL, MARGIN, PAD = 0.002, 0.25, 0.05


def robust_range(values: Values) -> Limits:
    """The y-range that everybody sees first: a level that lasts is in it, a single spike is not.

    `values`: one-dimensional, finite, not empty. The range goes from the 0.2 % to the 99.8 %
    quantile of the running medians over 15 values, is widened to hold the band of the last half
    and a quarter of that band on either side, and is padded by 5 %. Fewer than 15 values, which
    have no such median, are all in it.
    """
    low, high = robust_ranges(values[None])
    return float(low[0]), float(high[0])


def robust_ranges(rows: Values) -> tuple[Values, Values]:
    """Lower and upper ends of `robust_range` of each row, float64 (series, values)."""
    if rows.shape[1] < 2 * REACH + 1:
        return _pad_ranges(rows.min(axis=1), rows.max(axis=1))
    low, high = np.quantile(_running_medians(rows), [TAIL, 1 - TAIL], axis=1)
    bottom, top = _plateau_bands(rows)
    margin = MARGIN * (top - bottom)
    return _pad_ranges(np.minimum(low, bottom - margin), np.maximum(high, top + margin))


def _pad_ranges(low: Values, high: Values) -> tuple[Values, Values]:
    margin = PAD * (high - low)
    margin = np.where(margin != 0, margin, PAD * np.abs(high))
    margin = np.where(margin != 0, margin, 1.0)
    return low - margin, high + margin


def running_median(values: Values) -> Values:
    """Median of each value and seven on either side, at the ends of as many as there are.

    At least 15 values.
    """
    medians: Values = _running_medians(values[None])[0]
    return medians


def _running_medians(rows: Values) -> Values:
    # SciPy has a filter for this, whose import takes longer than the medians of 100,000 values.
    medians = np.empty_like(rows)
    windows = sliding_window_view(rows, 2 * REACH + 1, axis=1)
    batch_size = max(TOGETHER // len(rows), 1)
    for start in range(0, windows.shape[1], batch_size):  # `partition` copies the windows
        middle_values = np.partition(windows[:, start : start + batch_size], REACH, axis=2)[
            :, :, REACH
        ]
        medians[:, REACH + start : REACH + start + middle_values.shape[1]] = middle_values
    # The windows at both ends, a row each, in order; what they lack is infinite and comes last.
    ends = np.full((2, len(rows), REACH, 2 * REACH), np.inf)
    for row_index, size in enumerate(range(REACH + 1, 2 * REACH + 1)):
        ends[0, :, row_index, :size], ends[1, :, row_index, :size] = rows[:, :size], rows[:, -size:]
    ends.sort(axis=3)
    indices, sizes = np.arange(REACH), np.arange(REACH + 1, 2 * REACH + 1)
    end_medians = (ends[..., indices, (sizes - 1) // 2] + ends[..., indices, sizes // 2]) / 2
    medians[:, :REACH], medians[:, -REACH:] = end_medians[0], end_medians[1, :, ::-1]
    return medians


def plateau_band(values: Values) -> Limits:
    """The band from 5 % to 95 % of the last half: values of it, the outermost one of few is not.

    Of k + 1 values in order it ends at number ⌊0.95 k⌋ and at the one as far from the other end,
    so that one spike never counts where the half has more than two values.
    """
    low, high = _plateau_bands(values[None])
    return float(low[0]), float(high[0])


def _plateau_bands(rows: Values) -> tuple[Values, Values]:
    later_values = np.sort(rows[:, rows.shape[1] // 2 :], axis=1)
    size = later_values.shape[1]
    inner_index = 19 * (size - 1) // 20
    return later_values[:, size - 1 - inner_index], later_values[:, inner_index]


def plateau_range(values: Values) -> Limits:
    """The y-range of the band of the last half with a quarter on either side, padded."""
    low, high = plateau_band(values)
    margin = MARGIN * (high - low)
    return pad_range(low - margin, high + margin)


def pad_range(low: float, high: float) -> Limits:
    """Five per cent more on each side; a range without height gets some."""
    margin = PAD * (high - low) or PAD * abs(high) or 1.0
    return low - margin, high + margin
