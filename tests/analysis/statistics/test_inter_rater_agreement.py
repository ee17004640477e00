"""Kappa, AC1 and alpha against the examples of the literature."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from analysis.statistics.inter_rater_agreement import (
    ChanceCorrectedAgreement,
    KrippendorffAlpha,
    beyond_chance,
    interval_alpha,
)

# Krippendorff (2011), section C: four observers, twelve units, 0 for no value.
OBSERVERS = """
1 2 3 3 2 1 4 1 2 0 0 0
1 2 3 3 2 2 4 1 2 5 0 3
0 3 3 3 2 3 4 2 2 5 1 0
1 2 3 3 2 4 4 1 2 5 1 0
"""
# Fleiss (1971), as ten subjects that fourteen raters put in five classes.
FLEISS = """
0 0 0 0 14   0 2 6 4 2   0 0 3 5 6   0 3 9 2 0   2 2 8 1 1
7 7 0 0 0    3 2 6 3 0   2 5 3 2 2   6 5 2 1 0   0 2 2 3 7
"""


def units() -> np.ndarray:
    rows = [line.split() for line in OBSERVERS.split("\n") if line]
    values = np.array(rows, dtype=np.float64)
    return np.where(values == 0, np.nan, values)


def test_alpha_of_the_worked_example() -> None:
    agreement = interval_alpha(units())

    assert (agreement.n, agreement.values) == (11, 40)
    assert agreement.alpha == pytest.approx(0.849, abs=0.0005)


def test_kappa_of_the_worked_example() -> None:
    table = np.array(FLEISS.split(), dtype=np.int64).reshape(10, 5)

    agreement = beyond_chance(table)

    assert agreement.n == 10
    assert agreement.observed == pytest.approx(0.378, abs=0.0005)
    assert agreement.kappa == pytest.approx(0.210, abs=0.0005)


def test_kappa_and_ac1_with_missing_answers() -> None:
    """The same four observers, as Gwet's own program (irrCAC) answers for its example."""
    counts = np.stack([(units() == k).sum(axis=0) for k in range(1, 6)], axis=1)

    agreement = beyond_chance(counts)

    assert agreement.observed == pytest.approx(0.81818, abs=1e-5)
    assert agreement.kappa == pytest.approx(0.76117, abs=1e-5)
    assert agreement.ac1 == pytest.approx(0.77544, abs=1e-5)


def test_a_rare_class_lowers_kappa_and_leaves_ac1() -> None:
    """The paradox: 95 of 100 agree, and kappa says no more than chance."""
    counts = np.array([[2, 0]] * 95 + [[1, 1]] * 5)

    agreement = beyond_chance(counts)

    assert agreement.observed == pytest.approx(0.95)
    assert agreement.kappa == pytest.approx(-0.0256, abs=1e-4)
    assert agreement.ac1 == pytest.approx(0.9475, abs=1e-4)


def test_nothing_to_compare_has_no_figure() -> None:
    counts = np.array([[1, 0], [0, 1], [0, 0]])

    assert beyond_chance(counts) == ChanceCorrectedAgreement(0, None, None, None)
    assert interval_alpha(np.array([[3.0, np.nan], [np.nan, 4.0]])) == KrippendorffAlpha(0, 0, None)
    assert interval_alpha(np.full((3, 4), 7.0)) == KrippendorffAlpha(4, 12, None)
    assert beyond_chance(np.array([[3, 0], [4, 0]])) == ChanceCorrectedAgreement(2, 1.0, None, 1.0)


@settings(max_examples=50)
@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 50)), min_size=3, max_size=3),
        min_size=1,
        max_size=8,
    )
)
def test_alpha_is_its_definition_over_pairs(rows: list[list[int | None]]) -> None:
    values = [[value for value in row if value is not None] for row in rows]
    paired_rows = [row for row in values if len(row) > 1]
    pool = [value for row in paired_rows for value in row]

    agreement = interval_alpha(
        np.array([[np.nan if value is None else value for value in row] for row in rows]).T
    )

    squared_sum = sum((a - b) ** 2 for a in pool for b in pool)
    if not squared_sum:
        assert agreement.alpha is None
        return
    observed_disagreement = sum(
        sum((a - b) ** 2 for a in row for b in row) / (len(row) - 1) for row in paired_rows
    )
    expected = squared_sum / (len(pool) - 1)
    assert agreement.alpha == pytest.approx(1 - observed_disagreement / expected, abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(2, 30))
@settings(max_examples=40, deadline=None)
def test_alpha_is_that_of_the_package_krippendorff(
    seed: int, person_count: int, series_count: int
) -> None:
    generator = np.random.default_rng(seed)
    values = generator.integers(0, 9, (person_count, series_count)).astype(float)
    values[generator.random((person_count, series_count)) < 0.2] = np.nan
    agreement = interval_alpha(values)
    paired_values = values[:, (~np.isnan(values)).sum(axis=0) > 1]

    if agreement.alpha is None:
        assert np.unique(paired_values[~np.isnan(paired_values)]).size < 2
        return
    expected_alpha = krippendorff.alpha(paired_values, level_of_measurement="interval")
    assert agreement.alpha == pytest.approx(expected_alpha, abs=1e-9)
