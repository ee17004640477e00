"""Series of known changes, and the table made of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from evidence.bench.change_points import (
    GRIDS,
    LEAST_SEGMENT,
    NOISES,
    method_scores,
    parameter_sets,
    step_series,
)


@pytest.mark.parametrize("noise", NOISES)
def test_levels_change_where_the_series_says(noise: str) -> None:
    """The median of each segment differs from its neighbour's by a standard deviation or more."""
    for number in range(8):
        series = step_series(noise, number)
        edges = [0, *series.changes, series.values.size]
        medians = [np.median(series.values[a:b]) for a, b in pairwise(edges)]

        assert np.diff(edges).min() >= LEAST_SEGMENT
        assert np.abs(np.diff(medians)).min(initial=2.0) > 1


def test_the_oracle_has_the_defaults_among_its_sets() -> None:
    series = [step_series("white", number) for number in range(2)]

    scores = method_scores("jumpavg", series)

    assert parameter_sets("jumpavg")[0] == {}
    assert scores.covering.shape == (2, len(parameter_sets("jumpavg")))
    assert (scores.f1.max(axis=1) >= scores.f1[:, 0]).all()
    assert set(GRIDS) >= {"cp-ssd", "jumpavg", "ruptures-pelt"}
