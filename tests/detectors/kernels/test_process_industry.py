"""Kernels of the process industry against plain forms of what they compute."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import Values
from detectors.kernels.smoothing import average_from_zero
from detectors.methods.ssd_cpd import change_points
from evidence.oracles import process_oracle as oracle

RANDOM = np.random.default_rng(2)
NOISE = RANDOM.normal(size=50)
SERIES = {
    "one change": np.r_[NOISE[:25], NOISE[25:] + 5],
    "two changes": np.r_[NOISE[:20], NOISE[20:30] + 9, NOISE[30:]],
    "ties": np.r_[RANDOM.integers(0, 3, 20), RANDOM.integers(2, 5, 20)].astype(np.float64),
    "constant": np.full(30, 0.1),
    "a giant": np.r_[1e300, NOISE[:20], NOISE[:20] * 1e-3],
    "tiny": 1e-310 * np.r_[np.arange(15.0), np.arange(90.0, 105.0)],
    "shortest": NOISE[:8],
}


@pytest.mark.parametrize("values", SERIES.values(), ids=SERIES)
def test_pruning_gives_up_no_best_parting(values: Values) -> None:
    assert change_points(values, 4) == oracle.change_points(values, 4)


@pytest.mark.parametrize("window", [2, 5, 1000])
@pytest.mark.parametrize("values", SERIES.values(), ids=SERIES)
def test_an_average_moves_as_stated(values: Values, window: int) -> None:
    average = average_from_zero(values, window)

    np.testing.assert_allclose(
        average, oracle.variable_average_by_definition(values, window), rtol=1e-9
    )
