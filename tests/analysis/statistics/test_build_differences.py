"""Change between two builds, from the steady means of their forks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.statistics.build_differences import fork_difference
from detectors.intervals.quantiles import student_quantile


def test_a_ratio_has_an_interval_by_how_forks_differ() -> None:
    """Errors of the means are 10 % and 5 % of them; 1.47 degrees of freedom."""
    difference = fork_difference(np.array([9.0, 11.0]), np.array([19.0, 21.0]))
    freedom = 0.0125**2 / (0.01**2 + 0.0025**2)
    reach = student_quantile(0.975, freedom) * math.sqrt(0.0125)

    assert (difference.ratio, difference.delta) == (pytest.approx(2), 1.0)
    assert difference.low == pytest.approx(2 * math.exp(-reach))
    assert difference.high == pytest.approx(2 * math.exp(reach))
    assert difference.p is not None
    assert student_quantile(1 - difference.p / 2, freedom) == pytest.approx(
        math.log(2) / math.sqrt(0.0125)
    )


def test_the_interval_holds_the_true_ratio_as_often_as_it_says() -> None:
    random = np.random.default_rng(0)
    before, after = random.normal(1, 0.05, (2000, 4)), random.normal(1.1, 0.1, (2000, 7))
    differences = [fork_difference(*pair) for pair in zip(before, after, strict=True)]
    hits = [(each.low or 9) <= 1.1 <= (each.high or 0) for each in differences]

    assert 0.94 <= np.mean(hits) <= 0.97


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([1.0], [2.0, 3.0], (2.5, None, None, 1.0, None)),
        ([4.0, 4.0], [3.0, 3.0], (0.75, 0.75, 0.75, -1.0, 0.0)),
        ([4.0, 4.0], [4.0, 4.0], (1.0, 1.0, 1.0, 0.0, 1.0)),
        ([0.1] * 3, [0.1] * 4, (1.0, 1.0, 1.0, 0.0, 1.0)),  # means differ in the last digit
    ],
)
def test_one_fork_says_nothing_and_equal_forks_everything(
    before: list[float], after: list[float], expected: tuple[float | None, ...]
) -> None:
    difference = fork_difference(np.array(before), np.array(after))
    figures = (difference.ratio, difference.low, difference.high, difference.delta, difference.p)

    assert figures == pytest.approx(expected)
