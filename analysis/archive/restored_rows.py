"""Checks of single rows of an archive, beyond what their columns take; and what is not in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import models

from analysis.archive.reading import ArchiveError
from analysis.references.models import ReviewDecision
from analysis.runs.models import CERTAINTY_FIELDS, Detection
from analysis.trend.models import RegressionAlarm, RegressionNotice
from annotate import recipes
from annotate.campaign_rows import ADDRESSES
from annotate.models import Annotator, Campaign, Mark, Task
from formats.events.packed import packing_flaw
from people.public_id import new_public_id
from series.models import Recording, Series, StoredEventLane

SERIES_AT_ONCE: Final = 5_000  # series that are remembered


class RowChecks:
    """Checks of the rows of one archive; raises ArchiveError, and completes what it lets pass."""

    def __init__(self) -> None:
        # Of this archive: after a rollback the database gives the same keys to other rows.
        self._length = lru_cache(SERIES_AT_ONCE)(_length)
        self._task = lru_cache(SERIES_AT_ONCE)(_task)
        self._by_model: Mapping[type[models.Model], Callable[[Any, str], None]] = {
            Campaign: _check_campaign,
            Annotator: _check_annotator,
            Mark: self._check_mark,
            ReviewDecision: self._check_decision,
            Detection: self._check_detection,
            RegressionNotice: _check_regression,
            RegressionAlarm: _check_regression,
            StoredEventLane: _check_event_lane,
        }

    def __call__(self, row: models.Model, row_label: str) -> None:
        if check := self._by_model.get(type(row)):
            check(row, row_label)

    def _check_mark(self, row: Mark, row_label: str) -> None:
        row.client_id = uuid4()
        row.task = self._task(row.task_id)
        try:
            row.clean()
        except ValidationError as error:
            raise ArchiveError(f"{row_label}: {' '.join(error.messages)}") from error

    def _check_decision(self, row: ReviewDecision, row_label: str) -> None:
        row.client_id = uuid4()
        if row.task_id and self._task(row.task_id).series_id != row.series_id:
            raise ArchiveError(f"{row_label}: the task is about another series")

    def _check_detection(self, row: Detection, row_label: str) -> None:
        row.slug = row.detector_key.partition("@")[0][:80]
        n = self._length(row.series_id)
        if row.steady_start is not None and not -1 <= row.steady_start < n:
            raise ArchiveError(
                f"{row_label}: found the iteration {row.steady_start}, expected -1 to {n - 1}"
            )
        positions = row.changes or []
        if not all(type(index) is int and 0 < index < n for index in positions):
            raise ArchiveError(f"{row_label}: changes of level lie in 1 to {n - 1}")
        if not _is_certainty(row, n):
            raise ArchiveError(
                f"{row_label}: expected chance and near from 0 to 1 and low to high within {n} "
                "iterations, or none of them"
            )


def _is_certainty(row: Detection, n: int) -> bool:
    """All of it and in range, or nothing."""
    certainty = row.certainty
    if certainty is None:
        return all(getattr(row, name) is None for name in CERTAINTY_FIELDS)
    shares = 0 <= certainty.chance <= 1 and 0 <= certainty.near <= 1
    return shares and 0 <= certainty.low <= certainty.high <= n


def _check_campaign(row: Campaign, row_label: str) -> None:
    if row.slug in ADDRESSES:
        raise ArchiveError(f"{row_label}: no campaign can be called {row.slug}")
    try:
        recipes.get(row.recipe).clean(row.params)
    except (recipes.UnknownRecipe, recipes.RecipeParameterError) as error:
        raise ArchiveError(f"{row_label}: {error}") from error


def _check_annotator(row: Annotator, row_label: str) -> None:
    """Marks of people and of simulated annotators never meet in one campaign."""
    campaign = Campaign.objects.get(pk=row.campaign_id)
    if row.user.simulated != campaign.simulated:
        raise ArchiveError(f"{row_label}: {row.user} does not belong into the campaign {campaign}")


def _check_regression(row: RegressionAlarm | RegressionNotice, row_label: str) -> None:
    if not Recording.objects.filter(pk=row.recording_id, dataset__benchmarks=row.benchmark_id):
        raise ArchiveError(f"{row_label}: benchmark and recording are of two data sets")


def _check_event_lane(row: StoredEventLane, row_label: str) -> None:
    """Its events are listed as an import lists them, and counted by their own size."""
    if packing_problem := packing_flaw(row.events, row.count):
        raise ArchiveError(f"{row_label}, column events: {packing_problem}")
    row.size = len(json.dumps(row.events))


def _length(pk: int) -> int:
    return Series.objects.values_list("n", flat=True).get(pk=pk)


def _task(pk: int) -> Task:
    return Task.objects.select_related("series", "campaign").defer("series__outline").get(pk=pk)


def free_public_ids(model: type[models.Model], objects: Sequence[Any]) -> None:
    """A new one for what has the public id of something that is stored already."""
    if not hasattr(model, "public_id"):
        return
    wanted_ids = [row.public_id for row in objects]
    rows: models.QuerySet[Any] = models.QuerySet(model)
    stored_rows = rows.filter(public_id__in=wanted_ids)
    used_ids = set(stored_rows.values_list("public_id", flat=True))
    for row in objects:
        if row.public_id in used_ids:
            row.public_id = new_public_id()
