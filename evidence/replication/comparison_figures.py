"""Every figure of the published comparison of KB-KSSD, from answers, ground truth and labels.

Errors are truth - published index, as published; deviations divide by the count. A figure whose
series or methods are not there is left out. Names of figures are those of
`evidence.replication.published_figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from analysis.statistics.answers import Answers, Bools, Floats, errors
from analysis.statistics.comparison import compare
from analysis.statistics.leaderboard_figures import RowFigures
from analysis.statistics.multiple_comparisons import benjamini_hochberg

Found = Iterator[tuple[str, float]]

SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "pair": ("cp_ssd", "kb_kssd"),
    "five": ("cp_ssd", "kb_kssd", "sdm", "t_test", "r_test"),
}
"""A set holds the series on which all of these say steady."""

WITHIN: Final = (15, 50, 100, 250, 500)
FIGURES: Final = {
    "n": "n",
    "manhattan": "manhattan",
    "clustered": "manhattan_clustered",
    "scattered": "manhattan_scattered",
    "mean": "mean_error",
    "sd": "sd_error",
    "median": "median_error",
    "mean_abs": "mean_abs",
    "sd_abs": "sd_abs",
    "median_abs": "median_abs",
    **{f"within_{most}": f"within_{most}" for most in WITHIN},
}
SIGNED: Final = {"mean", "median"}
TOLERANCE: Final = 150
CONSTANTS: Final = (0, 100, 200, 300)
BEST: Final = "cp_ssd"
"""Of the most agreements: McNemar's test holds the others against it."""


def comparison_figures_by_name(
    answers: Mapping[str, Answers], truth: Answers, is_clustered: Bools, labels: Answers
) -> dict[str, float]:
    """All that can be computed, by name. `answers` are published indices."""
    figure_by_name: dict[str, float] = {}
    for name, methods in SETS.items():
        if set(methods) <= answers.keys():
            figure_by_name |= _set_figures(name, methods, answers, truth, is_clustered)
    if set(SETS["pair"]) <= answers.keys():
        figure_by_name |= _tests(*_signed_errors("pair", answers, truth))
    figure_by_name |= _yes_no(answers, labels)
    figure_by_name |= _missed_counts(answers, labels, truth, is_clustered)
    return figure_by_name


# --- distances ------------------------------------------------------------------------------------


def _set_figures(
    name: str,
    methods: Sequence[str],
    answers: Mapping[str, Answers],
    truth: Answers,
    is_clustered: Bools,
) -> dict[str, float]:
    rows = _rows(methods, answers, truth)
    if not rows.any():
        return {}
    n = int(rows.sum())
    figure_by_name: dict[str, float] = {
        f"{name}.n": n,
        f"{name}.n_clustered": is_clustered[rows].sum(),
    }
    comparison = compare(
        answers, truth, tolerance=TOLERANCE, is_clustered=is_clustered, excluding=methods
    )
    for method, figures in comparison.rows.items():
        if figures.total("n") == n:
            row_figures = figures_by_published_name(figures)
            row_figures |= {
                "low": row_figures["mean"] - 2 * row_figures["sd"],
                "high": row_figures["mean"] + 2 * row_figures["sd"],
            }
            figure_by_name |= {
                f"{name}.{method}.{key}": value for key, value in row_figures.items()
            }
    for constant_start in CONSTANTS:
        figure_by_name[f"{name}.always_{constant_start}"] = float(
            np.abs(truth.index[rows] - constant_start).sum()
        )
    return figure_by_name | dict(_relations(name, figure_by_name))


def figures_by_published_name(figures: RowFigures) -> dict[str, Any]:
    """Figures of one method by their published names, with errors as truth - published index."""
    figure_by_published_name: dict[str, Any] = {
        name: figures[column] for name, column in FIGURES.items()
    }
    return {
        name: -value if name in SIGNED and value is not None else value
        for name, value in figure_by_published_name.items()
    }


def _rows(methods: Sequence[str], answers: Mapping[str, Answers], truth: Answers) -> Bools:
    """The series of a set: the yardstick and every method say steady."""
    is_steady: Bools = np.all(
        [truth.steady, *(answers[method].steady for method in methods)], axis=0
    )
    return is_steady


def _relations(name: str, figure_by_name: Mapping[str, float]) -> Found:
    """KB-KSSD beside CP-SSD, in percent."""

    def share(figure: str) -> float:
        return (
            figure_by_name[f"{name}.kb_kssd.{figure}"] / figure_by_name[f"{name}.cp_ssd.{figure}"]
        )

    for figure_name in ("manhattan", "clustered", "scattered", "sd_abs"):
        if figure_by_name[f"{name}.cp_ssd.{figure_name}"]:
            yield f"{name}.less.{figure_name}", 100 * (1 - share(figure_name))
    for figure_name in ("manhattan", "sd"):
        if figure_by_name[f"{name}.kb_kssd.{figure_name}"]:
            yield f"{name}.more.{figure_name}", 100 * (1 / share(figure_name) - 1)


# --- tests ----------------------------------------------------------------------------------------


def _signed_errors(
    name: str, answers: Mapping[str, Answers], truth: Answers
) -> tuple[Floats, Floats]:
    """Errors of CP-SSD and of KB-KSSD on a set."""
    rows = _rows(SETS[name], answers, truth)
    first, second_errors = (-errors(answers[method], truth)[rows] for method in SETS["pair"])
    return first, second_errors


