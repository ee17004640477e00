"""Sums over the leaves of many decision trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel

Places = NDArray[np.int32]


@kernel
def sum_of_leaves(  # noqa: PLR0917  # the arrays of a forest; kernels take no keywords
    rows: Values,
    roots: Places,
    feature: Places,
    threshold: Values,
    lower: Places,
    right: Places,
    value: Values,
) -> Values:
    """Sum of the trees' leaves for each row. A leaf's `feature` is -1; children by node number.

    Tree by tree: the nodes of one tree stay in the cache of the processor for all rows.
    """
    out = np.zeros(rows.shape[0])
    for root in roots:
        for k in range(rows.shape[0]):
            node = root
            while feature[node] >= 0:
                below = rows[k, feature[node]] <= threshold[node]
                node = lower[node] if below else right[node]
            out[k] += value[node]
    return out
