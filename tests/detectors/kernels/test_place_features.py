"""Kernels of the features of `plateau` against their NumPy forms, to the bit."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from detectors.kernels import level_pieces, place_features
from detectors.kernels.jit import CompiledKernel

Arguments = tuple[Any, ...]


def arguments_of(name: str, n: int) -> Arguments:
    """Arguments of a kernel with n values or places."""
    random = np.random.default_rng([n, len(name)])
    values = np.round(random.lognormal(0, 0.5, n), 1)  # some are equal
    places = np.sort(random.integers(0, max(n, 1), n))
    sums = np.append(0.0, np.cumsum(values))
    squares = np.append(0.0, np.cumsum(values**2))
    rows = np.sort(np.round(random.normal(size=(n, 40)), 1), axis=1)
    tops = random.permutation(n)[: n // 3], random.permutation(n)[: n // 4]
    strengths = values, np.round(values[::-1].copy()), values**2
    return {
        "running_medians": (values,),
        "sorted_quantiles": (rows, random.integers(1, 41, n), np.array([0.1, 0.5, 0.98, 1.0])),
        "shares_far": (values, places, values, np.array([0.1, 0.3])),
        "step_strengths": (sums, 20, 3),
        "step_rows": (places, tops, *strengths, 0.3, 1e-9),
        "last_changes": (np.array([np.arange(n + 1.0), sums, squares]), 3, 4),
    }[name]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 16, 150, 151])
@pytest.mark.parametrize(
    "name",
    [
        "running_medians",
        "sorted_quantiles",
        "shares_far",
        "step_strengths",
        "step_rows",
        "last_changes",
    ],
)
def test_a_kernel_and_its_numpy_form_agree_to_the_bit(name: str, n: int) -> None:
    module = level_pieces if name == "last_changes" else place_features
    kernel = cast("CompiledKernel", getattr(module, name))
    arguments = arguments_of(name, n)
    assert kernel.written is not kernel.function

    numpy_result = kernel.written(*arguments)

    for answer in (kernel.function(*arguments), kernel.compile()(*arguments)):
        np.testing.assert_equal(answer, numpy_result)


def test_running_medians_are_medians_of_the_first_values() -> None:
    values = np.array([3.0, 1.0, 2.0, 8.0])

    assert place_features.running_medians(values).tolist() == [3, 2, 2, 2.5]


def test_last_changes_are_those_of_the_cheapest_pieces() -> None:
    """Levels 1, 1, 5, 5, 5, 2, 2: two changes leave no error."""
    levels = np.array([1.0, 1, 5, 5, 5, 2, 2])
    sums = np.array([np.append(0.0, np.cumsum(levels**power)) for power in (0, 1, 2)])

    changes, costs = level_pieces.last_changes(sums, 2, 3)

    assert changes[1, -1] == 5
    assert changes[0, 5] == 2
    assert costs[1] == 0
    assert costs[0] > 0
    assert np.isinf(costs[2])  # seven blocks are too few for four pieces of two
