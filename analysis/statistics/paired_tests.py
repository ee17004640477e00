"""Tests of two methods on the same series, each by SciPy or statsmodels.

A module of its own because SciPy's statistics take seconds to load: import it where a test is
asked for. Every test is two-sided. Where values leave a test undefined its figures are None.
"""

from __future__ import annotations

import warnings
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy import stats

from analysis.statistics.answers import Bools, Floats
from analysis.statistics.signed_ranks import signed_rank

SKEWED: Final = 0.5
"""Least absolute skewness of a distribution that is not called symmetric (Bulmer 1979)."""

MOST_FOR_SHAPIRO: Final = 5000
"""SciPy's p of the Shapiro-Wilk test is only good up to here."""


class SignificanceTest(NamedTuple):
    """A test statistic and its p-value, both None where there is nothing to test."""

    statistic: float | None
    p: float | None


NOTHING: Final = SignificanceTest(None, None)


class SignTest(NamedTuple):
    """Counts of differences above and below zero; zeros are dropped.

    statistic  share of positive ones among the others than zero
    """

    positive: int
    negative: int
    ties: int
    statistic: float | None
    p: float | None


class Wilcoxon(NamedTuple):
    """Wilcoxon's signed-rank test; zeros are dropped.

    statistic      the lesser of the sums of positive and of negative ranks
    rank_biserial  matched pairs (Kerby 2014), -1 to 1, positive where differences mostly are
    """

    statistic: float | None
    p: float | None
    rank_biserial: float | None


class SymmetryTest(NamedTuple):
    """Symmetry of differences, which Wilcoxon's test of their median presumes.

    skewness    biased, dividing by the count, as published
    shapiro, p  Shapiro-Wilk test of the normal distribution
    symmetric   |skewness| < 0.5; None where it is not defined
    """

    n: int
    skewness: float | None
    shapiro: float | None
    p: float | None
    symmetric: bool | None


class McNemar(NamedTuple):
    """Test of which of two methods alone is right more often on the same series.

    statistic, p  chi-square with continuity correction, one degree of freedom
    p_exact       binomial: right whatever the counts
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    statistic: float | None
    p: float | None
    p_exact: float | None


class CochransQ(NamedTuple):
    """Test of several methods being right equally often on the same series."""

    statistic: float | None
    degrees: int
    p: float | None


# --- one sample of differences ----------------------------------------------------------------
def sign_test(differences: Floats) -> SignTest:
    """The binomial test of as many positive as negative `differences`, float64 (n,)."""
    positive_count, negative_count = int((differences > 0).sum()), int((differences < 0).sum())
    tie_count, unequal_count = (
        differences.size - positive_count - negative_count,
        positive_count + negative_count,
    )
    if not unequal_count:
        return SignTest(0, 0, tie_count, None, None)
    p = float(stats.binomtest(positive_count, unequal_count).pvalue)
    return SignTest(positive_count, negative_count, tie_count, positive_count / unequal_count, p)


def wilcoxon(differences: Floats) -> Wilcoxon:
    """Wilcoxon's signed-rank test of `differences`, float64 (n,)."""
    signed_ranks = signed_rank(differences)
    if signed_ranks.rank_biserial is None:
        return Wilcoxon(None, None, None)
    unequal_count = int(np.count_nonzero(differences))
    # The effect is (positive - negative) / all, and sums of ranks are whole or end in a half.
    smaller_rank_sum = (
        round(unequal_count * (unequal_count + 1) / 2 * (1 - abs(signed_ranks.rank_biserial))) / 2
    )
    return Wilcoxon(smaller_rank_sum, signed_ranks.p, signed_ranks.rank_biserial)


def symmetry(differences: Floats) -> SymmetryTest:
    """Skewness and Shapiro-Wilk of `differences`, float64 (n,), zeros among them."""
    n = differences.size
    if n < 3 or np.ptp(differences) == 0:
        return SymmetryTest(n, None, None, None, None)
    skewness = float(stats.skew(differences))
    # Its p is an extrapolation beyond; the statistic is not.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        shapiro = stats.shapiro(differences)
    p = float(shapiro.pvalue) if n <= MOST_FOR_SHAPIRO else None
    return SymmetryTest(n, skewness, float(shapiro.statistic), p, abs(skewness) < SKEWED)


