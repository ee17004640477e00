"""Several people, or one click twice, at the same moment: nothing is lost, nothing is doubled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from annotate.answering.services import save_mark
from annotate.models import Annotator, Campaign, GroundTruth, Mark, Task
from people.models import User
from series.models import Series


def all_at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each gave, all started at the same moment in threads of their own."""
    start = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        start.wait(timeout=10)
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def answering(task: Task, by: User, index: int, click: UUID) -> Callable[[], Mark]:
    """An act that reads the task afresh, as a request does."""
    return lambda: save_mark(
        Task.objects.select_related("campaign", "series").get(pk=task.pk),
        by=by,
        client_id=click,
        digest=task.series.digest,
        kind="steady",
        index=index,
    )


@pytest.mark.django_db(transaction=True)
def test_of_five_people_at_once_none_is_missing_from_the_truth(
    campaign: Campaign,
    series: Series,
    make_person: Callable[..., User],
    make_task: Callable[[Series], Task],
) -> None:
    for number in (3, 4, 5):
        person = make_person(f"p{number}", "annotator")
        Annotator.objects.create(campaign=campaign, user=person, pseudonym=f"a{number}")
    task = make_task(series)
    people = [annotator.user for annotator in campaign.annotators.all()]

    all_at_once(
        *(
            answering(task, annotator, 40 + number, uuid4())
            for number, annotator in enumerate(people)
        )
    )

    truth = GroundTruth.objects.get(task=task)
    assert (truth.answered, truth.complete, truth.steady_start) == (5, True, 42)
    assert len(truth.cluster) == 5


@pytest.mark.django_db(transaction=True)
def test_one_click_that_arrives_twice_at_once_is_one_mark(task: Task, ana: User) -> None:
    click = uuid4()

    first, second = all_at_once(*[answering(task, ana, 40, click)] * 2)

    assert first == second
    assert Mark.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_make_two_revisions(task: Task, ana: User) -> None:
    marks = all_at_once(answering(task, ana, 40, uuid4()), answering(task, ana, 41, uuid4()))

    assert sorted(mark.revision for mark in marks) == [1, 2]
    latest_mark = task.assignments.get(user=ana).latest
    assert latest_mark is not None
    assert latest_mark.revision == 2
