"""How a model does on systems that it has not seen: grouped folds, and what it stands beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold

from detectors.contract import NEVER, Detection, Detector, DetectorError, Values, door
from detectors.methods.plateau import Plateau
from detectors.panel import PanelModel, summary_row
from detectors.prefixes import Look
from detectors.training.beginnings import all_looks
from detectors.training.panel import Seen, TooFew, fitted

FOLDS: Final = 6
DRAWS: Final = 2000  # of a bootstrap
NEAR: Final = (15, 50, 100, 250)  # iterations

Indices = NDArray[np.int64]
Chances = Values


@dataclass(frozen=True, slots=True, eq=False)
class OutOfFold:
    """Answers for each series by the model that has not seen its group.

    plain: before moving to a step. constant: median of the training folds. inside: whether the
    panel's answer lies in the 80 % interval. chance: of "steady", for each labelled series.
    looks: what reading online sees of each series, to its end.
    """

    answers: Values
    plain: Values
    constant: Values
    inside: NDArray[np.bool_]
    chance: Chances
    looks: list[list[Look]]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A model, and the groups that it has not seen."""

    groups: tuple[str, ...]
    model: PanelModel


@dataclass(frozen=True, slots=True)
class Line:
    """One method's figures: absolute errors in iterations, `low` to `high` its mean's 95 %."""

    name: str
    n: int
    mean: float
    low: float
    high: float
    median: float
    clustered: float
    scattered: float
    within: tuple[float, ...]
    never: int = 0
    balanced: float | None = None


def folds(groups: Sequence[str], order: int | None) -> Iterator[tuple[list[str], list[str]]]:
    """(training, test) groups; `order` shuffles them, None keeps them by size."""
    names = np.array(sorted(groups))
    distinct = np.unique(names)
    if distinct.size < 2:
        raise TooFew("found one benchmark only, expected at least 2 to hold one out")
    splitter = GroupKFold(min(FOLDS, distinct.size), shuffle=order is not None, random_state=order)
    for kept, held in splitter.split(names, groups=names):
        yield sorted(set(names[kept])), sorted(set(names[held]))


def held_out(
    seen: Seen, *, seed: int = 0, order: int | None = None, progress: Callable[[int], object] = int
) -> Iterator[Held]:
    """A model of each fold's other groups."""
    parts = folds([*seen.groups, *seen.shown_groups], order)
    for number, (kept, held) in enumerate(parts, start=1):
        yield Held(tuple(held), fitted(seen, kept, seed))
        progress(number)


def out_of_fold(seen: Seen, parts: Iterable[Held]) -> OutOfFold:
    """Every series answered by the model that has not seen its group."""
    n, shown = seen.starts.size, seen.labelled.size
    found = OutOfFold(
        np.zeros(n),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, dtype=np.bool_),
        np.full(shown, np.nan),
        [[] for _ in range(n)],
    )
    method = Plateau()
    for each in parts:
        model, held = each.model, np.isin(seen.groups, each.groups)
        known = seen.starts[~held]
        for row in np.flatnonzero(held).tolist():
            read, marked = method.read(seen.sights[row], model), seen.panel.marked[row]
            found.plain[row], found.answers[row] = read.median, read.start
            found.constant[row] = np.median(known) * marked.values.size / 3000
            found.inside[row] = read.interval[0] <= marked.start <= read.interval[1]
            found.looks[row] = all_looks(marked.values, model.online)
        asked = np.isin(seen.shown_groups, each.groups) & seen.labelled
        for row in np.flatnonzero(asked).tolist():
            if model.steady is not None:
                odds = model.steady.sums(summary_row(seen.shown_rows[row])[None])[0]
                found.chance[row] = 1 / (1 + np.exp(-odds))
    return found


def balanced_accuracy(said: NDArray[np.bool_], true: NDArray[np.bool_]) -> float:
    """Mean of the shares of either label that were found."""
    return float((said[true].mean() + (~said[~true]).mean()) / 2)


def line(seen: Seen, name: str, answers: Values, *, balanced: float | None = None) -> Line:
    """The figures of `answers` (NaN: none; left out)."""
    given = ~np.isnan(answers)
    truth = np.array([each.start for each in seen.panel.marked], dtype=np.float64)
    clustered = np.array([each.clustered for each in seen.panel.marked], dtype=np.bool_)[given]
    error = np.abs(answers - truth)[given]
    low, high = interval(error)
    return Line(
        name,
        int(error.size),
        float(error.mean()),
        low,
        high,
        float(np.median(error)),
        _mean(error[clustered]),
        _mean(error[~clustered]),
        tuple(float((error <= near).mean()) for near in NEAR),
        balanced=balanced,
    )


