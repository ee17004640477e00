"""MSER against its formula, d by d."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values
from detectors.kernels.mser import batch_means, standard_errors, truncation
from evidence.oracles.mser_oracle import mser_by_definition


@given(
    values=arrays(np.float64, st.integers(8, 200), elements=st.floats(-1e3, 1e3).map(np.float32)),
    batch=st.integers(1, 4),
    least_count=st.integers(2, 5),
)
@example(values=np.r_[1e9, np.arange(20.0) % 3], batch=1, least_count=2)  # a giant
@example(values=np.full(20, 0.1), batch=5, least_count=2)
@example(values=1e-12 * (np.arange(20.0) % 7), batch=2, least_count=2)  # tiny
def test_agrees_with_the_formula(values: Values, batch: int, least_count: int) -> None:
    means = values[: values.size // batch * batch].reshape(-1, batch).mean(axis=1)
    assume(means.size > least_count)
    expected = mser_by_definition(means, least_count)

    own_means = batch_means(values, batch)
    errors = standard_errors(own_means, least_count)

    np.testing.assert_allclose(own_means, means, rtol=1e-12, atol=1e-9 * np.abs(values).max())
    rounding = 1e-24 * np.abs(values).max() ** 2
    np.testing.assert_allclose(errors, expected, rtol=1e-6, atol=rounding)
    assert errors[truncation(own_means, least_count)] == errors.min()


def test_equal_errors_go_to_the_first() -> None:
    assert truncation(np.full(20, 0.1), 2) == 0


def test_worked_out() -> None:
    errors = standard_errors(np.array([9.0, 1.0, 2.0, 1.0, 2.0]), 2)

    assert errors.tolist() == pytest.approx([46 / 25, 1 / 16, 2 / 27, 1 / 8])
    assert truncation(np.array([9.0, 1.0, 2.0, 1.0, 2.0]), 2) == 1
