"""PELT on rows of costs against lists of candidates, and against all segmentations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from detectors.contract import Values
from detectors.kernels.pelt import all_costs, ends_of, pelt, running_sums
from evidence.oracles import pelt_oracle as oracle

NO_ROWS = np.empty(0)


@st.composite
def step_values(draw: st.DrawFn) -> Values:
    """Levels with noise, of few digits or many, with constant pieces and spikes."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(4, 70))
    edges = np.sort(random.integers(0, n, draw(st.integers(0, 4))))
    level = random.uniform(1, 3, 5)[np.searchsorted(edges, np.arange(n), side="right")]
    x = level + draw(st.sampled_from([0.0, 0.01, 0.5])) * random.standard_normal(n)
    x[random.integers(0, n, draw(st.integers(0, 2)))] *= 1000
    return np.round(x, draw(st.sampled_from([1, 3, 15]))) * draw(st.sampled_from([1.0, 1e-6]))


@given(x=step_values(), penalty=st.sampled_from([0.0, -0.0, 1e-10, -1.0, 3.0, 15.0, 60.0, 1e6]))
@example(x=np.r_[1e9, np.full(20, 1e-3)], penalty=15.0)
@example(x=np.full(30, 0.1), penalty=15.0)
@example(x=1e-12 * (3.0 - 2.0 * (np.arange(40) > 20)), penalty=4.0)
@example(x=np.array([1.0, 2.0, 1.0, 2.0]), penalty=1.0)
def test_agrees_with_lists_of_candidates_to_the_last_bit(x: Values, penalty: float) -> None:
    s1, s2 = running_sums(x)
    penalties = np.array([15.0 * math.log(x.size), penalty])

    totals, last_starts = pelt(s1, s2, all_costs(s1, s2), penalties)
    second_costs, second_starts = pelt(s1, s2, NO_ROWS, penalties)

    expected = [oracle.pelt(x, penalty) for penalty in penalties.tolist()]
    assert [
        (ends_of(last).tolist(), total) for last, total in zip(last_starts, totals, strict=True)
    ] == expected
    assert np.array_equal(totals, second_costs)
    assert np.array_equal(last_starts, second_starts)


@given(x=step_values(), penalty=st.floats(5, 100))
def test_never_better_than_the_best_of_all_segmentations(x: Values, penalty: float) -> None:
    s1, s2 = running_sums(x)

    totals, _ = pelt(s1, s2, NO_ROWS, np.array([penalty]))

    assert totals[0] >= oracle.optimum(x, penalty) - 1e-6


def test_penalties_do_not_disturb_one_another() -> None:
    x = np.sin(np.arange(60.0)) + 3.0 * (np.arange(60) < 25)
    s1, s2 = running_sums(x)
    penalties = np.array([3.0, 60.0, 3.0, 10.0])

    joint_starts, _ = pelt(s1, s2, NO_ROWS, penalties)

    single_starts = [pelt(s1, s2, NO_ROWS, penalties[i : i + 1])[0][0] for i in range(4)]
    assert joint_starts.tolist() == single_starts


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no extended precision here")
def test_sums_are_added_in_extended_precision() -> None:
    y = np.r_[1.0, np.full(10, 2.0**-53)]

    assert running_sums(y)[0][-1] == 1 + 10 * 2.0**-53
    assert running_sums(y)[0].tolist() == oracle.sums(y)
