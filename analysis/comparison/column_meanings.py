"""Meanings of the columns of a comparison's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from analysis.comparison.columns import LEADERBOARD
from formats.tables import NAMING

MEANINGS: Final[Mapping[str, str]] = {
    **NAMING,
    **LEADERBOARD,
    "series_digest": "SHA-256 of the values of the series",
    "yardstick": "code of the yardstick; in series.csv its answer",
    "agreement": "how the marks behind the answer agree",
    "excluded": "why a decision takes the series out; empty: it counts",
    "truth": "answer of the yardstick, 0-based; -1 never",
    "answer": "answer of the method, 0-based; -1 never; empty: no answer",
    "error": "answer minus truth, in iterations; empty: not both are steady",
    "verdict": "what the answer is against the truth, such as exact, earlier or never",
    "rule": "name of the rule that leaves a series out",
    "sentence": "the result in words",
    "series": "number of series",
    "no_answer": "series that the method has no answer for",
    "never": "series that are called never steady",
    "alone": "series that no other method removes",
    "q05": "5 % quantile of the signed error, in iterations",
    "q25": "25 % quantile of the signed error, in iterations",
    "q50": "median of the signed error, in iterations",
    "q75": "75 % quantile of the signed error, in iterations",
    "q95": "95 % quantile of the signed error, in iterations",
    "absolute_error": "distance from the yardstick, in iterations",
    "share": "share of the series, from 0 to 1",
    "first": "first of the two methods",
    "second": "second of the two methods",
    "agree": "series on which both agree",
    "of": "series that both answer; of a test: what it is about",
    "median_difference": "median of the differences of the two",
    "low": "lower end of the interval",
    "high": "upper end of the interval",
    "rank_biserial": "effect size of the Wilcoxon test, from -1 to 1",
    "p": "p-value",
    "p_holm": "p-value, adjusted by Holm over all pairs",
    "differ": "whether the two differ at the chosen alpha",
    "p_nemenyi": "p-value of Nemenyi's test",
    "question": "what the test answers",
    "test": "name of the test",
    "default": "whether the page shows this test first",
    "statistic": "value of the test statistic",
    "p_adjusted": "p-value, adjusted by Benjamini and Hochberg within the pair",
    "p_adjusted_all": "the same over all pairs",
    "p_of_five": "the same over the five tests of the KB-KSSD publication",
    "a12": "Vargha and Delaney's A: chance that the first has the larger error",
    "skewness": "skewness of the paired differences",
    "shapiro": "statistic of the Shapiro-Wilk test of the paired differences",
    "shapiro_p": "its p-value",
    "symmetric": "whether the differences may be symmetric, as Wilcoxon's test needs",
    "figure": "the figure that is compared",
    "of_first": "figure of the first method",
    "of_second": "figure of the second method",
    "difference": "first minus second",
    "methods": "number of methods",
    "degrees": "degrees of freedom",
    "both_right": "series on which both are right",
    "first_right": "series on which only the first is right",
    "second_right": "series on which only the second is right",
    "both_wrong": "series on which both are wrong",
    "under": "series on which the method answers before the yardstick",
    "exact": "series on which it answers as the yardstick does",
    "over": "series on which it answers after the yardstick",
    "from": "where the bin begins, in iterations",
    "up_to": "where the bin ends, in iterations",
    "by": "property that makes the groups",
    "group": "name of the group",
    "spread": "iterations between the earliest and the latest answer",
    "differing": "methods that differ from the yardstick",
    "split": "share of methods that say never, as disagreement from 0 to 1",
    "change_by": "method that changes the result most",
    "change": "change of the mean by that method, as a share",
    "change_low": "lower end of the interval of that change",
    "change_high": "upper end of the interval of that change",
    "consequence": "what the change means for the result",
}
"""Meaning of a column by its name; a name means the same in every file."""


def meanings_by_name(names: Iterable[str]) -> dict[str, str]:
    """Meanings of these columns. Raises KeyError for a column without a meaning."""
    return {name: MEANINGS[name] for name in names}
