"""Sums over the leaves of many decision trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel, numpy_version_of

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

    Tree by tree: the nodes of one tree stay in the cache of the processor for all rows. Neither
    branches nor indices from the end: both would take most of the time.
    """
    sums = np.zeros(rows.shape[0])
    for root in roots:
        for k in range(rows.shape[0]):
            node, row = np.uint64(root), rows[k]
            column = feature[node]
            while column >= 0:
                is_below = row[np.uint64(column)] <= threshold[node]
                node = np.uint64(right[node] + (lower[node] - right[node]) * is_below)
                column = feature[node]
            sums[k] += value[node]
    return sums


@numpy_version_of(sum_of_leaves)
def _sum_of_leaves_by_level(  # noqa: PLR0917  # as above
    rows: Values,
    roots: Places,
    feature: Places,
    threshold: Values,
    lower: Places,
    right: Places,
    value: Values,
) -> Values:
    """Sum of the trees' leaves for each row: all trees and rows go down one level at a time.

    Leaves are added tree after tree, so the sums are the same to the last bit.
    """
    row_numbers = np.broadcast_to(np.arange(rows.shape[0]), (roots.size, rows.shape[0])).ravel()
    leaf_nodes = np.repeat(roots, rows.shape[0])
    inner_nodes = np.flatnonzero(feature[leaf_nodes] >= 0)
    while inner_nodes.size:
        nodes = leaf_nodes[inner_nodes]
        goes_left = rows[row_numbers[inner_nodes], feature[nodes]] <= threshold[nodes]
        leaf_nodes[inner_nodes] = np.where(goes_left, lower[nodes], right[nodes])
        inner_nodes = inner_nodes[feature[leaf_nodes[inner_nodes]] >= 0]
    sums = np.zeros(rows.shape[0])
    for leaf_values in value[leaf_nodes].reshape(roots.size, rows.shape[0]):
        sums += leaf_values
    return sums
