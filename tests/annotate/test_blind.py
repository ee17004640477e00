"""Who may see whose answers to which series."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser

from annotate import blind
from annotate.models import Annotator, Assignment, Campaign, Task
from annotate.services import save_mark
from people.models import User
from series.models import Series


@pytest.fixture
def three(make_series: Callable[..., Series]) -> list[Series]:
    return [make_series(np.arange(30.0) + fork, fork=fork) for fork in range(3)]


@pytest.fixture
def two_tasks(three: list[Series], make_task: Callable[[Series], Task]) -> list[Task]:
    """The third series is in no campaign."""
    return [make_task(series) for series in three[:2]]


def answer(task: Task, by: User) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="never")


def seen(user: User | AnonymousUser) -> list[int]:
    return [each.fork for each in blind.visible_series(user, Series.objects.all())]


def test_an_annotator_sees_what_they_have_answered_and_nothing_else(
    two_tasks: list[Task], ana: User
) -> None:
    assert seen(ana) == []

    answer(two_tasks[1], ana)

    assert seen(ana) == [1]
    assert blind.is_open(ana, two_tasks[0].series)
    assert not blind.is_open(ana, two_tasks[1].series)
    assert blind.left_out(ana, Series.objects.all()) == 2


def test_somebody_elses_answer_opens_nobodys_eyes(
    two_tasks: list[Task], ana: User, ben: User
) -> None:
    answer(two_tasks[0], ben)

    assert seen(ana) == []


def test_owners_and_viewers_who_are_not_asked_see_everything(
    two_tasks: list[Task], olga: User, vic: User
) -> None:
    assert seen(olga) == seen(vic) == [0, 1, 2]


def test_an_owner_on_a_campaign_is_blind_to_its_open_series(
    two_tasks: list[Task], olga: User
) -> None:
    Annotator.objects.create(campaign=two_tasks[0].campaign, user=olga, pseudonym="a3")
    for task in two_tasks:
        Assignment.objects.create(task=task, user=olga, order=0)
    answer(two_tasks[0], olga)

    assert seen(olga) == [0, 2]
    assert blind.left_out(olga, Series.objects.all()) == 1


def test_a_second_campaign_makes_a_series_open_again(
    two_tasks: list[Task], ana: User, campaign: Campaign
) -> None:
    answer(two_tasks[0], ana)
    again = Campaign.objects.create(study=campaign.study, name="Again", slug="again", state="draft")
    task = Task.objects.create(campaign=again, series=two_tasks[0].series, position=1)
    Assignment.objects.create(task=task, user=ana, order=0)

    assert seen(ana) == []


def test_a_closed_campaign_keeps_nobody_blind(two_tasks: list[Task], ana: User) -> None:
    Campaign.objects.update(state=Campaign.State.CLOSED)

    assert seen(ana) == [0, 1]


def test_strangers_and_the_signed_out_see_no_series(two_tasks: list[Task], stranger: User) -> None:
    assert seen(stranger) == seen(AnonymousUser()) == []
    assert blind.is_open(AnonymousUser(), two_tasks[0].series)


def test_asking_costs_one_query(
    two_tasks: list[Task], ana: User, django_assert_num_queries: Callable[..., object]
) -> None:
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        seen(ana)
