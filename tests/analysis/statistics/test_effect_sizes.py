"""Errors of a method against those of a baseline, by hand and at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.effect_sizes import magnitude, paired_errors

NAN = np.nan


def test_by_hand() -> None:
    """d = 1, 1, -2, 2, 4, 0: ranks 1.5, 1.5, 3.5, 3.5, 5; what is unknown of either is left out."""
    method = np.array([1.0, -2, 3, 4, 5, 6, NAN, 1])
    baseline = np.array([2.0, 3, 1, -6, 9, 6, 1, NAN])

    effect = paired_errors(method, baseline)

    assert effect is not None
    assert (effect.pairs, effect.statistic, effect.p) == (6, 3.5, 0.375)
    assert (effect.a12, effect.r) == (0.75, pytest.approx(8 / 15))
    # 2 is above 1; 3 above 1 and 2, and ties; 1 ties; 6 above five, and ties (twice); 9 above all.
    assert effect.a12_all == pytest.approx((1.5 + 2.5 + 0.5 + 5.5 + 5.5 + 6) / 36)


@pytest.mark.parametrize("sizes", [[1.0], [1.0, 2.0]])
def test_no_difference(sizes: list[float]) -> None:
    effect = paired_errors(np.array(sizes), np.array(sizes))

    assert effect is not None
    assert (effect.statistic, effect.p, effect.a12, effect.r) == (0.0, 1.0, 0.5, None)
    assert effect.magnitude == "negligible"


def test_no_pair() -> None:
    assert paired_errors(np.array([NAN, 1.0]), np.array([1.0, NAN])) is None
    assert paired_errors(np.array([]), np.array([])) is None


@pytest.mark.parametrize(
    ("a12", "word"),
    [
        *((0.5, "negligible"), (0.559, "negligible"), (0.56, "small"), (0.64, "medium")),
        *((0.71, "large"), (1.0, "large"), (0.441, "negligible"), (0.44, "small")),
        *((0.34, "medium"), (0.35, "small"), (0.29, "large"), (0.0, "large")),
    ],
)
def test_words_of_an_effect_are_the_published_ones(a12: float, word: str) -> None:
    assert magnitude(a12) == word
