"""Variants of KB-KSSD: one kernel, steps upward, residuals of autoregressive models."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st
from hypothesis.extra.numpy import arrays
from numba.core.dispatcher import Dispatcher

from detectors.contract import Values
from detectors.kernels import kb_kssd as kernels, kb_kssd_variants as variants
from evidence.oracles import kb_kssd_oracle as oracle
from evidence.oracles.kb_kssd_variants_oracle import best_model, residuals_by_definition


def single_step(x: Values, half: int, *, is_large: bool) -> int:
    """The oracle: the place of one kernel's lowest response, and the final test."""
    places = oracle.kernel_indices(x, half)
    step = places[0] if is_large else places[1]
    d = x - x.mean()
    if step in {-1, x.size - 1}:
        return -1
    if step == 0:
        return 0
    falls = np.median(d[:step]) - np.median(d[step:])
    return -1 if falls < abs(np.median(d)) / 2 else step


@given(
    x=arrays(np.float64, st.integers(30, 60), elements=st.floats(0.5, 9).map(np.float32)),
    is_large=st.booleans(),
)
@example(x=np.r_[1e9, np.arange(50.0) % 7], is_large=False)  # a giant
@example(x=np.r_[np.full(20, 3e-12), np.arange(20) % 3 * 1e-12], is_large=True)  # tiny
def test_one_kernel_alone(x: Values, is_large: bool) -> None:  # noqa: FBT001  # drawn
    responses = oracle.large_responses(x) if is_large else oracle.short_responses(x)
    assume(responses.size == 1 or not oracle.is_tied(responses))
    d = x - x.mean()
    step = oracle.kernel_indices(x)[0 if is_large else 1]
    if 0 < step < x.size - 1:
        falls = np.median(d[:step]) - np.median(d[step:])
        assume(abs(falls - abs(np.median(d)) / 2) > 1e-9 * np.abs(x).max())
    kernel_choice = variants.LARGE_ONLY if is_large else variants.SHORT_ONLY

    assert variants.single_step(x, 15, kernel_choice) == single_step(x, 15, is_large=is_large)


@given(
    x=arrays(np.float64, st.integers(30, 80), elements=st.floats(0.5, 9).map(np.float32)),
    half=st.integers(2, 15),
    window=st.integers(3, 20),
)
@example(x=np.r_[np.full(20, 3e-12), np.arange(20) % 3 * 1e-12], half=4, window=8)  # tiny
def test_a_short_kernel_of_any_length(x: Values, half: int, window: int) -> None:
    assume(not oracle.is_tied(oracle.large_responses(x)))
    assume(not oracle.is_tied(oracle.short_responses(x, half)))
    expected = oracle.step_of(x, window, half)
    # A comparison of medians that rounding may decide is left out.
    assume(expected == oracle.step_of(x * (1 + 1e-9) + 1e-9 * np.abs(x).max(), window, half))

    assert kernels.find_step(x, window, half) == expected


RIPPLE = 0.1 * np.sin(np.arange(400.0) ** 2)


def test_an_upward_step_is_found_where_the_median_moves_further() -> None:
    rising_values = np.r_[np.full(150, 1.0), np.full(250, 3.0)] + RIPPLE

    assert variants.either_step(rising_values, 70, 15, variants.BOTH) == 149
    assert variants.either_step(5 - rising_values, 70, 15, variants.BOTH) == 149
    assert variants.downward_step(5 - rising_values, 70, 15, variants.BOTH) == 149
    assert variants.downward_step(rising_values, 70, 15, variants.NONE) == kernels.NO_STEP


def test_an_upward_step_behind_the_first_value_is_not_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing stands before it, so that it has no fall: what stood in memory would decide."""
    x = np.r_[1.0, np.full(10, 9.0), np.full(30, 6.0)]
    if not isinstance(variants.drop_at, Dispatcher):
        monkeypatch.setattr(variants, "drop_at", drop_behind_values)

    assert variants.downward_step(-x, 10, 3, variants.LARGE_ONLY) == 0
    assert variants.either_step(x, 10, 3, variants.LARGE_ONLY) == 10


def drop_behind_values(x: Values, step: int) -> float:
    """Refuse a step that has no value before it."""
    assert step > 0
    return float(np.median(x[:step]) - np.median(x[step:]))


@given(
    noise=arrays(np.float64, st.integers(20, 120), elements=st.floats(-1, 1).map(np.float32)),
    weight=st.floats(-0.9, 0.9),
    highest_order=st.integers(0, 5),
)
def test_models_are_those_of_yule_and_walker(
    noise: Values, weight: float, highest_order: int
) -> None:
    z = noise.copy()
    for i in range(1, z.size):
        z[i] += weight * z[i - 1]
    assume(z.std() > 0.1)
    expected, margin = best_model(z, highest_order)
    assume(margin > 1e-6)  # no tie that rounding may decide

    model = variants.autoregression(z, highest_order)

    np.testing.assert_allclose(model, expected, atol=1e-8)
    if highest_order <= z.size // 4:
        residuals = residuals_by_definition(z, highest_order)
        np.testing.assert_allclose(variants.residuals(z, highest_order), residuals, atol=1e-8)


def test_the_order_is_the_one_that_made_the_values() -> None:
    random = np.random.default_rng(4)
    z = random.standard_normal(2000)
    for i in range(2, z.size):
        z[i] += 0.5 * z[i - 1] - 0.7 * z[i - 2]

    model = variants.autoregression(z, 20)

    assert model.size == 2
    assert model.tolist() == [pytest.approx(0.5, abs=0.05), pytest.approx(-0.7, abs=0.05)]


@pytest.mark.parametrize("z", [np.full(40, 0.1), np.zeros(3), np.array([1.0])])
def test_a_constant_has_no_model(z: Values) -> None:
    assert variants.autoregression(z, min(2, z.size // 4)).size == 0
    assert variants.residuals(z, 5).tolist() == z.tolist()


def test_without_a_model_the_residuals_are_the_values() -> None:
    z = np.random.default_rng(1).standard_normal(1000)
    starts, probabilities = variants.residual_probabilities(z, -1, 300, 1.0, 10)
    _, plain_probabilities = kernels.probabilities(z, -1, 300, 1.0)

    assert starts.tolist() == [0, 300, 600, 900, 1000]
    orders = [
        variants.autoregression(z[int(a) : int(b)], 10).size for a, b in pairwise(starts.tolist())
    ]
    assert orders == [2, 0, 0, 0]
    assert probabilities[1:].tolist() == plain_probabilities[1:].tolist()


@given(
    x=arrays(np.float64, st.integers(30, 200), elements=st.integers(0, 3).map(float)),
    step=st.integers(-1, 20),
    window=st.integers(3, 60),
    least_probability=st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    shortest_run=st.sampled_from([0, 1, 30]),
)
def test_runs_are_read_as_the_method_reads_them(
    x: Values, step: int, window: int, least_probability: float, shortest_run: int
) -> None:
    starts, probabilities = kernels.probabilities(x, step, window, 1.0)

    own_start = variants.last_run(starts, probabilities, step, least_probability, shortest_run)

    assert own_start == kernels.steady_from(x, step, window, 1.0, least_probability, shortest_run)
