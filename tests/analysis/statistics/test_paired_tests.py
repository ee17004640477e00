"""Tests of two methods against SciPy and statsmodels themselves, and cases worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.statistics.answers import Answers, errors
from analysis.statistics.effect_sizes import vargha_delaney
from analysis.statistics.multiple_comparisons import benjamini_hochberg
from analysis.statistics.paired_tests import (
    NOTHING,
    anderson_darling,
    cochrans_q,
    cramer_von_mises,
    kolmogorov_smirnov,
    levene,
    mcnemar,
    sign_test,
    symmetry,
    wilcoxon,
)
from tests.published_data import replication_folder


@pytest.fixture
def samples() -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(4)
    first = np.round(generator.normal(0, 100, 60))
    return first, np.round(first + generator.exponential(40, 60) - 20)


def test_signs_are_counted_and_zeros_dropped() -> None:
    sign_result = sign_test(np.array([3.0, 1.0, -2.0, 5.0, 0.0]))

    # Three of four: 2 · (4 + 1) / 16.
    assert sign_result == (3, 1, 1, 0.75, 0.625)


def test_no_difference_leaves_no_sign() -> None:
    assert sign_test(np.zeros(3)) == (0, 0, 3, None, None)
    assert wilcoxon(np.zeros(3)) == (None, None, None)


def test_wilcoxon_by_hand() -> None:
    # Ranks 1 2 3 4 5, of which 2 is negative; 3 of the 32 ways to give signs reach as far, twice.
    test_result = wilcoxon(np.array([1.0, -2.0, 3.0, 4.0, 5.0]))

    assert (test_result.statistic, test_result.p) == (2, 6 / 32)
    assert test_result.rank_biserial == pytest.approx((13 - 2) / 15)


def test_wilcoxon_is_that_of_scipy(samples: tuple[np.ndarray, np.ndarray]) -> None:
    difference = samples[0] - samples[1]

    test_result = wilcoxon(difference)
    scipy_test = stats.wilcoxon(difference, method="asymptotic", correction=False)

    assert (test_result.statistic, test_result.p) == pytest.approx(
        (scipy_test.statistic, scipy_test.pvalue)
    )


def test_two_sample_tests_are_those_of_scipy(samples: tuple[np.ndarray, np.ndarray]) -> None:
    first, second = samples

    test_results = [
        cramer_von_mises(first, second),
        kolmogorov_smirnov(first, second),
        levene(first, second),
        levene(first, second, centre="mean"),
    ]

    scipy_tests = [
        stats.cramervonmises_2samp(first, second),
        stats.ks_2samp(first, second),
        stats.levene(first, second, center="median"),
        stats.levene(first, second, center="mean"),
    ]
    assert test_results == [(scipy_test.statistic, scipy_test.pvalue) for scipy_test in scipy_tests]


def test_anderson_darling_stops_where_its_table_does() -> None:
    equal_values = np.arange(20.0)

    assert anderson_darling(equal_values, equal_values + 1000).p == 0.001
    assert anderson_darling(equal_values, equal_values).p == 0.25


def test_where_nothing_varies_there_is_nothing_to_test() -> None:
    flat_values, few_values = np.full(5, 3.0), np.array([3.0])

    assert levene(flat_values, flat_values) == NOTHING
    assert anderson_darling(flat_values, flat_values) == NOTHING
    assert [
        test(few_values, few_values) for test in (cramer_von_mises, anderson_darling, levene)
    ] == [NOTHING] * 3
    assert kolmogorov_smirnov(few_values, np.empty(0)) == NOTHING
    assert symmetry(flat_values) == (5, None, None, None, None)
    assert symmetry(np.array([1.0, 4.0])) == (2, None, None, None, None)
    assert symmetry(np.array([1.0, 2.0, 4.0])).shapiro is not None
    assert vargha_delaney(few_values, np.empty(0)) is None


def test_skewed_differences_are_not_symmetric() -> None:
    even, long = (np.array([-2.0, -1, 0, 1, 2]), np.array([0.0, 0, 1, 1, 20]))

    assert symmetry(even)[:2] == (5, 0)
    assert symmetry(even).symmetric
    assert symmetry(long).skewness == pytest.approx(float(stats.skew(long)))
    assert symmetry(long).symmetric is False
    assert (symmetry(long).shapiro, symmetry(long).p) == pytest.approx(tuple(stats.shapiro(long)))


def test_a12_counts_pairs_and_half_of_ties() -> None:
    # Of 6 pairs one is above (3 > 2) and one is equal (2 = 2).
    assert vargha_delaney(np.array([1.0, 2, 3]), np.array([2.0, 9])) == pytest.approx(1.5 / 6)


def test_mcnemar_by_hand() -> None:
    first = np.array([True] * 6 + [False] * 3)
    second = np.array([True] * 2 + [False] * 4 + [True] + [False] * 2)

    joint_counts = mcnemar(first, second)

    assert joint_counts[:4] == (2, 4, 1, 2)
    assert joint_counts.statistic == pytest.approx((4 - 1 - 1) ** 2 / 5)
    assert joint_counts.p == pytest.approx(float(stats.chi2.sf(4 / 5, 1)))
    assert joint_counts.p_exact == pytest.approx(2 * (1 + 5) / 32)
    assert mcnemar(first, first)[4:] == (None, None, None)


def test_cochrans_q_by_hand() -> None:
    # Columns are right 3, 1 and 1 times of 4; rows 3, 1, 1 and 0 of 3 methods.
    right_table = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0]], np.bool_)

    test_result = cochrans_q(right_table)

    # (k − 1)(k Σ C² − T²) / (k T − Σ R²) = 2 (3 · 11 − 25) / (15 − 11)
    assert (test_result.statistic, test_result.degrees) == (pytest.approx(4), 2)
    assert test_result.p == pytest.approx(np.exp(-2))
    assert cochrans_q(right_table[:1]).p is None


def test_benjamini_hochberg_is_that_of_statsmodels_and_skips_what_is_undefined() -> None:
    p_values = [0.00349859, 0.0367055, None, 0.0185111, 0.0112834, 0.0129060]

    adjusted_ps = benjamini_hochberg(p_values)

    library_ps = multipletests([p for p in p_values if p is not None], method="fdr_bh")[1]
    assert adjusted_ps[2] is None
    assert [p for p in adjusted_ps if p is not None] == pytest.approx(library_ps.tolist())
    # The five p-values of Beseda et al. 2025, table 1, adjusted in their own order.
    published_ps = [0.01749295, 0.03670551, None, 0.02313882, 0.02150996, 0.02150996]
    assert adjusted_ps == pytest.approx(published_ps, abs=5e-7)
    assert benjamini_hochberg([None]) == [None]


# --- the published answers --------------------------------------------------------------------
@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    records = json.loads((replication_folder() / "expected.json").read_text())
    labels = Answers.from_list(record["binary"]["published"] for record in records)
    methods = {
        name: Answers.from_list(record[name] for record in records)
        for name in ("cp_ssd", "kb_kssd")
    }
    truth = Answers.from_list(
        record["jagt_published"] if record["marks"] else -1 for record in records
    )
    steady_in_both = methods["cp_ssd"].steady & methods["kb_kssd"].steady & truth.steady
    totals = json.loads((replication_folder() / "expected_totals.json").read_text())
    return {
        "signed": {
            name: errors(answers, truth)[steady_in_both] for name, answers in methods.items()
        },
        "right": {name: answers.steady == labels.steady for name, answers in methods.items()},
        "yes_no": totals["yes_no"],
    }


def test_signs_do_not_depend_on_the_ground_truth(results: dict[str, Any]) -> None:
    signed_errors = results["signed"]

    sign_result = sign_test(signed_errors["kb_kssd"] - signed_errors["cp_ssd"])

    assert (
        sign_result.positive + sign_result.negative + sign_result.ties
        == signed_errors["cp_ssd"].size
    )


def test_joint_counts_add_up_to_the_published_agreements(results: dict[str, Any]) -> None:
    joint_counts = mcnemar(results["right"]["cp_ssd"], results["right"]["kb_kssd"])

    published_counts = results["yes_no"]
    assert joint_counts.both + joint_counts.only_first == published_counts["cp_ssd"]["agreements"]
    assert joint_counts.both + joint_counts.only_second == published_counts["kb_kssd"]["agreements"]
