"""Agreement of several people beyond chance: Fleiss' kappa, Gwet's AC1, Krippendorff's alpha.

Different numbers of answers a series are allowed everywhere: a series with one answer tells how
common an answer is, but nothing of agreement. With equal numbers kappa is that of Fleiss (1971);
the general forms are those of Gwet (2014), Handbook of Inter-Rater Reliability, chapter 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.statistics.answers import Floats, Indices


@dataclass(frozen=True, slots=True)
class ChanceCorrectedAgreement:
    """Agreement on classes, such as steady and never.

    n         series with at least two answers
    observed  chance that two answers to the same series agree; None without such a series
    kappa     Fleiss: 1 is all, 0 what answers drawn blindly from the common pot would have;
              None where that chance is 1
    ac1       Gwet: chance counts only answers that are hard to give, so it stays high when one
              class is rare; None without a series
    """

    n: int
    observed: float | None
    kappa: float | None
    ac1: float | None


@dataclass(frozen=True, slots=True)
class KrippendorffAlpha:
    """Krippendorff's alpha for numbers: 1 is all, 0 is no more than between different series.

    n       series with at least two values
    values  values of these
    alpha   None where all values are equal, or without a series
    """

    n: int
    values: int
    alpha: float | None


def beyond_chance(counts: Indices) -> ChanceCorrectedAgreement:
    """`counts`: int64 (series, classes), how many people gave each answer to each series."""
    answer_counts = counts[counts.sum(axis=1) > 0]
    answers_per_series = answer_counts.sum(axis=1)
    is_paired = answers_per_series > 1
    n, class_count = int(is_paired.sum()), counts.shape[1]
    if not n:
        return ChanceCorrectedAgreement(0, None, None, None)
    votes, voters = answer_counts[is_paired], answers_per_series[is_paired]
    observed_agreement = float(((votes * (votes - 1)).sum(axis=1) / (voters * (voters - 1))).mean())
    common_shares = (answer_counts / answers_per_series[:, None]).mean(axis=0)
    expected_kappa = float((common_shares**2).sum())
    expected_ac1 = float((common_shares * (1 - common_shares)).sum() / (class_count - 1))
    kappa = None if np.isclose(expected_kappa, 1) else _excess(observed_agreement, expected_kappa)
    return ChanceCorrectedAgreement(
        n, observed_agreement, kappa, _excess(observed_agreement, expected_ac1)
    )


def _excess(observed_agreement: float, expected_agreement: float) -> float:
    return (observed_agreement - expected_agreement) / (1 - expected_agreement)


def interval_alpha(values: Floats) -> KrippendorffAlpha:
    """Alpha with squared differences; `values`: float64 (people, series), NaN for no value.

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section E.
    """
    has_value = ~np.isnan(values)
    is_paired = has_value.sum(axis=0) > 1
    n, value_count = int(is_paired.sum()), int(has_value[:, is_paired].sum())
    if not n:
        return KrippendorffAlpha(0, 0, None)
    paired_values = values[:, is_paired]
    m = has_value[:, is_paired].sum(axis=0)
    # The sum of squared differences over all ordered pairs is 2 m times that from the mean.
    within_squares = np.nansum((paired_values - np.nanmean(paired_values, axis=0)) ** 2, axis=0)
    between_squares = float(np.nansum((paired_values - np.nanmean(paired_values)) ** 2))
    if between_squares == 0:
        return KrippendorffAlpha(n, value_count, None)
    observed_disagreement = float((2 * m * within_squares / (m - 1)).sum()) / value_count
    expected_disagreement = 2 * between_squares / (value_count - 1)
    return KrippendorffAlpha(n, value_count, 1 - observed_disagreement / expected_disagreement)
