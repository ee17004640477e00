"""Figures of a model on systems that it has not seen: grouped folds, and other methods beside
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Detection, Values
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_online import PlateauOnline
from detectors.panel.panel_models import PanelJudge, PanelModel
from detectors.panel.series_features import SeriesFeatures
from detectors.training.beginnings import all_looks
from detectors.training.figures.method_figures import (
    MethodAnswers,
    MethodFigures,
    balanced_accuracy,
    error_figures,
    method_name,
)
from detectors.training.labels.panel_answers import PanelAnswers
from detectors.training.panel import PanelFeatures, TooFewAnswers, fit_panel_model

FOLDS: Final = 6
WHOLE: Final = (Plateau(), Plateau(chance=0.0), Plateau(chance=0.0, worth=0.0))
"""The method as anybody gets it, first; then without its never, and without its steps."""
RUNNING: Final = (
    PlateauOnline(),
    *(PlateauOnline(confidence=each) for each in (0.5, 0.6, 0.7, 0.9)),
    PlateauOnline(chance=0.0),
)
CHANCES: Final = tuple(each / 20 for each in range(6, 15))


@dataclass(frozen=True, slots=True)
class ChosenChance:
    """`chance` of a method, chosen for each fold on the labelled series of all others.

    values: one a fold. balanced: accuracy so, each series judged by its fold's choice.
    """

    values: tuple[float, ...]
    balanced: float


@dataclass(frozen=True, slots=True, eq=False)
class OutOfFoldAnswers:
    """Answers of the methods in training by the model that has not seen a series' group.

    whole, running: of each of `WHOLE` and `RUNNING`. inside: whether the panel's answer lies in
    the 80 % interval. chosen: of Plateau and of Plateau, online; None without both labels.
    """

    whole: tuple[MethodAnswers, ...]
    running: tuple[MethodAnswers, ...]
    inside: NDArray[np.bool_]
    chosen: tuple[ChosenChance | None, ChosenChance | None]


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutModel:
    """A model, and the groups that it has not seen."""

    groups: tuple[str, ...]
    model: PanelModel


def folds(groups: Sequence[str], order: int | None) -> Iterator[tuple[list[str], list[str]]]:
    """(training, test) groups; `order` shuffles them, None keeps them by size."""
    names = np.array(sorted(groups))
    distinct_names = np.unique(names)
    if distinct_names.size < 2:
        raise TooFewAnswers("found one benchmark only, expected at least 2 to hold one out")
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415  # a second to import

    splitter = GroupKFold(
        min(FOLDS, distinct_names.size), shuffle=order is not None, random_state=order
    )
    for training_rows, test_rows in splitter.split(names, groups=names):
        yield sorted(set(names[training_rows])), sorted(set(names[test_rows]))


def held_out_models(
    features: PanelFeatures,
    *,
    seed: int = 0,
    order: int | None = None,
    progress: Callable[[int], object] = int,
) -> Iterator[HeldOutModel]:
    """A model of each fold's other groups."""
    for number, (training, left_groups) in enumerate(deal_groups(features, order), start=1):
        yield HeldOutModel(left_groups, fit_panel_model(features, training, seed))
        progress(number)


def deal_groups(
    features: PanelFeatures, order: int | None
) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Groups that are kept and those held out; simulated series are dealt by their noise."""
    parts = list(folds([*features.groups, *features.shown_groups], order))
    known_groups = sorted(set(features.known_groups.tolist()))
    for number, (_, held_groups) in enumerate(parts):
        left_groups = {*held_groups, *known_groups[number :: len(parts)]}
        yield (
            [group for group in features.all_groups if group not in left_groups],
            tuple(sorted(left_groups)),
        )


def constants(panel: PanelAnswers, order: int | None = None) -> Values:
    """Median of the panel's answers for the groups of other folds, for each marked series."""
    groups = np.array([series.group for series in panel.marked])
    starts = np.array([3000 * series.start / series.values.size for series in panel.marked])
    medians = np.zeros(starts.size)
    for _, held_groups in folds([*groups, *(series.group for series in panel.shown)], order):
        is_left_out = np.isin(groups, held_groups)
        medians[is_left_out] = np.median(starts[~is_left_out])
    sizes: Values = np.array([series.values.size / 3000 for series in panel.marked])
    return medians * sizes


