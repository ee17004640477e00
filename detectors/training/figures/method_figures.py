"""Figures of one method on the series of a panel: the one row of every table and card of methods.

An error is the distance in iterations from the panel's answer. Where a method says never, it gets,
whichever method it is, the answer of somebody who knows nothing of the series: the median of the
panel's answers for systems of other folds. Steady or never is asked of the series that were shown
for that label, which may be other forks than the marked ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Context, Detection, Detector, DetectorError, Values, as_series
from detectors.contract.parameters import parameter_text
from detectors.training.figures.decision_costs import DecisionCosts, decision_costs
from detectors.training.labels.panel_answers import MarkedSeries, PanelAnswers

DRAWS: Final = 2000  # of a bootstrap
NEAR: Final = (15, 50, 100, 250)  # iterations
Detections = Sequence[Detection | None]
Interval = tuple[float, float]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class MethodAnswers:
    """Answers of one method for the marked and for the shown series; None where it cannot answer.

    name: with every setting that is not its default. online: whether it reads values as they come.
    """

    name: str
    online: bool
    marked: Detections
    shown: Detections

    @property
    def starts(self) -> Values:
        """Steady starts of the marked series; NaN without an answer."""
        return np.array(
            [np.nan if detection is None else detection.steady_start for detection in self.marked]
        )


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """One row. Errors in iterations; an interval holds 95 % of the means of resamples.

    by_series, by_system: what is resampled. clustered, scattered: means where the panel's marks
    lie together, or do not; NaN without such series. within: shares of `NEAR`. labelled: shown
    series with a label and an answer; balanced: accuracy on them, None without both labels.
    waiting: None where it cannot answer for every marked series.
    """

    name: str
    series: int
    never: int
    mean: float
    by_series: Interval
    by_system: Interval
    median: float
    clustered: float
    scattered: float
    within: tuple[float, ...]
    labelled: int = 0
    balanced: float | None = None
    online: bool = False
    waiting: DecisionCosts | None = None


def method_name(detector: Detector) -> str:
    """The title, and what differs from the defaults: ``Plateau, chance=0``."""
    changed_texts = [
        f"{parameter.name}={parameter_text(getattr(detector.params, parameter.name))}"
        for parameter in detector.Params.declared()
        if getattr(detector.params, parameter.name) != parameter.default
    ]
    return ", ".join([detector.title, *changed_texts])


def ask_method(detector: Detector, panel: PanelAnswers) -> MethodAnswers:
    """Ask a method for every series, as anybody would who has nothing but the values."""
    return MethodAnswers(
        method_name(detector),
        detector.online,
        [answer_of(detector, series.values) for series in panel.marked],
        [answer_of(detector, series.values) for series in panel.shown],
    )


def answer_of(
    detector: Detector, values: Values, context: Context | None = None
) -> Detection | None:
    """Detection of one series; None where the method cannot answer."""
    try:
        return detector.answer(as_series(values), context or Context())
    except DetectorError:
        return None


def figures_of(panel: PanelAnswers, answers: MethodAnswers, constant: Values) -> MethodFigures:
    """The row of a method. constant: what stands for its never, one a marked series."""
    starts = answers.starts
    answered_steady, marked_steady = _steady_accuracy(panel, answers.shown)
    errors = np.abs(starts_with_constant(starts, constant) - panel_starts(panel))
    return replace(
        error_figures(answers.name, errors, panel.marked),
        never=int((starts == NEVER).sum()),
        labelled=answered_steady,
        balanced=marked_steady,
        online=answers.online,
        waiting=decision_costs(panel.marked, answers.marked),
    )


def panel_starts(panel: PanelAnswers) -> Values:
    """The panel's answers for the marked series."""
    return np.array([series.start for series in panel.marked], dtype=np.float64)


def starts_with_constant(starts: Values, constant: Values) -> Values:
    """The iterations that errors are taken of: a never becomes the constant."""
    return np.where(starts == NEVER, constant, starts)


def error_figures(
    name: str, errors: Values, marked_series: Sequence[MarkedSeries]
) -> MethodFigures:
    """The row of `errors`, one a marked series; NaN (no answer) is left out."""
    has_answer = ~np.isnan(errors)
    error = errors[has_answer]
    groups = np.array([series.group for series in marked_series])[has_answer]
    is_clustered = np.array([series.clustered for series in marked_series], dtype=np.bool_)[
        has_answer
    ]
    return MethodFigures(
        name,
        int(error.size),
        0,
        float(error.mean()),
        interval(error),
        interval(error, groups),
        float(np.median(error)),
        _mean(error[is_clustered]),
        _mean(error[~is_clustered]),
        tuple(float((error <= limit).mean()) for limit in NEAR),
    )


def _mean(error: Values) -> float:
    return float(error.mean()) if error.size else float("nan")


def interval(error: Values, groups: NDArray[np.str_] | None = None) -> Interval:
    """95 % of the means of resamples: of single errors, or of whole groups with all of theirs."""
    names = np.arange(error.size) if groups is None else groups
    _, group_indices = np.unique(names, return_inverse=True)
    sums, counts = np.bincount(group_indices, error), np.bincount(group_indices)
    group_draws = np.random.default_rng(0).integers(0, counts.size, (DRAWS, counts.size))
    means = sums[group_draws].sum(axis=1) / counts[group_draws].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5)).tolist()
    return low, high


def resamples(groups: NDArray[np.str_], rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Places of what is drawn when whole groups are drawn anew, as many as there are; no end."""
    places_by_group = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    while True:
        group_draws = rng.integers(0, len(places_by_group), len(places_by_group))
        yield np.concatenate([places_by_group[group_index] for group_index in group_draws])


def _steady_accuracy(panel: PanelAnswers, detections: Detections) -> tuple[int, float | None]:
    """Number of labelled series with an answer, and the balanced accuracy on them."""
    pairs = [
        (answer.steady_start != NEVER, series.steady)
        for series, answer in zip(panel.shown, detections, strict=True)
        if answer is not None and series.steady is not None
    ]
    says_steady, is_steady = np.array(pairs, dtype=np.bool_).reshape(-1, 2).T
    if is_steady.all() or not is_steady.any():
        return len(pairs), None
    return len(pairs), balanced_accuracy(says_steady, is_steady)


def balanced_accuracy(says_steady: NDArray[np.bool_], is_steady: NDArray[np.bool_]) -> float:
    """Mean of the shares of either label that were found."""
    return float((says_steady[is_steady].mean() + (~says_steady[~is_steady]).mean()) / 2)
