"""Forests over rows against trees that are walked by hand."""

from __future__ import annotations

import numpy as np

from detectors.kernels.forests import sum_of_leaves


def test_every_row_gets_the_sum_of_its_leaves() -> None:
    """Tree 0 asks for x <= 1, then y <= 5 on its right; tree 1, from node 5, for y <= 0."""
    feature = np.array([0, -1, 1, -1, -1, 1, -1, -1])
    threshold = np.array([1.0, 0, 5, 0, 0, 0, 0, 0])
    left = np.array([1, -1, 3, -1, -1, 6, -1, -1])
    right = np.array([2, -1, 4, -1, -1, 7, -1, -1])
    value = np.array([0.0, 1, 0, 2, 3, 0, 10, 20])
    rows = np.array([[1.0, 9], [1.1, 5], [1.1, 5.1], [0, 0], [2, -3]])

    found = sum_of_leaves(rows, np.array([0, 5]), feature, threshold, left, right, value)

    assert found.tolist() == [21, 22, 23, 11, 12]
