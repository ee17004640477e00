"""Kelly's test alone: windows, correlated noise, what it is a part of."""

from __future__ import annotations

import json

import numpy as np
import pytest

from detectors.contract import NEVER, Context, Curve, Detection, TooShort, as_json, as_series
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.kelly import Kelly
from detectors.simulated.synthetic import simulate, simulate_all


def test_windows_are_read_from_the_end() -> None:
    values = [1, 2, 3, 4, 5, 6, 7, 1, 1, 2, 1, 1, 1, 2, 1]

    assert Kelly(prob_window=7, t_crit=3).answer(values) == Detection(7, published_index=7)


def test_a_drift_is_never_steady() -> None:
    assert Kelly(prob_window=7).answer(np.arange(70.0)) == Detection(NEVER, NEVER)


@pytest.mark.parametrize("ar_order", [0, 8])
def test_is_kb_kssd_without_kernels_and_substitution(ar_order: int) -> None:
    bare_method = KbKssd(kernels="none", substitute=False, ar_order=ar_order)

    for series in simulate_all(n=900):
        assert Kelly(ar_order=ar_order).answer(series.values) == bare_method.answer(series.values)


def test_correlated_noise_has_more_drift_than_its_residuals() -> None:
    random = np.random.default_rng(2)
    values = random.standard_normal(3000)
    for i in range(1, values.size):
        values[i] += 0.98 * values[i - 1]

    plain_start, whitened_start = (
        Kelly(t_crit=3.0, ar_order=order).answer(values).steady_start for order in (0, 5)
    )

    assert whitened_start == 0
    assert plain_start != 0


def test_too_short_says_how_long() -> None:
    assert Kelly().answer([1.0, 1.0, 1.0]) == Detection(0, 0)
    with pytest.raises(TooShort, match="at least 3 values; got 2"):
        Kelly().answer([1.0, 1.0])


@pytest.mark.parametrize("scale", [1e-300, 1e9, 1e300])
def test_the_unit_does_not_matter(scale: float) -> None:
    values = simulate("step").values

    assert Kelly().answer(scale * values) == Kelly().answer(values)


def test_evidence_shows_every_window() -> None:
    (curve,) = Kelly().evidence(as_series(simulate("step").values), Context())

    assert isinstance(curve, Curve)
    assert curve.x is not None
    assert curve.x.tolist() == [0, 500, 1000, 1500, 2000, 2500, 3000]
    assert curve.threshold == 0.95
    json.dumps(as_json(curve), allow_nan=False)
