"""ROCKET's convolutions against whole-array arithmetic, and against published numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from numpy.typing import NDArray

from detectors.contract import as_series
from detectors.kernels.rocket import rocket_decision, rocket_features
from detectors.training.fitting.rocket import draw_kernels
from evidence.oracles.rocket_oracle import features, features_by_model
from tests.published_data import carried_vectors


def read_only_arrays(*arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """As those of a stored model: for arrays that may be written the kernel is compiled anew."""
    for array in arrays:
        array.setflags(write=False)
    return arrays


@settings(max_examples=12)
@given(seed=st.integers(0, 1000), shape=st.sampled_from(["noise", "constant", "giant", "tiny"]))
@example(seed=0, shape="constant")
@example(seed=0, shape="giant")
def test_agrees_with_the_definition(seed: int, shape: str) -> None:
    model = draw_kernels(seed, 20)
    read_only_arrays(model.weights, model.lengths, model.biases, model.dilations, model.paddings)
    x = np.random.default_rng(seed).standard_normal(100).astype(np.float32)
    x = {"constant": 0 * x, "tiny": x * np.float32(1e-20)}.get(shape, x)
    if shape == "giant":
        x[50] = 1e6

    own_features, expected = features_by_model(x, model), np.array(features(x, model))

    # a sum near 0 may fall on either side in single precision: one position of at least 40
    assert np.abs(own_features[::2] - expected[::2]).max() <= 1 / 40
    np.testing.assert_allclose(own_features[1::2], expected[1::2], rtol=2e-5, atol=2e-5)


def test_the_decision_is_the_scaled_sum() -> None:
    features = np.array([1.0, 2.0, 4.0], dtype=np.float32)

    decision = rocket_decision(features, as_series([1, 2, 4]), as_series([3, 2, 1]), -0.5)

    assert decision == 3 + 2 + 1 - 0.5


@pytest.mark.parity("rocket")
def test_published_kernels_give_the_published_features() -> None:
    vectors = carried_vectors("learned")
    vector: dict[str, Any] = vectors["rocket_apply"]
    kernels = vector["kernels"]

    def column(name: str, dtype: type) -> Any:
        return np.array([kernel[name] for kernel in kernels], dtype=dtype)

    arrays = read_only_arrays(
        np.concatenate([np.array(kernel["w"], dtype=np.float32) for kernel in kernels]),
        np.array([len(kernel["w"]) for kernel in kernels]),
        column("b", np.float32),
        column("d", np.int64),
        column("p", np.int64),
    )
    features = rocket_features(np.array(vector["x_already_normalised"], dtype=np.float32), *arrays)

    np.testing.assert_allclose(features, vector["features_ppv_max_per_kernel"], atol=1e-6)