def out_of_fold_answers(features: PanelFeatures, parts: Iterable[HeldOutModel]) -> OutOfFoldAnswers:
    """Every series answered by the model that has not seen its group."""
    held_models = list(parts)
    judges = {
        group: PanelJudge(held_model.model, blind=True)
        for held_model in held_models
        for group in held_model.groups
    }
    marked_pairs = [(series.values, judges[series.group]) for series in features.panel.marked]
    shown_pairs = [(series.values, judges[series.group]) for series in features.panel.shown]
    sights = zip(features.sights, (judge for _, judge in marked_pairs), strict=True)
    shown_features = [(SeriesFeatures.from_values(values), judge) for values, judge in shown_pairs]
    whole_answers = _method_answers(WHOLE, list(sights), shown_features)
    judged_looks, shown_looks = (
        [(all_looks(values, judge.model), judge) for values, judge in series]
        for series in (marked_pairs, shown_pairs)
    )
    is_inside = [
        _is_inside(series.start, WHOLE[0].read(sight, judges[series.group].model).interval)
        for series, sight in zip(features.panel.marked, features.sights, strict=True)
    ]
    group_parts = [held_model.groups for held_model in held_models]
    chosen_chances = [
        chosen_chance(
            features.panel,
            group_parts,
            _method_answers([method_class(chance=x) for x in CHANCES], (), looks),
        )
        for method_class, looks in ((Plateau, shown_features), (PlateauOnline, shown_looks))
    ]
    return OutOfFoldAnswers(
        whole_answers,
        _method_answers(RUNNING, judged_looks, shown_looks),
        np.array(is_inside),
        (chosen_chances[0], chosen_chances[1]),
    )


def chosen_chance(
    panel: PanelAnswers, folds_of_groups: Sequence[Sequence[str]], answers: Sequence[MethodAnswers]
) -> ChosenChance | None:
    """The best of `CHANCES`, one of `answers` each, by the labelled series of the other folds."""
    is_labelled = np.array([series.steady is not None for series in panel.shown], dtype=np.bool_)
    is_steady = np.array([bool(series.steady) for series in panel.shown], dtype=np.bool_)
    groups = np.array([series.group for series in panel.shown], dtype=np.str_)
    steady_by_method = [
        np.array([_is_steady(x) for x in method_answers.shown], dtype=np.bool_)
        for method_answers in answers
    ]
    chosen_chances, chosen_answers = [], np.zeros_like(is_labelled)
    for held_groups in folds_of_groups:
        is_held_out = np.isin(groups, list(held_groups))
        training_mask = is_labelled & ~is_held_out
        training_labels = is_steady[training_mask]
        if training_labels.all() or not training_labels.any():
            return None
        best_chance_index = int(
            np.argmax(
                [
                    balanced_accuracy(says_steady[training_mask], is_steady[training_mask])
                    for says_steady in steady_by_method
                ]
            )
        )
        chosen_chances.append(CHANCES[best_chance_index])
        chosen_answers[is_held_out] = steady_by_method[best_chance_index][is_held_out]
    return ChosenChance(
        tuple(chosen_chances),
        balanced_accuracy(chosen_answers[is_labelled], is_steady[is_labelled]),
    )


def _is_steady(detection: Detection | None) -> bool:
    return detection is not None and detection.steady_start != NEVER


def _method_answers(
    methods: Sequence[Any],
    marked_pairs: Sequence[tuple[Any, PanelJudge]],
    shown_pairs: Sequence[tuple[Any, PanelJudge]],
) -> tuple[MethodAnswers, ...]:
    """Answers of each method, from what is seen of each series and who judges it."""
    return tuple(
        MethodAnswers(
            method_name(method),
            method.online,
            [method.judged(features, judge) for features, judge in marked_pairs],
            [method.judged(features, judge) for features, judge in shown_pairs],
        )
        for method in methods
    )


def _is_inside(start: int, interval: tuple[int, int]) -> bool:
    return interval[0] <= start <= interval[1]


def people(
    panel: PanelAnswers, name: str, answers: Values
) -> list[tuple[MethodFigures, MethodFigures]]:
    """Error of each person and of a method against the median of the others' marks."""
    names = sorted({person for series in panel.marked for person in series.marks})
    return [
        pair
        for person in names
        if (pair := _person_figures(panel, person, name, answers)) is not None
    ]


def _person_figures(
    panel: PanelAnswers, person: str, name: str, answers: Values
) -> tuple[MethodFigures, MethodFigures] | None:
    marks_of_others = [
        [mark for other_person, mark in series.marks.items() if other_person != person]
        for series in panel.marked
    ]
    rows = [
        row
        for row, (series, marks) in enumerate(zip(panel.marked, marks_of_others, strict=True))
        if person in series.marks and marks
    ]
    if not rows:
        return None
    truth = np.array([np.median(marks_of_others[row]) for row in rows])
    marks_of_person = np.array([panel.marked[row].marks[person] for row in rows])
    marked_series = [panel.marked[row] for row in rows]
    return (
        error_figures(person, np.abs(marks_of_person - truth), marked_series),
        error_figures(name, np.abs(answers[rows] - truth), marked_series),
    )
