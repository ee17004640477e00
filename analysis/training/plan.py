"""Query and plan of a training: series and labels that fit into memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.references import review_status, yardsticks
from analysis.references.yardsticks import UnknownYardstick, Yardstick
from detectors.contract import NEVER
from detectors.learned.crossfit import FOLDS
from detectors.training.fitting.rocket import KERNELS
from detectors.training.labels.labelled_windows import PER_SERIES
from people.models import Study
from series.models import Series

MOST_SEEDS: Final = 20
MOST_BYTES: Final = 300_000_000  # memory of a worker for windows or their ROCKET features
SINGLE: Final = 4  # bytes of a single-precision number


class CannotTrain(ValueError):
    """Error: a training that cannot be made; its sentence says why, `field_name` which field."""

    def __init__(self, sentence: str, field_name: str = "") -> None:
        super().__init__(sentence)
        self.field_name = field_name


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

    query: TrainingQuery
    yardstick: Yardstick
    labels: dict[int, int]
    benchmark_count: int
    steady_count: int  # series with a stable window, the only ones to learn from

    @property
    def model_count(self) -> int:
        return self.query.seeds * FOLDS


def plan_training(study: Study, query: TrainingQuery) -> TrainingPlan:
    """The yardstick's answers for series that no decision left out. Raises CannotTrain."""
    try:
        yardstick = yardsticks.yardstick(study, query.yardstick)
    except UnknownYardstick as error:
        raise CannotTrain(f"{str(error).capitalize()}.", "yardstick") from error
    if yardstick is None:
        raise CannotTrain("There is nothing to learn from yet: end a campaign first.", "yardstick")
    excluded_pks = list(review_status.excluded_reasons(study, yardstick.campaign))
    series = yardstick.series().exclude(pk__in=excluded_pks).filter(n__gte=query.window)
    if query.dataset:
        series = series.filter(benchmark__dataset__slug=query.dataset)
    lengths = dict(series.order_by("pk").values_list("pk", "n"))
    truth = yardsticks.yardstick_answers(yardstick, list(lengths)).answers
    first_windows = np.where(truth.steady, truth.index, NEVER)
    labels = {
        pk: int(first_window)
        for pk, first_window, is_given in zip(lengths, first_windows, truth.given, strict=True)
        if is_given
    }
    return _check_plan(query, yardstick, labels, lengths)


def _check_plan(
    query: TrainingQuery, yardstick: Yardstick, labels: dict[int, int], lengths: dict[int, int]
) -> TrainingPlan:
    steady_count = sum(
        NEVER < first_window <= lengths[pk] - query.window for pk, first_window in labels.items()
    )
    benchmark_count = Series.objects.filter(pk__in=labels).values("benchmark").distinct().count()
    if benchmark_count < FOLDS or not steady_count:
        raise CannotTrain(
            f"“{yardstick.title}” has answers for {benchmark_count} benchmarks with {query.window} "
            f"values or more, {steady_count} of their series steady; expected {FOLDS} benchmarks "
            "or more, and steady series.",
            "yardstick",
        )
    window_numbers = max(query.window, 2 * KERNELS) if query.model == "rocket" else query.window
    byte_count = steady_count * PER_SERIES * window_numbers * SINGLE
    if byte_count > MOST_BYTES:
        raise CannotTrain(
            f"{steady_count:,} steady series need {byte_count / 1e6:,.0f} MB in a worker, expected "
            f"at most {MOST_BYTES / 1e6:,.0f} MB: one data set, or a shorter window.",
            "dataset" if query.model == "rocket" else "window",
        )
    return TrainingPlan(query, yardstick, labels, benchmark_count, steady_count)
