"""What waiting costs and misses: by hand."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER, Detection
from detectors.training.figures.decision_costs import decision_costs, deviation, stop_of
from detectors.training.labels.panel_answers import MarkedSeries

VALUES = np.r_[np.full(100, 4.0), np.full(400, 2.0)]
"""Steady from 100."""


def test_the_hundred_iterations_after_a_decision_are_measured() -> None:
    stop = stop_of(Detection(30, decided_at=49), VALUES)

    assert stop.measured.tolist() == [*[4.0] * 50, *[2.0] * 50]
    assert deviation(MarkedSeries("a", VALUES, 100), stop) == pytest.approx(0.5)


def test_a_method_that_needs_all_keeps_what_comes_after_its_answer() -> None:
    stop = stop_of(Detection(98), VALUES)

    assert (stop.decided, stop.measured.size) == (499, 402)
    assert deviation(MarkedSeries("a", VALUES, 100), stop) == pytest.approx(2 / 402)


def test_never_has_waited_for_all_of_it() -> None:
    stop = stop_of(Detection(NEVER), VALUES)

    assert (stop.decided, stop.measured.size) == (499, 100)


def test_figures_over_series() -> None:
    panel = [MarkedSeries("a", VALUES, 100), MarkedSeries("b", VALUES, 100)]

    costs = decision_costs(panel, [Detection(60, decided_at=79), Detection(NEVER)])

    assert costs is not None
    assert costs.early == 0.5
    assert list(costs.testing) == [260, 340, 420]  # 180 and all 500
    assert costs.deviation[1] == pytest.approx(0.1)  # 20 of 100 are twice as large: 0.2; and 0
    assert costs.far == 0.5


def test_a_missing_answer_leaves_nothing_to_say() -> None:
    assert decision_costs([MarkedSeries("a", VALUES, 100)], [None]) is None
