"""Gains of preparing series: a planted gain is found, a small class is not told, the page is of
today.
"""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import as_series
from detectors.methods.mser import Mser
from detectors.preparation.helpful_steps import EVERY_SERIES
from evidence.replication.confirmed_gains import adjusted_chances, chance_of_gain
from evidence.replication.preparation_gains import (
    GainMeasurement,
    KnownAnswer,
    measured_methods,
    write_gains_table,
)


def test_outliers_that_mislead_a_method_are_a_gain_where_they_are_replaced() -> None:
    random = np.random.default_rng(0)
    answers = []
    for number in range(12):
        values = np.where(np.arange(300) < 30, 1.2, 1.0) + 0.01 * random.standard_normal(300)
        values[120:150:11] += 9
        answers.append(KnownAnswer(as_series(values), 30, 30, f"system {number % 6}"))

    gains = GainMeasurement(answers).gains(Mser())

    assert gains["outliers", EVERY_SERIES].low > 0
    assert gains["outliers", EVERY_SERIES][3:] == (12, 6)
    assert gains["cycles", EVERY_SERIES][:3] == (0, 0, 0)
    assert all(gain.series >= 8 for gain in gains.values())


def test_a_gain_is_chosen_on_one_source_and_confirmed_on_the_other() -> None:
    systems = np.repeat([f"system {number}" for number in range(10)], 3)
    fall = np.tile([0.01, 0.02, 0.03], 10) + np.repeat(np.linspace(-0.01, 0.01, 10), 3)
    assert chance_of_gain(fall, systems) < 1e-4
    assert chance_of_gain(fall - fall.mean(), systems) > 0.4
    assert chance_of_gain(-fall, systems) > 0.99
    assert chance_of_gain(np.zeros(30), systems) == 1

    corpus = {(f"method {number}", "median"): p for number, p in enumerate((0.001, 0.002, 0.03))}
    corpus |= {(f"method {number}", "median"): 0.5 for number in range(3, 40)}
    people = dict.fromkeys(corpus, 0.0001) | {("method 1", "median"): 0.06}

    adjusted = adjusted_chances(corpus, people)

    assert adjusted["method 0", "median"] == (0.04, 0.0002)  # the better of 40, then of 2
    assert adjusted["method 1", "median"] == (0.04, 0.06)
    assert adjusted["method 2", "median"] == (pytest.approx(0.4), None)


def test_the_table_is_of_today_and_of_quick_methods() -> None:
    slugs = {method.slug for method in measured_methods()}

    assert write_gains_table(check=True) == 0
    assert {"mser", "kb-kssd", "plateau"} <= slugs
    assert not slugs & {"prepared", "fcn", "cp-ssd", "fixed", "developer"}
