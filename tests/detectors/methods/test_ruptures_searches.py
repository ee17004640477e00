"""The other searches of `ruptures`: the package is asked as promised, and so is its scale."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import ruptures
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import (
    Context,
    Detection,
    Detector,
    Events,
    Levels,
    TooShort,
    Values,
    as_series,
)
from detectors.methods.ruptures_binseg import RupturesBinseg
from detectors.methods.ruptures_bottomup import RupturesBottomUp
from detectors.methods.ruptures_kernel import RupturesKernel
from detectors.methods.ruptures_pelt import RupturesPelt
from detectors.methods.ruptures_window import RupturesWindow
from detectors.rules.segments.ruptures_search import safe_mean, scale_by_noise
from detectors.simulated.synthetic import simulate

STEP = simulate("step", n=600)
SEARCHES = [RupturesBinseg, RupturesBottomUp, RupturesKernel, RupturesWindow]
SMALL: dict[type[Detector], dict[str, Any]] = {
    RupturesBinseg: {"min_size": 2, "jump": 1},
    RupturesBottomUp: {"min_size": 2, "jump": 1},
    RupturesKernel: {"min_size": 2},
    RupturesPelt: {"min_size": 2, "jump": 3},
    RupturesWindow: {"min_size": 2, "jump": 1, "width": 4},
}


@pytest.mark.parametrize(
    ("detector", "tolerance"),
    [(RupturesBinseg, 5), (RupturesBottomUp, 45), (RupturesKernel, 2), (RupturesWindow, 5)],
)
def test_steady_from_the_last_change_point(detector: type[Detector], tolerance: int) -> None:
    detection = detector().answer(STEP.values)

    assert detection.published_index == detection.steady_start
    assert abs(detection.steady_start - STEP.steady_start) <= tolerance


@pytest.mark.parametrize("detector", SEARCHES)
def test_no_change_point_is_steady_from_the_start(detector: type[Detector]) -> None:
    assert detector().answer(simulate("flat", n=600).values) == Detection(0, 0)


def scaled(values: Values) -> Values:
    noise = float(np.median(np.abs(np.diff(values)))) / 0.954
    return np.asarray((values - np.median(values)) / noise)


PEERS: list[tuple[Detector, Callable[[], Any]]] = [
    (
        RupturesBinseg(cost="l2", min_size=20, jump=3, penalty=9.0),
        lambda: ruptures.Binseg(model="l2", min_size=20, jump=3),
    ),
    (
        RupturesBottomUp(cost="l1", min_size=20, jump=3, penalty=9.0),
        lambda: ruptures.BottomUp(model="l1", min_size=20, jump=3),
    ),
    (
        RupturesWindow(cost="l2", min_size=20, jump=3, width=60, penalty=9.0),
        lambda: ruptures.Window(model="l2", min_size=20, jump=3, width=60),
    ),
    (
        RupturesKernel(kernel="rbf", gamma=0.5, min_size=20, penalty=9.0),
        lambda: ruptures.KernelCPD(kernel="rbf", params={"gamma": 0.5}, min_size=20),
    ),
    (
        RupturesKernel(kernel="linear", min_size=20, penalty=9.0),
        lambda: ruptures.KernelCPD(kernel="linear", min_size=20),
    ),
]


@pytest.mark.parity("ruptures-binseg", "ruptures-bottomup", "ruptures-kernel", "ruptures-window")
@pytest.mark.parametrize(("detector", "peer"), PEERS, ids=[0, 1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["two-steps", "cyclic", "decay"])
def test_is_the_packages_answer_on_values_in_units_of_noise(
    detector: Detector, peer: Callable[[], Any], kind: str
) -> None:
    values = simulate(kind, n=600).values

    expected = peer().fit(scaled(values)).predict(pen=9 * math.log(600))

    events, levels = detector.evidence(values, Context())
    assert events == Events(tuple(expected[:-1]), label="change points")
    assert isinstance(levels, Levels)
    assert [piece[:2] for piece in levels.pieces] == list(
        zip([0, *expected[:-1]], expected, strict=True)
    )
    start = [0, *expected][-2]
    assert detector.answer(values) == Detection(start, published_index=start)


@pytest.mark.filterwarnings("ignore:New behaviour:UserWarning")
def test_the_normal_cost_is_the_packages_own() -> None:
    values = simulate("noise-change", n=600).values
    peer = ruptures.Binseg(model="normal", min_size=20, jump=5).fit(scaled(values))

    detection = RupturesBinseg(min_size=20, penalty=9.0).answer(values)

    assert detection.steady_start == peer.predict(pen=9 * math.log(600))[-2]


@pytest.mark.parametrize("detector", SEARCHES)
@pytest.mark.parametrize("factor", [1e-9, 2.0**40])
def test_the_unit_does_not_matter(detector: type[Detector], factor: float) -> None:
    expected = detector().answer(STEP.values)

    assert detector().answer(factor * STEP.values) == expected
    assert detector().answer(STEP.values + 1.0) == expected


@pytest.mark.parametrize(
    ("detector", "least_length"),
    [(RupturesBinseg, 200), (RupturesBottomUp, 50), (RupturesKernel, 200), (RupturesWindow, 200)],
)
def test_two_segments_must_fit(detector: type[Detector], least_length: int) -> None:
    assert 0 <= detector().answer(STEP.values[:least_length]).steady_start < least_length
    with pytest.raises(
        TooShort, match=f"needs at least {least_length} values; got {least_length - 1}"
    ):
        detector().answer(STEP.values[: least_length - 1])


@given(
    values=arrays(
        np.float64,
        st.integers(4, 40),
        elements=st.one_of(
            st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 2).map(float)
        ),
    )
)
@example(values=np.tile([-1.7e308, 1.7e308], 9))
@example(values=np.r_[np.zeros(20), np.full(20, 1e300)])
@example(values=np.r_[np.arange(30) % 5 * 5e-324, 1e10])
@pytest.mark.parametrize("detector", SMALL)
def test_any_finite_values_get_an_answer(detector: type[Detector], values: Values) -> None:
    method = detector(**SMALL[detector])

    assert 0 <= method.answer(values).steady_start < values.size
    _, levels = method.evidence(as_series(values), Context())
    assert isinstance(levels, Levels)
    assert np.isfinite([level for _, _, level in levels.pieces]).all()


def test_values_far_out_are_cut_off_and_all_stay_in_range() -> None:
    assert scale_by_noise(as_series([0.0, 0.0, 0.0, 1e300])).tolist() == [0, 0, 0, 1e50]
    assert scale_by_noise(as_series([-1.7e308, 1.7e308] * 2)).max() == pytest.approx(0.954 / 2)
    assert safe_mean(as_series([1.7e308, 1.7e308])) == pytest.approx(1.7e308)
