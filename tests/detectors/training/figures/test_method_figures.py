"""The row of a method on a panel's series: by hand, the same for every method."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest

from detectors.contract import NEVER, Detection, Values
from detectors.methods.fixed import Fixed
from detectors.methods.plateau import Plateau
from detectors.training.figures.method_figures import (
    MethodAnswers,
    MethodFigures,
    ask_method,
    balanced_accuracy,
    figures_of,
    interval,
    method_name,
)
from detectors.training.figures.panel_figures import (
    PanelFigures,
    as_document,
    average_table,
    chosen_words,
    row_of_document,
)
from detectors.training.figures.validation import (
    CHANCES,
    ChosenChance,
    chosen_chance,
    constants,
    people,
)
from detectors.training.labels.panel_answers import MarkedSeries, PanelAnswers, ShownSeries

VALUES = np.ones(3000)


def panel(starts: tuple[int, ...] = (100, 200, 300), groups: str = "abb") -> PanelAnswers:
    """Marked series, and one shown for a label beside each: only the first is steady."""
    pairs = list(zip(groups, starts, strict=True))
    return PanelAnswers(
        [MarkedSeries(group, VALUES, start, start < 300) for group, start in pairs],
        [ShownSeries(group, VALUES, (), i == 0) for i, (group, _) in enumerate(pairs)],
    )


def answers(
    *starts: int | None, shown_starts: tuple[int | None, ...] = (0, NEVER, 0)
) -> MethodAnswers:
    marked_answers, shown_answers = (
        [None if start is None else Detection(start) for start in start_list]
        for start_list in (starts, shown_starts)
    )
    return MethodAnswers("some", False, marked_answers, shown_answers)


def row(*starts: int | None, constant: float = 250.0) -> MethodFigures:
    return figures_of(panel(), answers(*starts), np.full(3, constant))


def test_errors_are_distances_from_the_panels_answer() -> None:
    figures = row(90, 250, 600)

    assert (figures.series, figures.never, figures.mean, figures.median) == (3, 0, 120, 50)
    assert (figures.clustered, figures.scattered) == (30, 300)
    assert figures.within == (1 / 3, 2 / 3, 2 / 3, 2 / 3)


def test_a_never_is_given_the_constant_and_counted() -> None:
    figures = row(NEVER, 200, NEVER)

    assert (figures.never, figures.mean) == (2, (150 + 0 + 50) / 3)


def test_a_series_without_an_answer_is_left_out_and_seen_in_the_count() -> None:
    figures = row(None, 200, 310)

    assert (figures.series, figures.never, figures.mean) == (2, 0, 5)
    assert figures.waiting is None


def test_steady_or_never_is_asked_of_the_series_that_were_shown() -> None:
    assert row(NEVER, NEVER, NEVER).balanced == 0.75  # 1 of 1 steady, 1 of 2 never
    silent_figures = figures_of(panel(), answers(1, 2, 3, shown_starts=(0, None, 0)), np.zeros(3))
    assert (silent_figures.labelled, silent_figures.balanced) == (2, 0.5)


@pytest.mark.parametrize("shown_starts", [(), (0,), (0, 0)])
def test_without_both_labels_there_is_no_accuracy(shown_starts: tuple[int, ...]) -> None:
    panel_answers = PanelAnswers(
        panel().marked, [ShownSeries("a", VALUES, (), steady=True)] * len(shown_starts)
    )

    figures = figures_of(panel_answers, answers(1, 2, 3, shown_starts=shown_starts), np.zeros(3))

    assert (figures.labelled, figures.balanced) == (len(shown_starts), None)


def test_balanced_accuracy_is_the_mean_of_both_shares() -> None:
    says_steady, is_steady = (
        np.array([True, True, False, True]),
        np.array([True, True, True, False]),
    )

    assert balanced_accuracy(says_steady, is_steady) == pytest.approx(1 / 3)


def test_whole_systems_are_resampled_with_all_of_their_series() -> None:
    errors, groups = np.r_[np.zeros(50), np.full(50, 100.0)], np.repeat(["a", "b"], 50)

    assert interval(errors, groups) == (0, 100)  # two systems: either may be drawn twice
    low, high = interval(errors)
    assert 35 < low < 50 < high < 65
    assert interval(errors, np.repeat("a", 100)) == (50, 50)


def test_a_name_says_what_differs_from_the_defaults() -> None:
    assert method_name(Plateau()) == "Plateau"
    assert method_name(Plateau(chance=0.0)) == "Plateau, chance=0"
    assert ask_method(Fixed(iteration=7), panel()).name == "Fixed iteration, iteration=7"


def test_what_cannot_answer_is_none() -> None:
    panel_answers = PanelAnswers([MarkedSeries("a", np.ones(9), 0)], [])

    assert ask_method(Plateau(), panel_answers).marked == [None]


def test_the_constant_is_that_of_other_folds_and_scales_with_the_length() -> None:
    panel_answers = PanelAnswers([*panel().marked, MarkedSeries("c", np.ones(1500), 200)], [])

    assert constants(panel_answers).tolist() == [
        300,
        250,
        250,
        100,
    ]  # of 3,000: 100 | 200 300 | 400


def test_people_are_held_against_the_others() -> None:
    marks = [{"p": 10, "q": 30, "r": 50}, {"p": 20}, {"q": 5}]
    panel_answers = PanelAnswers([MarkedSeries("a", VALUES, 0, marks=m) for m in marks], [])
    method_starts: Values = np.array([100.0, 0.0, 0.0])

    pair_by_name = {
        theirs.name: (theirs, mine) for theirs, mine in people(panel_answers, "ours", method_starts)
    }

    assert pair_by_name["p"][0].mean == 30  # others: 30 and 50; nobody else marked the second
    assert pair_by_name["p"][1].mean == 60
    assert people(PanelAnswers(panel().marked, []), "ours", method_starts) == []


def test_a_row_comes_back_from_its_document() -> None:
    for figures in (row(90, 250, 600), row(None, 1, 1), figures_of_one()):
        document = json.loads(json.dumps(as_document(figures), allow_nan=False))

        assert as_document(row_of_document(document)) == document
        assert row_of_document(document).name == figures.name


def figures_of_one() -> MethodFigures:
    panel_answers = PanelAnswers([MarkedSeries("a", VALUES, 7)], [])
    return figures_of(panel_answers, answers(7, shown_starts=()), np.zeros(1))


def test_tables_have_a_line_for_each_method_the_best_first() -> None:
    panel_answers = panel()
    panel_figures = PanelFigures.from_panel(
        panel_answers, np.full(3, 250.0), [answers(90, 250, 600), answers(100, 200, 9)]
    )

    lines = panel_figures.table().splitlines()
    assert [line.split("|")[4].strip() for line in lines[2:]] == ["83", "97", "120"]
    assert {line.count("|") for line in lines} == {lines[0].count("|")}
    waits = panel_figures.waiting_table().splitlines()
    assert len(waits) == 3  # only the first: the second reads no values as they come
    assert {line.count("|") for line in waits} == {waits[0].count("|")}
    assert panel_figures.people_table() == ""


def test_a_chance_is_chosen_on_other_systems_than_it_is_judged_by() -> None:
    panel_answers = PanelAnswers(
        [], [ShownSeries(g, VALUES, (), steady=s) for g in "ab" for s in (True, False)]
    )
    never_b_starts = [0, NEVER, 0, 0]  # right of both of system a, and wrong of the never of b
    always_starts = [0, 0, 0, NEVER]  # the other way round
    starts_by_chance = [never_b_starts if chance < 0.5 else always_starts for chance in CHANCES]

    choice = chosen_chance(
        panel_answers,
        [["a"], ["b"]],
        [answers(shown_starts=(*starts,)) for starts in starts_by_chance],
    )

    assert choice == ChosenChance((0.5, 0.3), 0.5)  # each fold gets what was right elsewhere
    assert "0.3 to 0.5 is chosen, and the balanced accuracy 0.500." in chosen_words(
        "Some", asdict(choice)
    )


def test_without_both_labels_elsewhere_nothing_is_chosen() -> None:
    panel_answers = PanelAnswers([], [ShownSeries(g, VALUES, (), steady=g == "a") for g in "aab"])
    same_answers = [answers(shown_starts=(0, 0, 0)) for _ in CHANCES]

    assert chosen_chance(panel_answers, [["a"], ["b"]], same_answers) is None
    assert chosen_words("Some", None) == ""


def test_foldings_are_averaged_and_one_alone_is_not() -> None:
    foldings = [PanelFigures((row(start, 200, 300),), ()) for start in (90, 70)]

    assert average_table(foldings[:1], ["some"]) == ""
    assert "| some | 0 [0, 0] | 7 [3, 10] | 0 [0, 0] |" in average_table(foldings, ["some"])
