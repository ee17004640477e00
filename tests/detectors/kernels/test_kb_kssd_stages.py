"""The kernels behind KB-KSSD under many parameter sets, each against the one that it replaces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.signal import medfilt

from detectors.contract import Context, Values, as_series
from detectors.kernels.kb_kssd import find_step, kelly
from detectors.kernels.kb_kssd_stages import drift_line, find_steps, running_median, share_within
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.evaluation import answering, single_answerer
from detectors.simulated.synthetic import simulate

plain = arrays(
    np.float64,
    st.integers(1, 60),
    elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-9, 9)),
)
EXTREMES = [
    np.r_[1e12, np.arange(40) % 5],
    np.full(33, 0.1),
    1e-300 * (np.arange(50) % 7),
    np.r_[np.zeros(20), np.ones(20)],
]


def column(windows: NDArray[np.int64]) -> NDArray[np.int64]:
    """As the kernel gets them: of other strides, it would be compiled once more."""
    return np.column_stack([windows, windows])[:, 1]


@settings(max_examples=50)
@given(plain, st.integers(0, 40))
def test_the_sliding_median_is_the_median_of_each_window(x: Values, half: int) -> None:
    width = 2 * half + 1
    padded_values = np.r_[np.zeros(half), x, np.zeros(half)]

    medians = running_median(x, width)

    windows = np.lib.stride_tricks.sliding_window_view(padded_values, width)
    assert medians.tolist() == np.median(windows, axis=1).tolist()


def test_the_sliding_median_is_that_of_the_publication() -> None:
    x = simulate("step", n=200).values.copy()  # what is prepared may be written, as here

    assert running_median(x, 31).tolist() == medfilt(x, 31).tolist()


@pytest.mark.parametrize("x", EXTREMES)
@pytest.mark.parametrize("half", [2, 15])
def test_steps_of_many_windows_are_the_steps_of_each(x: Values, half: int) -> None:
    windows = column(np.arange(1, 45))
    steps = np.empty(windows.size, np.int64)

    find_steps(x, half, windows, steps)

    assert steps.tolist() == [find_step(x, int(window), half) for window in windows]


@settings(max_examples=50)
@given(arrays(np.float64, st.integers(30, 70), elements=st.integers(0, 9).map(float)))
def test_steps_of_digits_are_the_steps_of_each_window(x: Values) -> None:
    windows = column(np.array([1, 3, 8, 20, 70]))
    steps = np.empty(windows.size, np.int64)

    find_steps(x, 15, windows, steps)

    assert steps.tolist() == [find_step(x, int(window), 15) for window in windows]


@pytest.mark.parametrize("x", [*EXTREMES, np.array([1.0, 2.0, 9.0])])
@pytest.mark.parametrize("t_crit", [1e-6, 0.5, 1.0, 4.0, 1e6])
def test_line_and_share_are_kellys_probability(x: Values, t_crit: float) -> None:
    intercept, spread = drift_line(x)

    assert share_within(x, intercept, t_crit * spread) == kelly(x, t_crit)


def test_the_least_step_down_is_half_of_the_median_of_all_values() -> None:
    """Without the first of them the median would be higher, and the step too small."""
    x, windows = np.array([7.0, 3, 6, 1, 3, 6, 0, 8]), column(np.array([1, 5, 20]))
    steps = np.empty(3, np.int64)

    find_steps(x, 2, windows, steps)

    assert steps.tolist() == [2] * 3 == [find_step(x, int(window), 2) for window in windows]


def test_sets_that_share_stages_have_the_answers_of_each() -> None:
    """Two of each stage's parameters, and windows that are too short for Kelly's test."""
    series = as_series(simulate("step", n=100, seed=2).values)
    sets = [
        KbKssd.Params(
            outlier_window=5,
            medfilt=medfilt,
            step_window=step_window,
            short_half=short_half,
            prob_window=prob_window,
            t_crit=t_crit,
            prob_threshold=0.5,
            min_steady_length=0,
        )
        for medfilt, short_half in ((1, 2), (3, 2), (3, 5))
        for step_window, prob_window, t_crit in ((4, 3, 1.0), (9, 3, 0.5), (9, 30, 1.5))
    ]

    answers = answering(KbKssd, sets)(series, Context()).tolist()

    assert answers == single_answerer(KbKssd, sets)(series, Context()).tolist()
    assert len(set(answers)) > 1
