"""The plan of an exploration, cut into the parts that workers take."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np

from analysis.references import review_status, yardsticks
from analysis.references.yardsticks import UnknownYardstick, Yardstick
from analysis.runs.timing import timings
from analysis.statistics.answers import Floats
from analysis.tuning.models import Exploration, Part
from analysis.tuning.query import MOST_ANSWERS, CannotExplore, ExplorationQuery
from detectors.contract import Detector
from detectors.parameter_sets.evaluation import STAGED
from people.models import Study

PART_MILLISECONDS: Final = 4000.0  # computing of a part: a stop waits for it, a death loses it
LEAST_MILLISECONDS: Final = 250.0  # below this, messages would cost more than answers
LONGEST_PART: Final = 60_000.0  # longest part, where there would be too many parts
FEWEST_PARTS, MOST_PARTS = 24, 2000  # enough parts for several workers and a moving bar
ROUND_PARTS: Final = 4  # parts of a round of a search, enough for several workers
# Where stages are computed once, sets cost a series about as much as so many set by set, and from
# MOST_SHARED times as many on a little more (`docs/design/parameter-sets.md`).
STAGES, MOST_SHARED = 50, 500


@dataclass(frozen=True, slots=True)
class ExplorationScope:
    """The series of an exploration and the yardstick's answers for them, aligned."""

    yardstick: Yardstick
    series: tuple[int, ...]
    truth: Floats

    @property
    def digest(self) -> str:
        """SHA-256 of series and answers: it differs for another yardstick."""
        text = " ".join(map(str, self.series)).encode()
        return hashlib.sha256(text + b"\0" + self.truth.tobytes()).hexdigest()


@dataclass(frozen=True, slots=True)
class ExplorationPlan:
    """Counts of an exploration that has not begun; `milliseconds` of one answer, about."""

    query: ExplorationQuery
    series_count: int
    milliseconds: float

    @property
    def sets(self) -> int:
        return self.query.sets

    @property
    def answers(self) -> int:
        return self.sets * self.series_count

    def seconds(self, workers: int) -> float:
        """About how long `workers` processes take."""
        return self.answers * self.milliseconds / 1000 / max(workers, 1)


def exploration_scope(study: Study, code: str, dataset: str = "") -> ExplorationScope:
    """The series that the yardstick has answered and no decision left out. Raises CannotExplore."""
    if dataset and not study.datasets.filter(slug=dataset).exists():
        dataset_slugs = ", ".join(study.datasets.values_list("slug", flat=True)) or "none"
        raise CannotExplore(f"No data set {dataset!r}; there are: {dataset_slugs}.", "dataset")
    try:
        yardstick = yardsticks.yardstick(study, code)
    except UnknownYardstick as error:
        raise CannotExplore(f"{str(error).capitalize()}.", "yardstick") from error
    if yardstick is None:
        raise CannotExplore(
            "There is nothing to measure against yet: a campaign with complete answers, known "
            "answers, or answers of a method.",
            "yardstick",
        )
    series = yardstick.series().exclude(
        pk__in=list(review_status.excluded_reasons(study, yardstick.campaign))
    )
    if dataset:
        series = series.filter(benchmark__dataset__slug=dataset)
    series_pks = list(series.order_by("pk").values_list("pk", flat=True).distinct())
    truth = yardsticks.yardstick_answers(yardstick, series_pks).answers
    answered_indices = np.flatnonzero(truth.given)
    if not answered_indices.size:
        raise CannotExplore(f"“{yardstick.title}” has no answer for these series.", "yardstick")
    true_starts = np.where(
        truth.steady[answered_indices], truth.index[answered_indices], -1.0
    ).astype("<f8")
    return ExplorationScope(yardstick, tuple(series_pks[i] for i in answered_indices), true_starts)


def plan_exploration(
    study: Study, query: ExplorationQuery, scope: ExplorationScope
) -> ExplorationPlan:
    """Plan of the sets and answers to compute. Raises CannotExplore."""
    query.check()
    milliseconds = answer_milliseconds(study, query.method, query.sets)
    plan = ExplorationPlan(query, len(scope.series), milliseconds)
    if plan.answers > MOST_ANSWERS:
        raise CannotExplore(
            f"{plan.sets:,} parameter sets × {plan.series_count:,} series are {plan.answers:,} "
            f"answers; at most {MOST_ANSWERS:,} are kept. Take fewer sets, or one data set.",
            "vary",
        )
    return plan


def answer_milliseconds(study: Study, method: type[Detector], set_count: int) -> float:
    """Milliseconds of one answer among `set_count` sets, by runs of the study or guessed."""
    default_detector = method()
    single_milliseconds = timings(study, [default_detector])[default_detector.key].milliseconds
    shares_stages = method in STAGED
    return (
        single_milliseconds * min(1.0, max(STAGES / set_count, 1 / MOST_SHARED))
        if shares_stages
        else single_milliseconds
    )


def plan_parts(
    exploration: Exploration, first_set: int, set_count: int, milliseconds: float
) -> Iterator[Part]:
    """Parts for `set_count` planned sets from `first_set` on, each a fair share of work.

    All sets of a series are one piece of work as far as possible: their stages are shared.
    """
    series_count = exploration.series_count
    for offset, part_sets in slices(
        set_count, _sets_per_part(set_count, series_count, milliseconds)
    ):
        series_milliseconds = max(part_sets * milliseconds, 1e-9)
        part_milliseconds = _part_milliseconds(set_count * series_count * milliseconds)
        if exploration.kind in Exploration.SEARCHES:
            part_milliseconds = min(
                part_milliseconds, series_milliseconds * ceil(series_count / ROUND_PARTS)
            )
        for first_series, part_series in slices(
            series_count, max(1, int(part_milliseconds / series_milliseconds))
        ):
            yield Part(
                job=exploration,
                first_set=first_set + offset,
                sets=part_sets,
                first_series=first_series,
                series=part_series,
                size=part_sets * part_series,
                expected_ms=series_milliseconds * part_series,
            )


def _part_milliseconds(milliseconds: float) -> float:
    """Milliseconds of a part: a share of the whole that is neither tiny nor long."""
    fair_milliseconds = min(max(milliseconds / FEWEST_PARTS, LEAST_MILLISECONDS), PART_MILLISECONDS)
    return min(max(fair_milliseconds, milliseconds / MOST_PARTS), LONGEST_PART)


def _sets_per_part(set_count: int, series_count: int, milliseconds: float) -> int:
    part_milliseconds = _part_milliseconds(set_count * series_count * milliseconds)
    return max(1, min(set_count, int(part_milliseconds / max(milliseconds, 1e-9))))


def slices(count: int, size: int) -> Sequence[tuple[int, int]]:
    """Pairs (first, length) of consecutive slices of at most `size` that cover `count` places."""
    return [(start, min(size, count - start)) for start in range(0, count, size)]