def _tests(first: Floats, second: Floats) -> dict[str, float]:
    """The five tests of Table 1, of errors and of their sizes, and the shape of differences."""
    figure_by_name: dict[str, float] = {}
    for name, (o, k) in {
        "signed": (first, second),
        "absolute": (np.abs(first), np.abs(second)),
    }.items():
        figure_by_name |= {f"{name}.{key}": value for key, value in _test_figures(o, k)}
    return figure_by_name


def _test_figures(o: Floats, k: Floats) -> Found:
    # SciPy's statistics take seconds to load, and this is the only place that needs them.
    from analysis.statistics import paired_tests  # noqa: PLC0415

    sign = paired_tests.sign_test(o - k)
    shape = paired_tests.symmetry(o - k)
    tests_by_name = {
        "sign": paired_tests.SignificanceTest(sign.statistic, sign.p),
        "cvm": paired_tests.cramer_von_mises(o, k),
        "ks": paired_tests.kolmogorov_smirnov(o, k),
        "ad": paired_tests.anderson_darling(o, k),
        "levene": paired_tests.levene(o, k),
    }
    yield from _given_figures(("wilcoxon.p", paired_tests.wilcoxon(o - k).p))
    adjusted_ps = benjamini_hochberg([test.p for test in tests_by_name.values()])
    for (name, test), bh in zip(tests_by_name.items(), adjusted_ps, strict=True):
        yield from _given_figures((f"{name}.statistic", test.statistic), (f"{name}.p", test.p))
        yield from _given_figures((f"{name}.bh", bh))
    yield from (("positive", sign.positive), ("negative", sign.negative), ("ties", sign.ties))
    yield from _given_figures(("skewness", shape.skewness), ("shapiro", shape.shapiro))
    if o.size:
        yield from (("mean", float((o - k).mean())), ("median", float(np.median(o - k))))


def _given_figures(*figures: tuple[str, float | None]) -> Found:
    yield from ((name, value) for name, value in figures if value is not None)


# --- steady or never ------------------------------------------------------------------------------


def _yes_no(answers: Mapping[str, Answers], labels: Answers) -> dict[str, float]:
    figure_by_name: dict[str, float] = {}
    hits: dict[str, Bools] = {}
    for method, method_answers in answers.items():
        both_answered = method_answers.given & labels.given
        says_steady, is_steady = method_answers.steady[both_answered], labels.steady[both_answered]
        hits[method] = says_steady == is_steady
        counts = {
            "agreements": hits[method].sum(),
            "fp": (says_steady & ~is_steady).sum(),
            "fn": (~says_steady & is_steady).sum(),
        }
        figure_by_name |= {f"yes_no.{method}.{key}": float(value) for key, value in counts.items()}
    return figure_by_name | dict(_joint(answers, labels)) | dict(_cochran(hits))


def _joint(answers: Mapping[str, Answers], labels: Answers) -> Found:
    """Counts of series on which CP-SSD and KB-KSSD say the same, with the labels and against
    them.
    """
    if not set(SETS["pair"]) <= answers.keys():
        return
    first, other_answers = (answers[method] for method in SETS["pair"])
    all_answered = first.given & other_answers.given & labels.given
    decides_same = (first.steady == other_answers.steady) & all_answered
    label_matches = int((decides_same & (first.steady == labels.steady)).sum())
    label_misses = int(decides_same.sum()) - label_matches
    yield from (("joint.right", label_matches), ("joint.wrong", label_misses))
    if all_answered.any():
        yield "joint.right_percent", 100 * label_matches / int(all_answered.sum())
        yield "joint.wrong_percent", 100 * label_misses / int(all_answered.sum())


def _cochran(hits: Mapping[str, Bools]) -> Found:
    """Cochran's Q over the five, and McNemar of the best against each other, as the program."""
    names = SETS["five"]
    if not set(names) <= hits.keys() or len({hits[method].size for method in names}) > 1:
        return
    from analysis.statistics import paired_tests  # noqa: PLC0415

    q = paired_tests.cochrans_q(np.array([hits[method] for method in names]))
    yield from _given_figures(("cochran.statistic", q.statistic), ("cochran.p", q.p))
    other_methods = [method for method in names if method != BEST]
    tests = [paired_tests.mcnemar(hits[BEST], hits[method]) for method in other_methods]
    adjusted_ps = benjamini_hochberg([test.p for test in tests])
    for name, test, bh in zip(other_methods, tests, adjusted_ps, strict=True):
        yield from _given_figures(
            (f"mcnemar.{name}.statistic", test.statistic), (f"mcnemar.{name}.bh", bh)
        )
        yield f"mcnemar.{name}.discordant", test.only_first + test.only_second


def _missed_counts(
    answers: Mapping[str, Answers], labels: Answers, truth: Answers, is_clustered: Bools
) -> dict[str, float]:
    """Steady series that a method calls never, by what their marks are like."""
    figure_by_name: dict[str, float] = {}
    for method, method_answers in answers.items():
        is_missed = method_answers.never & labels.steady & truth.steady
        figure_by_name[f"missed.{method}.clustered"] = float((is_missed & is_clustered).sum())
        figure_by_name[f"missed.{method}.scattered"] = float((is_missed & ~is_clustered).sum())
    return figure_by_name
