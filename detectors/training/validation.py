"""How a model does on systems that it has not seen: grouped folds, and what it stands beside."""

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
from detectors.training.method_figures import (
    MethodAnswers,
    MethodFigures,
    balanced_accuracy,
    error_figures,
    name_of,
)
from detectors.training.panel import PanelFeatures, TooFewAnswers, fitted
from detectors.training.panel_answers import PanelAnswers

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
    """What the methods in training answer by the model that has not seen a series' group.

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
    distinct = np.unique(names)
    if distinct.size < 2:
        raise TooFewAnswers("found one benchmark only, expected at least 2 to hold one out")
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415  # a second to import

    splitter = GroupKFold(min(FOLDS, distinct.size), shuffle=order is not None, random_state=order)
    for kept, held in splitter.split(names, groups=names):
        yield sorted(set(names[kept])), sorted(set(names[held]))


def held_out(
    seen: PanelFeatures,
    *,
    seed: int = 0,
    order: int | None = None,
    progress: Callable[[int], object] = int,
) -> Iterator[HeldOutModel]:
    """A model of each fold's other groups."""
    for number, (kept, out) in enumerate(dealt(seen, order), start=1):
        yield HeldOutModel(out, fitted(seen, kept, seed))
        progress(number)


def dealt(seen: PanelFeatures, order: int | None) -> Iterator[tuple[list[str], tuple[str, ...]]]:
    """Groups that are kept and those held out; simulated series are dealt by their noise."""
    parts = list(folds([*seen.groups, *seen.shown_groups], order))
    known = sorted(set(seen.known_groups.tolist()))
    for number, (_, held) in enumerate(parts):
        out = {*held, *known[number :: len(parts)]}
        yield [group for group in seen.all_groups if group not in out], tuple(sorted(out))


def constants(panel: PanelAnswers, order: int | None = None) -> Values:
    """For each marked series the median of the panel's answers for the groups of other folds."""
    groups = np.array([each.group for each in panel.marked])
    starts = np.array([3000 * each.start / each.values.size for each in panel.marked])
    found = np.zeros(starts.size)
    for _, held in folds([*groups, *(each.group for each in panel.shown)], order):
        out = np.isin(groups, held)
        found[out] = np.median(starts[~out])
    sizes: Values = np.array([each.values.size / 3000 for each in panel.marked])
    return found * sizes


def out_of_fold(seen: PanelFeatures, parts: Iterable[HeldOutModel]) -> OutOfFoldAnswers:
    """Every series answered by the model that has not seen its group."""
    held = list(parts)
    judges = {group: PanelJudge(each.model, blind=True) for each in held for group in each.groups}
    marked = [(each.values, judges[each.group]) for each in seen.panel.marked]
    shown = [(each.values, judges[each.group]) for each in seen.panel.shown]
    sights = zip(seen.sights, (judge for _, judge in marked), strict=True)
    seen_shown = [(SeriesFeatures.of(values), judge) for values, judge in shown]
    whole = _asked(WHOLE, list(sights), seen_shown)
    looks, others = (
        [(all_looks(values, judge.model), judge) for values, judge in series]
        for series in (marked, shown)
    )
    inside = [
        _inside(each.start, WHOLE[0].read(sight, judges[each.group].model).interval)
        for each, sight in zip(seen.panel.marked, seen.sights, strict=True)
    ]
    parts_of = [each.groups for each in held]
    chosen = [
        chosen_chance(seen.panel, parts_of, _asked([kind(chance=x) for x in CHANCES], (), found))
        for kind, found in ((Plateau, seen_shown), (PlateauOnline, others))
    ]
    return OutOfFoldAnswers(
        whole, _asked(RUNNING, looks, others), np.array(inside), (chosen[0], chosen[1])
    )


def chosen_chance(
    panel: PanelAnswers, folds_of_groups: Sequence[Sequence[str]], answers: Sequence[MethodAnswers]
) -> ChosenChance | None:
    """The best of `CHANCES`, one of `answers` each, by the labelled series of the other folds."""
    labelled = np.array([each.steady is not None for each in panel.shown], dtype=np.bool_)
    steady = np.array([bool(each.steady) for each in panel.shown], dtype=np.bool_)
    groups = np.array([each.group for each in panel.shown], dtype=np.str_)
    said = [np.array([_steady(x) for x in each.shown], dtype=np.bool_) for each in answers]
    chosen, found = [], np.zeros_like(labelled)
    for held in folds_of_groups:
        out = np.isin(groups, list(held))
        known = labelled & ~out
        if not _both(steady[known]):
            return None
        best = int(np.argmax([balanced_accuracy(each[known], steady[known]) for each in said]))
        chosen.append(CHANCES[best])
        found[out] = said[best][out]
    return ChosenChance(tuple(chosen), balanced_accuracy(found[labelled], steady[labelled]))


def _steady(found: Detection | None) -> bool:
    return found is not None and found.steady_start != NEVER


def _both(labels: NDArray[np.bool_]) -> bool:
    return bool(labels.any() and not labels.all())


def _asked(
    methods: Sequence[Any],
    marked: Sequence[tuple[Any, PanelJudge]],
    shown: Sequence[tuple[Any, PanelJudge]],
) -> tuple[MethodAnswers, ...]:
    """Of each method, from what is seen of each series and who judges it."""
    return tuple(
        MethodAnswers(
            name_of(method),
            method.online,
            [method.judged(seen, judge) for seen, judge in marked],
            [method.judged(seen, judge) for seen, judge in shown],
        )
        for method in methods
    )


def _inside(start: int, interval: tuple[int, int]) -> bool:
    return interval[0] <= start <= interval[1]


def people(
    panel: PanelAnswers, name: str, answers: Values
) -> list[tuple[MethodFigures, MethodFigures]]:
    """For each person, their error and a method's against the median of the others' marks."""
    names = sorted({person for each in panel.marked for person in each.marks})
    return [pair for each in names if (pair := _beside(panel, each, name, answers)) is not None]


def _beside(
    panel: PanelAnswers, person: str, name: str, answers: Values
) -> tuple[MethodFigures, MethodFigures] | None:
    others = [
        [mark for each, mark in known.marks.items() if each != person] for known in panel.marked
    ]
    rows = [
        row
        for row, (known, marks) in enumerate(zip(panel.marked, others, strict=True))
        if person in known.marks and marks
    ]
    if not rows:
        return None
    truth = np.array([np.median(others[row]) for row in rows])
    theirs = np.array([panel.marked[row].marks[person] for row in rows])
    marked = [panel.marked[row] for row in rows]
    return (
        error_figures(person, np.abs(theirs - truth), marked),
        error_figures(name, np.abs(answers[rows] - truth), marked),
    )
