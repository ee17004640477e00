"""Figures over seeds, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from evidence.replication.plateau_seeds import figure_interval


def test_an_interval_draws_whole_systems() -> None:
    values = np.r_[np.zeros(50), np.ones(50)]
    systems = np.repeat(["one", "other"], 50)

    value, (low, high) = figure_interval(lambda rows: float(values[rows].mean()), systems)

    assert value == pytest.approx(0.5)
    assert (low, high) == (0, 1)


def test_systems_that_are_alike_leave_no_doubt() -> None:
    values, systems = np.tile([0.0, 1.0], 20), np.repeat(["a", "b", "c", "d"], 10)

    assert figure_interval(lambda rows: float(values[rows].mean()), systems)[1] == (0.5, 0.5)
