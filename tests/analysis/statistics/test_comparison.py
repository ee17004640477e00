"""Rows of the comparison, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.answers import Answers, Floats, errors
from analysis.statistics.breakdown import breakdown
from analysis.statistics.comparison import compare
from analysis.statistics.leaderboard_figures import FIGURES, kappa
from analysis.statistics.verdicts import SYMBOLS, VERDICTS, tolerance_for, verdict, verdicts

# Seven series: errors -20, +30, missed, false plateau, both never, no answer, no truth.
TRUTH = Answers.from_list([100, 100, 100, -1, -1, 100, None])
METHOD = Answers.from_list([80, 130, -1, 5, -1, None, 7])
OTHER = Answers.from_list([100, -1, 100, -1, -1, 100, 7])


def test_the_row_of_a_method_on_its_own_series() -> None:
    cluster_mask = np.array([True, False, True, False, False, True, False])

    figures = compare(
        {"method": METHOD}, TRUTH, tolerance=25, is_clustered=cluster_mask, common=False
    ).rows["method"]

    cells = dict(figures)
    assert tuple(cells) == tuple(FIGURES)
    expected_cells = {
        "n_yes_no": 5, "tp": 2, "fp": 1, "fn": 1, "tn": 1, "agreements": 3,
        "agreement": 0.6, "balanced_accuracy": pytest.approx(7 / 12), "kappa": pytest.approx(1 / 6),
        "n": 2, "manhattan": 50, "n_clustered": 1, "manhattan_clustered": 20,
        "n_scattered": 1, "manhattan_scattered": 30,
        "mean_error": 5.0, "sd_error": 25.0, "median_error": 5.0,
        "mean_abs": 25.0, "sd_abs": 5.0, "median_abs": 25.0,
        "within_15": 0.0, "within_50": 1.0, "within_100": 1.0, "within_250": 1.0,
        "within_500": 1.0, "within_tolerance": 0.5,
        "agrees": 1, "early": 0, "late": 1, "missed": 1, "false_plateau": 1, "both_never": 1,
        "agrees_share": 1 / 3, "early_share": 0.0, "late_share": 1 / 3, "missed_share": 1 / 3,
        "false_plateau_share": 0.5, "both_never_share": 0.5,
        "n_seconds": 0, "mean_seconds": None, "mean_abs_seconds": None,
        "median_abs_seconds": None,
    }  # fmt: skip
    interval = {name: cells.pop(name) for name in ("median_abs_low", "median_abs_high")}
    assert cells == expected_cells
    assert interval == {"median_abs_low": 20.0, "median_abs_high": 30.0}


def test_the_common_set_is_what_every_deciding_method_finds_steady() -> None:
    comparison = compare({"method": METHOD, "other": OTHER}, TRUTH, tolerance=25)

    assert [figures["n"] for figures in comparison.rows.values()] == [1, 1]
    assert [figures["n_yes_no"] for figures in comparison.rows.values()] == [5, 5]
    assert comparison.left_out == {
        "no-truth": (6,),
        "truth-never": (3, 4),
        "no-answer": (5,),
        "says-never": (1, 2),
    }
    assert [(cost.no_answer, cost.never, cost.alone) for cost in comparison.costs] == [
        (1, 1, 2),
        (0, 1, 1),
    ]


def test_who_makes_the_common_series_few_is_named_one_after_the_other() -> None:
    truth = Answers.from_list([100] * 8 + [-1])
    methods = {
        "all": Answers.from_list([90] * 9),
        "half": Answers.from_list([90] * 4 + [-1] * 5),
        "none": Answers.from_list([-1] * 3 + [None] * 6),
        "few": Answers.from_list([-1, 90, 90, 90] + [-1] * 5),
    }

    comparison = compare(methods, truth, tolerance=25)

    assert comparison.n_distances == 0
    # Without "none" three are common; without "few", too, four: half of the eight steady ones.
    assert comparison.narrowing == (("none", 3), ("few", 4))
    del methods["none"], methods["few"]
    assert compare(methods, truth, tolerance=25).narrowing == ()
    assert compare(methods, truth, tolerance=25, common=False).narrowing == ()


def test_each_on_its_own_series_when_the_common_set_is_off() -> None:
    comparison = compare({"method": METHOD, "other": OTHER}, TRUTH, tolerance=25, common=False)

    assert [figures["n"] for figures in comparison.rows.values()] == [2, 3]
    assert comparison.costs == ()
    assert [len(series) for series in comparison.left_out.values()] == [1, 2, 0, 0]


def test_a_method_that_does_not_decide_is_measured_on_what_it_answered() -> None:
    comparison = compare(
        {"method": METHOD, "other": OTHER}, TRUTH, tolerance=25, excluding=["other"]
    )

    assert comparison.n_distances == 3
    assert [figures["n"] for figures in comparison.rows.values()] == [1, 3]


def test_the_constant_is_measured_on_the_series_of_the_distances() -> None:
    truth = Answers.from_list([10, 20, 90, -1])

    comparison = compare({"always": Answers.constant(4, 0)}, truth, tolerance=0)

    assert comparison.constant_row is not None
    assert comparison.constant_row["manhattan"] == 80
    assert comparison.constant_row["agrees"] == 1
    assert comparison.rows["always"]["manhattan"] == 120


def test_without_a_common_series_every_distance_is_undefined() -> None:
    comparison = compare({"method": Answers.from_list([-1])}, Answers.from_list([3]), tolerance=1)

    cells = comparison.rows["method"]
    assert (cells["n"], cells["manhattan"], cells["mean_abs"], cells["within_15"]) == (
        0, 0, None, None,
    )  # fmt: skip
    assert (cells["median_abs_low"], comparison.constant, comparison.constant_row) == (None,) * 3


def test_signed_errors_in_seconds_are_averaged_over_the_same_series() -> None:
    seconds = {"method": np.array([-2.0, 3.0, 9.0, np.nan, np.nan, np.nan, np.nan])}

    figures = compare({"method": METHOD}, TRUTH, tolerance=25, common=False, seconds=seconds).rows[
        "method"
    ]

    assert figures["n_seconds"] == 2
    assert (figures["mean_seconds"], figures["mean_abs_seconds"]) == (0.5, 2.5)
    assert figures["median_abs_seconds"] == 2.5


def test_tolerance_may_differ_by_series() -> None:
    truth = Answers.from_list([100, 100])

    figures = compare({"m": Answers.from_list([110, 110])}, truth, tolerance=[10, 9]).rows["m"]

    assert figures.items() >= {"agrees": 1, "late": 1, "within_tolerance": 0.5}.items()


def test_published_indices_of_minus_one_are_no_never_when_the_answer_is_steady() -> None:
    predicted_answers = Answers.from_list([-1, -1], steady_mask=[True, False])

    assert errors(predicted_answers, Answers.from_list([4, 4])).tolist()[0] == -5.0
    assert (predicted_answers.value(0), predicted_answers.value(1)) == (-1, -1)
    assert predicted_answers.never.tolist() == [False, True]


def test_people_are_asked_about_other_series_in_vain() -> None:
    with pytest.raises(ValueError, match=r"found lengths \[1, 2\], expected one length"):
        compare({"m": Answers.from_list([1])}, Answers.from_list([1, 2]), tolerance=0)


def test_only_methods_of_the_comparison_may_exclude() -> None:
    with pytest.raises(ValueError, match="excluding: found x, expected methods"):
        compare({"m": Answers.from_list([1])}, Answers.from_list([1]), tolerance=0, excluding=["x"])


@pytest.mark.parametrize(
    ("answer", "truth", "word"),
    [
        (322, 322, "agrees"),
        (472, 322, "agrees"),
        (473, 322, "late"),
        (172, 322, "agrees"),
        (171, 322, "early"),
        (0, 0, "agrees"),
        (-1, 0, "missed"),
        (0, -1, "false plateau"),
        (-1, -1, "both never"),
        (None, 3, None),
        (3, None, None),
        (None, -1, None),
    ],
)
def test_the_verdict_is_a_word(answer: int | None, truth: int | None, word: str | None) -> None:
    assert verdict(answer, truth, 150) == word


def test_every_verdict_has_a_symbol_and_falls_somewhere() -> None:
    verdict_words = verdicts(METHOD, TRUTH, 25)

    assert verdict_words == ("agrees", "late", "missed", "false plateau", "both never", None, None)
    assert set(SYMBOLS) == set(VERDICTS)


def test_the_tolerance_is_five_percent_of_the_length_rounded_down() -> None:
    assert tolerance_for([3000, 2999, 10, 20]).tolist() == [150, 149, 0, 1]


def test_kappa_of_a_table_worked_by_hand() -> None:
    # 20 and 15 of 50 agree (0.7); chance 25/50 · 30/50 + 25/50 · 20/50 = 0.5.
    assert kappa(20, 10, 5, 15) == pytest.approx(0.4)
    assert kappa(7, 0, 0, 0) is None
    assert kappa(0, 0, 0, 0) is None


def test_groups_add_up_to_the_whole() -> None:
    methods = {"method": METHOD}
    comparison = compare(methods, TRUTH, tolerance=25, common=False)

    groups = breakdown(list("bbababa"), methods, comparison.scope)

    assert [(group.name, group.n, group.few) for group in groups] == [
        ("a", 1, True),
        ("b", 3, True),
    ]
    assert sum(group.rows["method"].total("manhattan") for group in groups) == 50
    assert [group.rows["method"]["n_yes_no"] for group in groups] == [2, 3]


def test_every_series_needs_a_group() -> None:
    scope = compare({"m": METHOD}, TRUTH, tolerance=25).scope

    with pytest.raises(ValueError, match="groups: found 1, expected 7"):
        breakdown(["a"], {"m": METHOD}, scope)


def test_answers_of_different_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected three times the same"):
        Answers(np.zeros(2), np.zeros(1, bool), np.zeros(2, bool))
    with pytest.raises(ValueError, match="steady where nothing is given"):
        Answers(np.zeros(1), np.ones(1, bool), np.zeros(1, bool))


def test_errors_without_a_known_time_are_left_out_of_the_seconds() -> None:
    truth, method = Answers.constant(3, 10), Answers.constant(3, 12)

    figures = compare(
        {"m": method}, truth, tolerance=0, seconds={"m": np.array([1.0, np.nan, -3.0])}
    ).rows["m"]

    assert (figures["n"], figures["n_seconds"]) == (3, 2)
    assert (figures["mean_seconds"], figures["median_abs_seconds"]) == (-1.0, 2.0)


def test_seconds_are_read_only_where_a_figure_needs_them() -> None:
    reads: list[str] = []

    def seconds() -> Floats:
        reads.append("read")
        return np.ones(METHOD.n)

    figures = compare(
        {"m": METHOD}, TRUTH, tolerance=25, common=False, seconds={"m": seconds}
    ).rows["m"]

    assert figures["median_abs"] is not None
    assert reads == []
    assert figures["median_abs_seconds"] == 1.0


def test_answers_are_found_by_key_in_any_order() -> None:
    aligned_answers = Answers.of_keys(
        [7, 3, 5, 9], np.array([5, 3, 4, 7]), np.array([-1.0, 2.0, 8.0, np.nan])
    )

    assert [aligned_answers.value(position) for position in range(4)] == [None, 2, -1, None]
    assert Answers.of_keys([], np.array([5]), np.array([1.0])).n == 0
