"""Sums over the leaves of many decision trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel

Places = NDArray[np.int64]


@kernel
def grown(  # noqa: PLR0917  # the arrays of a forest; kernels take no keywords
    rows: Values,
    roots: Places,
    feature: Places,
    threshold: Values,
    left: Places,
    right: Places,
    value: Values,
) -> Values:
    """Sum of the trees' leaves for each row. A leaf's `feature` is -1; children by node number."""
    out = np.zeros(rows.shape[0])
    for k in range(rows.shape[0]):
        row, total = rows[k], 0.0
        for root in roots:
            node = root
            while feature[node] >= 0:
                node = left[node] if row[feature[node]] <= threshold[node] else right[node]
            total += value[node]
        out[k] = total
    return out
