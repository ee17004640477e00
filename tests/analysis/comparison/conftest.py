"""A small comparison that can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from uuid import uuid4

import numpy as np
import pytest

from analysis.runs.models import Detection
from annotate.answering.ground_truth_updates import refresh_ground_truths
from annotate.answering.services import save_mark
from annotate.models import Assignment, Campaign, Mark, Task
from detectors.registry import registry
from formats.iterations import ONE_OPERATION_EACH
from people.models import User
from series.models import Series
from tests.replayed_rows import replayed

LENGTH = 200
TRUTH = (40, 60, None, 100)  # None: never


def key_of(slug: str, **parameters: object) -> str:
    return registry()[slug](**parameters).key


@pytest.fixture
def store() -> Callable[..., None]:
    """Answers of one method: an iteration, -1 never, None for too short."""

    def store(key: str, series: Iterable[Series], answers: Iterable[int | None]) -> None:
        for series_row, answer in zip(series, answers, strict=True):
            Detection.objects.create(
                series=series_row,
                detector_key=key,
                slug=key.partition("@")[0],
                outcome="too-short" if answer is None else "answer",
                steady_start=answer,
                published_index=None if answer is None else answer - (answer > 0),
                error="too short: needs at least 500 values; got 200" if answer is None else "",
                milliseconds=0.5,
            )

    return store


@pytest.fixture
@replayed
def four_series(make_series: Callable[..., Series]) -> list[Series]:
    steps = np.where(np.arange(LENGTH) < 50, 2.0, 1.0)
    settings = dict(ONE_OPERATION_EACH)
    return [make_series(steps + fork / 100, fork=fork, settings=settings) for fork in range(4)]


@pytest.fixture
@replayed
def answered_tasks(
    four_series: list[Series], make_task: Callable[[Series], Task], ana: User, ben: User
) -> list[Task]:
    """Both have answered all four, ben two iterations later; the third is never steady."""
    tasks = [make_task(series) for series in four_series]
    first_marks(
        (task, person, None if start is None else start + delay)
        for task, start in zip(tasks, TRUTH, strict=True)
        for person, delay in ((ana, 0), (ben, 2))
    )
    return tasks


def first_marks(answers: Iterable[tuple[Task, User, int | None]]) -> None:
    """What `mark` stores one by one: with a hundred statements, and in most tests of this room."""
    marks = [
        Mark(
            task=task,
            annotator=person,
            client_id=uuid4(),
            series_digest=task.series.digest,
            kind="never" if index is None else "steady",
            index=index,
        )
        for task, person, index in answers
    ]
    for mark in Mark.objects.bulk_create(marks):
        Assignment.objects.filter(task=mark.task, user=mark.annotator).update(latest=mark)
    refresh_ground_truths(marks[0].task.campaign, list({mark.task for mark in marks}))


def mark(task: Task, by: User, index: int | None) -> None:
    kind = "never" if index is None else "steady"
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, index=index)


@pytest.fixture
@replayed
def compared_study(
    answered_tasks: list[Task],
    four_series: list[Series],
    store: Callable[..., None],
    campaign: Campaign,
    few_rank: None,
) -> Campaign:
    """Truth of two scattered marks is the later one: 42, 62, never, 102. Tolerance is 10."""
    store(key_of("kb-kssd"), four_series, [42, 90, -1, 100])  # 0, +28, both never, −2
    store(key_of("sdm"), four_series, [30, -1, 5, 103])  # −12, missed, false plateau, +1
    store(key_of("fixed"), four_series, [None, None, None, None])
    store(key_of("fixed", iteration=50), four_series, [50, 50, 50, 50])
    return campaign