def _mean(error: Values) -> float:
    return float(error.mean()) if error.size else float("nan")


def interval(error: Values) -> tuple[float, float]:
    """95 % of the means of resamples."""
    drawn = np.random.default_rng(0).integers(0, error.size, (DRAWS, error.size))
    low, high = np.percentile(error[drawn].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


Detections = Sequence[Detection | None]


def detections(seen: Seen, detector: Detector) -> Detections:
    """Another method on the marked series; None where it cannot answer."""
    return [detection_of(detector, each.values) for each in seen.panel.marked]


def method_line(seen: Seen, detector: Detector, found: Detections, constant: Values) -> Line:
    """A method's `detections`; a "never" is given the constant of the other systems."""
    given = np.array([np.nan if each is None else float(each.steady_start) for each in found])
    said = given != NEVER
    answers = np.where(said, given, constant)
    made = line(seen, detector.title, answers, balanced=_balanced(seen, detector))
    return replace(made, never=int((~said).sum()))


def _balanced(seen: Seen, detector: Detector) -> float | None:
    """Of steady against never on the labelled series; None without both labels."""
    known = np.flatnonzero(seen.labelled).tolist()
    true = seen.steady[known]
    if not true.any() or true.all():
        return None
    found = [detection_of(detector, seen.panel.shown[row].values) for row in known]
    steady = [each is not None and each.steady_start != NEVER for each in found]
    return balanced_accuracy(np.array(steady), true)


def detection_of(detector: Detector, values: Values) -> Detection | None:
    """None where the method cannot answer."""
    try:
        return detector.answer(door(values))
    except DetectorError:
        return None


def people(seen: Seen, answers: Values) -> list[tuple[Line, Line]]:
    """For each person, their error and ours against the median of the others' marks."""
    names = sorted({name for each in seen.panel.marked for name in each.marks})
    return [pair for name in names if (pair := _beside(seen, name, answers)) is not None]


def _beside(seen: Seen, name: str, answers: Values) -> tuple[Line, Line] | None:
    pairs: list[tuple[float, float]] = []
    for each, answer in zip(seen.panel.marked, answers, strict=True):
        others = [mark for person, mark in each.marks.items() if person != name]
        if name in each.marks and others:
            truth = float(np.median(others))
            pairs.append((abs(each.marks[name] - truth), abs(float(answer) - truth)))
    if not pairs:
        return None
    theirs, ours = np.array(pairs).T
    return _errors(name, theirs), _errors("plateau", ours)


def _errors(name: str, error: Values) -> Line:
    low, high = interval(error)
    within = tuple(float((error <= near).mean()) for near in NEAR)
    nothing = float("nan")
    return Line(
        name,
        int(error.size),
        float(error.mean()),
        low,
        high,
        float(np.median(error)),
        nothing,
        nothing,
        within,
    )


def as_table(lines: Sequence[Line]) -> str:
    """Markdown, one line a method."""
    near = " | ".join(f"≤{each}" for each in NEAR)
    head = (
        f"| method | series | mean error [95 %] | median | clustered | scattered | {near} "
        "| never | balanced accuracy |"
    )
    rule = "|---" * (9 + len(NEAR) - 1) + "|"
    return "\n".join([head, rule, *map(_row, lines)]) + "\n"


def _row(each: Line) -> str:
    within = " | ".join(f"{share:.3f}" for share in each.within)
    balanced = "" if each.balanced is None else f"{each.balanced:.3f}"
    return (
        f"| {each.name} | {each.n} | {each.mean:.0f} [{each.low:.0f}, {each.high:.0f}] "
        f"| {each.median:.0f} | {_whole(each.clustered)} | {_whole(each.scattered)} | {within} "
        f"| {each.never or ''} | {balanced} |"
    )


def _whole(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.0f}"


def as_document(made: Line) -> Mapping[str, object]:
    """A line for a card: three digits are what the data can say."""
    return {
        "method": made.name.strip("*"),
        "series": made.n,
        "mean": round(made.mean, 1),
        "mean_95": [round(made.low, 1), round(made.high, 1)],
        "median": round(made.median, 1),
        "within": {str(n): round(s, 3) for n, s in zip(NEAR, made.within, strict=True)},
        "balanced_accuracy": None if made.balanced is None else round(made.balanced, 3),
    }
