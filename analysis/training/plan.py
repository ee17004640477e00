"""What a training is asked for, and would learn from: series and labels that fit into memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.references import review_status, yardsticks
from analysis.references.yardsticks import UnknownYardstick, Yardstick
from detectors.contract import NEVER
from detectors.learned.crossfit import FOLDS
from detectors.training.labelled_windows import PER_SERIES
from detectors.training.rocket import KERNELS
from people.models import Study
from series.models import Series

MOST_SEEDS: Final = 20
MOST_BYTES: Final = 300_000_000  # of windows, or of what ROCKET sees of them, in a worker
SINGLE: Final = 4  # bytes


class CannotTrain(ValueError):
    """It cannot be trained so; the sentence says why, `where` which field."""

    def __init__(self, sentence: str, where: str = "") -> None:
        super().__init__(sentence)
        self.where = where


@dataclass(frozen=True, slots=True)
class TrainingQuery:
    """yardstick: its code. size: benchmarks to learn from, None for all. unseen: what a fold is."""

    yardstick: str
    model: str
    window: int
    size: int | None
    seeds: int
    unseen: str
    dataset: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """Series with their labels, and counts of what is learned from."""

    asked: TrainingQuery
    yardstick: Yardstick
    labels: dict[int, int]
    benchmarks: int
    steady: int  # series with a stable window: only these are learned from

    @property
    def models(self) -> int:
        return self.asked.seeds * FOLDS


def plan_training(study: Study, asked: TrainingQuery) -> TrainingPlan:
    """The yardstick's answers for series that no decision left out. Raises CannotTrain."""
    try:
        found = yardsticks.yardstick(study, asked.yardstick)
    except UnknownYardstick as unknown:
        raise CannotTrain(f"{str(unknown).capitalize()}.", "yardstick") from unknown
    if found is None:
        raise CannotTrain("There is nothing to learn from yet.", "yardstick")
    excluded = list(review_status.excluded_reasons(study, found.campaign))
    series = found.series().exclude(pk__in=excluded).filter(n__gte=asked.window)
    if asked.dataset:
        series = series.filter(benchmark__dataset__slug=asked.dataset)
    lengths = dict(series.order_by("pk").values_list("pk", "n"))
    truth = yardsticks.yardstick_answers(found, list(lengths)).answers
    firsts = np.where(truth.steady, truth.index, NEVER)
    labels = {
        pk: int(first)
        for pk, first, given in zip(lengths, firsts, truth.given, strict=True)
        if given
    }
    return _checked(asked, found, labels, lengths)


def _checked(
    asked: TrainingQuery, found: Yardstick, labels: dict[int, int], lengths: dict[int, int]
) -> TrainingPlan:
    steady = sum(NEVER < first <= lengths[pk] - asked.window for pk, first in labels.items())
    benchmarks = Series.objects.filter(pk__in=labels).values("benchmark").distinct().count()
    if benchmarks < FOLDS or not steady:
        raise CannotTrain(
            f"“{found.title}” has answers for {benchmarks} benchmarks with {asked.window} values "
            f"or more, {steady} of their series steady; expected {FOLDS} benchmarks or more, and "
            "steady series.",
            "yardstick",
        )
    width = max(asked.window, 2 * KERNELS) if asked.model == "rocket" else asked.window
    needed = steady * PER_SERIES * width * SINGLE
    if needed > MOST_BYTES:
        raise CannotTrain(
            f"{steady:,} steady series need {needed / 1e6:,.0f} MB in a worker, expected at most "
            f"{MOST_BYTES / 1e6:,.0f} MB: one data set, or a shorter window.",
            "dataset" if asked.model == "rocket" else "window",
        )
    return TrainingPlan(asked, found, labels, benchmarks, steady)
