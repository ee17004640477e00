"""Windows and blocks that vary little, against NumPy's deviations window by window."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import NEVER, Values
from detectors.kernels.cov import (
    all_window_covs,
    first_quiet_block,
    first_quiet_window,
    weighted_cov,
)
from evidence.oracles.cov_oracle import covs


@given(
    values=arrays(np.float64, st.integers(2, 200), elements=st.floats(1.0, 1e6)),
    k=st.integers(2, 50),
    threshold=st.floats(0.001, 1.0),
    ddof=st.integers(0, 1),
)
@example(values=np.full(10, 5.0), k=10, threshold=0.001, ddof=1)  # the only window is the last
@example(values=np.r_[1e6, np.full(9, 1.0)], k=5, threshold=0.001, ddof=1)  # a giant leaves
@example(values=np.full(40, 0.1), k=15, threshold=1e-9, ddof=0)
@example(values=1e-12 * np.r_[3.0, 1.0, 1.0, 1.0], k=3, threshold=0.01, ddof=1)  # tiny
def test_agrees_with_the_definition(values: Values, k: int, threshold: float, ddof: int) -> None:
    assume(k <= values.size)
    expected = covs(values, k, ddof)
    assume(np.abs(expected - threshold).min() > 1e-9)  # no tie that rounding may decide

    quiet_indices = np.flatnonzero(expected < threshold)

    assert first_quiet_window(values, k, threshold, ddof) == (
        quiet_indices[0] if quiet_indices.size else NEVER
    )
    np.testing.assert_allclose(all_window_covs(values, k, ddof), expected, rtol=1e-6, atol=1e-9)


def test_nothing_of_a_giant_stays_behind() -> None:
    quiet_values = 1 + 0.001 * np.sin(np.arange(200.0))
    values = np.r_[1e15, quiet_values]

    assert first_quiet_window(values, 30, 0.02, 1) == 1
    np.testing.assert_allclose(
        all_window_covs(values, 30, 1)[1:], covs(quiet_values, 30, 1), rtol=1e-9
    )


@pytest.mark.parametrize("values", [np.zeros(9), np.full(9, -2.0), np.r_[-5.0, np.ones(4)]])
def test_a_mean_of_zero_or_less_is_never_quiet(values: Values) -> None:
    assert first_quiet_window(values, values.size, 1e6, 1) == NEVER


@pytest.mark.parametrize(
    ("values", "expected"),
    [([1, 2, 3, 4, 5], 0.47140452079103173), ([10, 10.1, 9.9, 10.2, 9.8, 10], 0.0129099444873580)],
)
def test_deviation_of_all(values: list[float], expected: float) -> None:
    x = np.array(values, dtype=np.float64)

    assert weighted_cov(x, np.ones(x.size, np.int64), 0, x.size) == pytest.approx(expected)


@given(
    values=arrays(np.float64, 12, elements=st.floats(0.5, 2.0)),
    counts=arrays(np.int64, 12, elements=st.integers(1, 9)),
    k=st.integers(2, 40),
    threshold=st.floats(0.05, 0.5),
)
def test_a_count_is_so_many_values(
    values: Values, counts: np.ndarray, k: int, threshold: float
) -> None:
    """Two pairs an iteration, six iterations; the oracle writes every operation out."""
    offsets = np.arange(0, 13, 2)
    iteration_values = [np.repeat(values[a:b], counts[a:b]) for a, b in pairwise(offsets)]
    expected, block_values, first = (NEVER, NEVER), np.array([]), 0
    for i, values_of_iteration in enumerate(iteration_values):
        block_values = np.r_[block_values, values_of_iteration]
        if block_values.size >= k:
            cov = block_values.std() / block_values.mean()
            assume(abs(cov - threshold) > 1e-9)
            if cov < threshold:
                expected = (first, i)
                break
            block_values, first = np.array([]), i + 1

    assert first_quiet_block(values, counts, offsets, 6, k, threshold) == expected
