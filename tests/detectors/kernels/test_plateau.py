"""Features, steps and quantiles of `plateau`: an independent program's figures, and an oracle."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.kernels.plateau import (
    features,
    moved,
    normalised,
    quantile_of,
    risen,
    strengths,
    usual_strength,
)
from detectors.panel import GRID
from detectors.synthetic import simulate
from oracles import plateau_oracle as oracle
from tests.published_data import carried


def formula(n: int) -> Values:
    """The series of the vectors."""
    i = np.arange(n)
    steps = 1 + np.exp(-i / 120) + 0.3 * (i < 0.24 * n) + 0.02 * np.sin(1.7 * i)
    return as_series(1e-6 * (steps + 0.01 * ((7919 * i % 13) - 6) / 6 + 2 * (i % 397 == 5)))


@pytest.fixture(scope="module")
def vectors() -> Any:
    return carried("plateau")


def close(found: Any, expected: Any) -> None:
    """The tolerance that the vectors name."""
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("number", [0, 1])
def test_features_are_those_of_an_independent_program(vectors: Any, number: int) -> None:
    known = vectors["series"][number]

    rows = features(normalised(formula(known["n"])), GRID)

    close(rows[:, 48:], [known["global_48_77"]] * 64)
    for each in known["rows"]:
        assert GRID[each["grid_index"]] == each["g"]
        close(rows[each["grid_index"], :48], each["features_0_47"])


def test_steps_and_where_an_answer_moves_are_those_of_an_independent_program(vectors: Any) -> None:
    known = vectors["series"][0]

    strength = strengths(normalised(formula(known["n"])))

    close([strength[int(u)] for u in known["step_strength"]], [*known["step_strength"].values()])
    close(usual_strength(strength), known["step_reference"])
    for each in known["snap"]:
        assert moved(strength, int(each["median"]), 0.2, 3.0, 0.0) == each["answer"]


def test_quantiles_are_those_of_an_independent_program(vectors: Any) -> None:
    curves = {
        "(k/40)^2, at most 1, k = 0..63": np.minimum(1, (np.arange(64) / 40) ** 2),
        "0.6 everywhere": np.full(64, 0.6),
        "0.4 k/63": 0.4 * np.arange(64) / 63,
    }

    for each in vectors["quantile"]:
        close(quantile_of(curves[each["cdf"]], GRID, each["q"]), each["answer"])


COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
UNCOMPILED = 500  # values: as many as the widest steps need, and a place beyond is found as well
UNCOMPILED_SHAPES = ("decay, 100", "constant", "giant")  # one shorter than the widest steps


def drawn() -> dict[str, Values]:
    noisy = np.random.default_rng(7).lognormal(0, 0.1, 3000)
    return {
        "step": simulate("step").values,
        "decay, 100": simulate("decay", n=100).values,
        "two steps, 161": simulate("two-steps", n=161).values,
        "spikes, 997": simulate("spikes", n=997).values,
        "constant": as_series(np.full(300, 0.1)),
        "giant": as_series(np.r_[1e6, noisy[1:400]]),
        "tiny": as_series(noisy[:700] * 1e-9),
        "few digits": as_series(np.round(noisy, 1)),
    }


@pytest.mark.parametrize("name", drawn() if COMPILED else UNCOMPILED_SHAPES)
def test_kernel_and_oracle_agree(name: str) -> None:
    x = drawn()[name][: None if COMPILED else UNCOMPILED]

    y = normalised(x)

    np.testing.assert_allclose(features(y, GRID), oracle.features(x, GRID), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(strengths(y), oracle.strengths(x), atol=1e-12)


def test_a_distribution_never_falls() -> None:
    assert risen(np.array([0.1, 0.3, 0.2, 0.5])).tolist() == [0.1, 0.3, 0.3, 0.5]


@pytest.mark.parametrize(
    ("values", "unit"),
    [([4.0, 2, 2, 2], 2.0), ([-3.0, 1, 0, 0], 3.0), ([0.0, 0, 0, 0], 0.0)],
)
def test_the_unit_is_the_median_of_the_second_half_or_the_largest(
    values: list[float], unit: float
) -> None:
    expected = np.array(values) / unit if unit else np.ones(4)

    assert normalised(as_series(values)).tolist() == expected.tolist()


def test_values_far_beyond_the_unit_are_cut_off() -> None:
    found = normalised(as_series([1e300, -1e300, 1e-300, 1e-300]))

    assert found.tolist() == [1e100, -1e100, 1, 1]


def test_of_two_steps_the_nearer_may_be_lower() -> None:
    strength = np.zeros(3000)
    strength[[480, 600]] = 8.0, 10.0

    assert moved(strength, 500, 0.3, 3.0, 0.0) == 600
    assert moved(strength, 500, 0.3, 3.0, 1.0) == 480


def test_too_few_places_for_a_step_leave_the_answer() -> None:
    strength = np.zeros(250)
    strength[100] = 9.0

    assert usual_strength(strength) == np.inf
    assert moved(strength, 95, 0.2, 3.0, 0.0) == 95
