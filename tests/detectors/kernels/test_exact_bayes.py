"""The kernels of Exact Bayes against worked vectors, the oracle, and the law of their draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import NEVER, Values, as_series
from detectors.kernels import exact_bayes as kernels
from evidence.oracles.exact_bayes_oracle import level_probabilities

FALLING = [1, 0.8, 0.6, 0.5, 0.42, 0.4, 0.41, 0.4, 0.39, 0.4, 0.41, 0.4, 0.4, 0.39, 0.4, 0.41]
FALLING += [0.4, 0.4]
STEP = [3, 3.1, 2.9, 3, 1, 1.1, 0.9, 1, 1, 1.05, 0.95, 1]
DEFAULTS: dict[str, Any] = {"p": 0.2, "nu": 20.0, "gamma": 0.2, "sigma": 1e4}


def run(y: Any, s_0: float, m: int = 300, **priors: Any) -> tuple[Values, Values]:
    """(P at every iteration, weights at the end), by the kernel."""
    values = as_series(y)
    pieces, probabilities = np.zeros((m, kernels.COLUMNS)), np.zeros(values.size)
    priors = DEFAULTS | priors
    kernel_priors = np.array([priors["nu"], priors["gamma"], 1 / priors["sigma"], priors["p"], s_0])
    draws = np.random.default_rng(0).standard_exponential((values.size, m))
    start, piece_count = kernels.first_level_iteration(
        values, 0, pieces, 0, draws, kernel_priors, np.inf, probabilities
    )
    assert start == NEVER
    return probabilities, np.exp(pieces[:piece_count, kernels.WEIGHT])


def test_weights_worked_out() -> None:
    _, weights = run(FALLING, 0.003)

    expected = [0.0510288, 0.220405, 0.582045, 1.08575, 0.824026, 0.375499, 0.114985, 0.0228096]
    expected += [0.00524128, 0.00147073, 0.000404678, 0.000126058, 5.90735e-05, 3.75009e-05]
    expected += [3.5185e-05, 4.38091e-05, 8.23351e-05, 0.000462715]
    assert weights.tolist() == [pytest.approx(weight, rel=1e-5) for weight in expected]
    assert run(FALLING, 0.05)[1].tolist() == weights.tolist()


CURVE_OF_FALLING = """
0 6.8818e-06 3.52845e-07 3.73817e-07 4.92001e-07 1.23883e-05 .000137475 .000503445 .000534839
.00459062 .035029 .0781428 .145068 .210759 .283199 .348129 .384124 .739843
"""
CURVE_OF_STEP = """
0 .42456 .981895 .998244 .0128011 .483563 .994797 .999175 .999542 .999593 .999656 .999757
"""


def probability_by_iteration(text: str) -> dict[int, float]:
    return dict(enumerate(float(word) for word in text.split()))


@pytest.mark.parametrize(
    ("y", "s_0", "expected"),
    [
        (FALLING, 0.003, probability_by_iteration(CURVE_OF_FALLING)),
        (FALLING, 0.05, {9: 0.102674, 10: 0.999142, 17: 0.999875}),
        (FALLING, 0.02, {12: 0.349269, 13: 0.512185}),
        (FALLING, 1e-8, {1: 2.29393e-11, 2: 1.17615e-12}),
        (STEP, 0.1, probability_by_iteration(CURVE_OF_STEP)),
    ],
)
def test_probabilities_worked_out(y: list[float], s_0: float, expected: dict[int, float]) -> None:
    probabilities, _ = run(y, s_0)

    assert {i: probabilities[i] for i in expected} == {
        i: pytest.approx(probability, rel=1e-5) for i, probability in expected.items()
    }


def test_weights_of_a_step_worked_out() -> None:
    _, weights = run(STEP, 0.1)

    expected = [1.58788e-13, 1.59407e-15, 2.80807e-16, 4.24344e-15, 2.65273]
    assert weights[:5].tolist() == [pytest.approx(weight, rel=1e-5) for weight in expected]
    assert weights[11] == pytest.approx(0.00071337, rel=1e-5)


@settings(max_examples=40)
@given(
    y=arrays(np.float64, st.integers(2, 14), elements=st.floats(-50, 50).map(np.float32)),
    s_0=st.floats(0.01, 2),
    p=st.floats(0.05, 0.9),
    nu=st.floats(3, 40),
    gamma=st.floats(0.05, 5),
    sigma=st.floats(10, 1e4),
)
@example(y=np.r_[1e5, np.full(9, 1.0)], s_0=0.1, p=0.2, nu=20, gamma=0.2, sigma=1e4)  # a giant
@example(y=np.full(12, 0.1), s_0=0.1, p=0.2, nu=20, gamma=0.2, sigma=1e4)
@example(y=1e-6 * np.arange(12.0), s_0=1e-5, p=0.2, nu=20, gamma=0.2, sigma=1e4)  # tiny
@example(y=np.array([1.0, 2.0]), s_0=0.1, p=0.2, nu=20, gamma=0.2, sigma=1e4)  # the shortest
def test_agrees_with_the_definition(
    y: Values, s_0: float, p: float, nu: float, gamma: float, sigma: float
) -> None:
    expected, weights = level_probabilities(y, s_0, p, nu, gamma, sigma)

    probabilities, own_weights = run(y, s_0, p=p, nu=nu, gamma=gamma, sigma=sigma)

    # The definition loses digits where squares of large values cancel.
    np.testing.assert_allclose(probabilities, expected, rtol=1e-4, atol=1e-9)
    np.testing.assert_allclose(own_weights, weights, rtol=1e-3, atol=1e-12 * max(weights))


def test_a_late_line_is_fitted_as_an_early_one() -> None:
    """Late times make the published matrices ill-conditioned; centred sums do not notice."""
    late_piece, early_piece = np.zeros(kernels.COLUMNS), np.zeros(kernels.COLUMNS)
    priors = np.array([20.0, 0.2, 1e-30, 0.2, 0.1])
    kernels.begin(late_piece, 1_000_000, 3.0, priors)
    kernels.begin(early_piece, 0, 3.0, priors)

    for i, y in enumerate([3.5, 4.1, 4.4, 5.2], start=1):
        kernels.extend(late_piece, 1_000_000 + i, y)
        kernels.extend(early_piece, i, y)

    assert kernels.fit(late_piece, 1_000_004, priors)[0] == pytest.approx(0.53, rel=1e-6)
    assert kernels.fit(early_piece, 4, priors)[0] == pytest.approx(0.53, rel=1e-6)


def test_the_dropped_piece_is_the_one_left_by_a_draw_without_replacement() -> None:
    """Of weights 5, 3, 2, drawn two at a time: each is left over as often as it should be."""
    weights, random = np.array([5.0, 3.0, 2.0]), np.random.default_rng(5)
    p = weights / weights.sum()
    left_shares = [
        sum(p[a] * p[b] / (1 - p[a]) for a in range(3) for b in range(3) if len({a, b, k}) == 3)
        for k in range(3)
    ]
    counts = np.zeros(3)
    for _ in range(4000):
        pieces = np.zeros((3, kernels.COLUMNS))
        pieces[:, kernels.START] = range(3)
        pieces[:, kernels.WEIGHT] = np.log(weights)
        kernels.drop_piece(pieces, 3, random.standard_exponential(3))
        kept_starts = {int(start) for start in pieces[:2, kernels.START]}
        counts[({0, 1, 2} - kept_starts).pop()] += 1

    assert (counts / 4000).tolist() == [pytest.approx(share, abs=0.02) for share in left_shares]


@pytest.mark.parametrize(
    ("low", "high"), [(-1, 1), (-30, -29), (29, 30), (2, 3), (-9, 40), (0, 0), (-np.inf, 0)]
)
def test_normal_probabilities(low: float, high: float) -> None:
    from scipy.stats import norm  # noqa: PLC0415  # a second, for this test only

    expected = norm.cdf(high) - norm.cdf(low) if low < 0 else norm.sf(low) - norm.sf(high)
    assert kernels.normal_probability(float(low), float(high)) == pytest.approx(expected, rel=1e-12)
