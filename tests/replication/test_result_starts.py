"""Errors of results and their cost, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.methods.fixed import Fixed
from detectors.methods.kb_kssd import KbKssd
from replication.result_starts import CAP, JudgedFork, narrow_after, same_share, starts_of


def fork(values: list[float]) -> JudgedFork:
    return JudgedFork("system#bench#", np.array(values), steady=2.0)


def test_the_error_is_a_share_of_the_steady_mean() -> None:
    one = fork([5.0, 3.0, 2.0, 2.0])

    assert one.error(0, 2) == pytest.approx(1.0)
    assert one.error(1, 2) == pytest.approx(0.25)
    assert one.error(9, 2) == 0.0  # behind the end: its last value
    assert one.system == "system"


def test_who_says_never_measures_at_the_cap() -> None:
    drifting = fork(np.linspace(1, 1e6, 2000).tolist())

    assert KbKssd().answer(drifting.values).steady_start == NEVER
    assert starts_of(KbKssd(), [drifting]).tolist() == [CAP]
    assert starts_of(Fixed(iteration=20), [drifting]).tolist() == [20]


def test_the_least_constant_with_as_many_good_results() -> None:
    errors = np.array([[0.5, 0.5], [0.01, 0.5], [0.0, 0.02], [0.01, 0.009]])

    assert [same_share(errors, each) for each in (0.0, 0.5, 0.51, 1.0)] == [0, 10, 30, 30]
    assert same_share(errors[:3], 0.9) is None


def test_a_measurement_lasts_until_its_interval_is_narrow() -> None:
    rng = np.random.default_rng(0)
    quiet, loud = (1 + each * rng.standard_normal(3000) for each in (0.001, 5.0))

    assert narrow_after(quiet, 200) == 100
    assert narrow_after(loud, 200) == 2800
    assert 100 < narrow_after(1 + 0.2 * rng.standard_normal(3000), 200) < 2800