# --- two samples ------------------------------------------------------------------------------
# Paired errors are no independent samples, which these tests presume: where errors of two methods
# rise and fall together, they find too little rather than too much.
def cramer_von_mises(first: Floats, second: Floats) -> SignificanceTest:
    """Cramér-von Mises, two-sample: the area between two distributions."""
    if min(first.size, second.size) < 2:
        return NOTHING
    scipy_test = stats.cramervonmises_2samp(first, second)
    return _test_result(scipy_test.statistic, scipy_test.pvalue)


def kolmogorov_smirnov(first: Floats, second: Floats) -> SignificanceTest:
    """Kolmogorov-Smirnov, two-sample: the widest gap between two distributions."""
    if not min(first.size, second.size):
        return NOTHING
    scipy_test = stats.ks_2samp(first, second)
    return _test_result(scipy_test.statistic, scipy_test.pvalue)


def anderson_darling(first: Floats, second: Floats) -> SignificanceTest:
    """Anderson-Darling, k-sample with midranks: distributions, their tails above all.

    SciPy's p lies between 0.001 and 0.25: it has no table beyond.
    """
    if min(first.size, second.size) < 2 or np.ptp(np.r_[first, second]) == 0:
        return NOTHING
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # p at an end of SciPy's table
        scipy_test = stats.anderson_ksamp([first, second], variant="midrank")
    return _test_result(scipy_test.statistic, scipy_test.pvalue)


def levene(
    first: Floats, second: Floats, *, centre: Literal["median", "mean"] = "median"
) -> SignificanceTest:
    """Levene's test of equal spread; around the medians it is that of Brown and Forsythe."""
    if min(first.size, second.size) < 2:
        return NOTHING
    with np.errstate(divide="ignore", invalid="ignore"):
        scipy_test = stats.levene(first, second, center=centre)
    return _test_result(scipy_test.statistic, scipy_test.pvalue)


def _test_result(statistic: float, p: float) -> SignificanceTest:
    """Convert to Python's numbers; no test where SciPy divides by nothing."""
    if not np.isfinite(statistic) or not np.isfinite(p):
        return NOTHING
    return SignificanceTest(float(statistic), float(p))


# --- right and wrong --------------------------------------------------------------------------
def mcnemar(first: Bools, second: Bools) -> McNemar:
    """McNemar's test of two methods that are right (true) or wrong on the same series."""
    # statsmodels brings pandas: seconds that only those pay who ask.
    from statsmodels.stats.contingency_tables import mcnemar as test  # noqa: PLC0415

    both_count, neither_count = int((first & second).sum()), int((~first & ~second).sum())
    first_count, second_count = int((first & ~second).sum()), int((second & ~first).sum())
    if not first_count + second_count:
        return McNemar(both_count, 0, 0, neither_count, None, None, None)
    table = [[both_count, first_count], [second_count, neither_count]]
    corrected_test, exact_test = test(table, exact=False, correction=True), test(table, exact=True)
    return McNemar(
        both_count,
        first_count,
        second_count,
        neither_count,
        float(corrected_test.statistic),
        float(corrected_test.pvalue),
        float(exact_test.pvalue),
    )


def cochrans_q(is_right: Bools) -> CochransQ:
    """Cochran's Q; `is_right` is bool (methods, series)."""
    from statsmodels.stats.contingency_tables import cochrans_q as test  # noqa: PLC0415

    k = is_right.shape[0]
    if k < 2 or np.all(is_right == is_right[0]):
        return CochransQ(None, k - 1, None)
    statsmodels_test = test(is_right.T.astype(np.int64))
    return CochransQ(float(statsmodels_test.statistic), k - 1, float(statsmodels_test.pvalue))
