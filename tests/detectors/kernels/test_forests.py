"""Forests over rows against trees that are walked by hand."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from detectors.kernels.forests import sum_of_leaves
from detectors.kernels.jit import CompiledKernel
from detectors.panel.forests import Forest
from detectors.panel.panel_models import models_named


def test_every_row_gets_the_sum_of_its_leaves() -> None:
    """Tree 0 asks for x <= 1, then y <= 5 on its right; tree 1, from node 5, for y <= 0."""
    feature = np.array([0, -1, 1, -1, -1, 1, -1, -1])
    threshold = np.array([1.0, 0, 5, 0, 0, 0, 0, 0])
    left = np.array([1, -1, 3, -1, -1, 6, -1, -1])
    right_children = np.array([2, -1, 4, -1, -1, 7, -1, -1])
    value = np.array([0.0, 1, 0, 2, 3, 0, 10, 20])
    rows = np.array([[1.0, 9], [1.1, 5], [1.1, 5.1], [0, 0], [2, -3]])

    leaves = sum_of_leaves(rows, np.array([0, 5]), feature, threshold, left, right_children, value)

    assert leaves.tolist() == [21, 22, 23, 11, 12]


@pytest.mark.parametrize("name", ["starts", "steady", "near", "plain"])
@pytest.mark.parametrize("count", [0, 1, 2, 64])
def test_by_level_and_tree_after_tree_are_the_same_sums(name: str, count: int) -> None:
    forest: Forest = getattr(models_named("shipped").whole, name)
    random = np.random.default_rng(count)
    rows = random.normal(size=(count, int(forest.feature.max()) + 1))
    trees = forest.roots, forest.feature, forest.threshold, forest.left, forest.right, forest.value
    kernel = cast("CompiledKernel", sum_of_leaves)
    assert kernel.written is not kernel.function

    level_sums = kernel.written(rows, *trees)

    assert level_sums.tolist() == kernel.function(rows, *trees).tolist()
    assert level_sums.tolist() == kernel.compile()(rows, *trees).tolist()
