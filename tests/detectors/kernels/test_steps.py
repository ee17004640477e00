"""Candidates of `plateau`: steps by hand, and against a plain formulation."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import Values, as_series
from detectors.kernels.plateau import normalised, places
from detectors.kernels.steps import candidates, step_strengths, tops
from detectors.panel import GRID
from detectors.synthetic import simulate
from oracles.steps_oracle import plain_strengths


@pytest.mark.parametrize(("half", "least"), [(20, 3), (80, 5), (200, 20)])
@pytest.mark.parametrize("n", [100, 161, 700])
def test_strengths_are_those_of_the_definition(half: int, least: int, n: int) -> None:
    logs = np.log(simulate("two-steps", n=n).values)

    found = step_strengths(logs, half, least)

    np.testing.assert_allclose(found, plain_strengths(logs, half, least), atol=1e-12)


def test_tops_are_apart_and_in_order_of_strength() -> None:
    strength = np.zeros(100)
    strength[[10, 14, 50, 51, 90]] = 3.0, 5.0, 7.0, 7.0, 1.0

    assert tops(strength, 5, 0, 100, 9).tolist() == [50, 14, 90]
    assert tops(strength, 3, 0, 100, 9).tolist() == [50, 14, 10, 90]
    assert tops(strength, 5, 0, 90, 1).tolist() == [50]


def test_a_step_is_a_candidate_and_nothing_is_stronger() -> None:
    y = np.where(np.arange(1000) < 333, 2.0, 1.0) + 0.01 * np.sin(np.arange(1000.0) ** 2)

    at, rows = candidates(normalised(as_series(y)), places(GRID, 1000))

    row = rows[at.tolist().index(333)]
    assert row[3:7].tolist() == [pytest.approx(1), pytest.approx(1), 0, 0]
    assert row[11] == pytest.approx(np.log(np.log(2)), abs=0.02)


@pytest.mark.parametrize(
    "values",
    [
        np.full(100, 0.1),
        np.r_[1e6, np.ones(149)],
        simulate("decay", n=137).values * 1e-300,
        np.r_[np.zeros(80), np.ones(80)],
    ],
    ids=["constant", "giant", "tiny", "half of it zero"],
)
def test_candidates_of_odd_series_are_finite_and_inside(values: Values) -> None:
    grid = places(GRID, values.size)

    at, rows = candidates(normalised(as_series(values)), grid)

    assert np.isfinite(rows).all()
    assert (np.diff(at) > 0).all()
    assert set(grid.tolist()) <= set(at.tolist()) <= set(range(1, values.size - 2))
