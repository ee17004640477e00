"""Batches of series of one length: one call of NumPy serves them all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

TOGETHER: Final = 1 << 15  # values of a batch: its arrays stay in a cache


def length_batches(all_series: Sequence[NDArray[np.floating[Any]]]) -> Iterator[list[int]]:
    """Yield places of series of one length, no more than it takes to have `TOGETHER` values."""
    lengths: dict[int, list[int]] = defaultdict(list)
    for series_index, series in enumerate(all_series):
        lengths[series.size].append(series_index)
    for size, series_indices in lengths.items():
        step = -(-TOGETHER // max(size, 1))
        for start in range(0, len(series_indices), step):
            yield series_indices[start : start + step]
