"""The annotate page: the next series, the own queue, and nobody else's anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotate.answering import queries
from annotate.answering.series_aliases import alias_of
from annotate.answering.services import save_mark, skip
from annotate.models import Campaign, Task
from people.models import User
from series.models import Series
from tests.replayed_rows import replayed

HERE = {"study": "startup-times", "campaign": "first-look"}


@pytest.fixture
@replayed
def tasks(make_series: Callable[..., Series], make_task: Callable[[Series], Task]) -> list[Task]:
    ramp = np.linspace(2.0, 1.0, 60)
    return [make_task(make_series(ramp + fork, fork=fork)) for fork in range(4)]


def answer(task: Task, by: User, index: int = 5, seconds: float = 10.0) -> None:
    save_mark(
        task,
        by=by,
        client_id=uuid4(),
        digest=task.series.digest,
        kind="steady",
        index=index,
        seconds=seconds,
    )


def test_the_door_leads_to_the_next_open_series(
    client: Client, tasks: list[Task], ana: User
) -> None:
    client.force_login(ana)
    answer(tasks[0], ana)
    skip(tasks[1], by=ana)

    response = client.get(reverse("annotate", kwargs=HERE))

    assert response["Location"] == tasks[2].get_absolute_url()


def test_skipped_series_come_last_in_the_order_of_skipping(tasks: list[Task], ana: User) -> None:
    campaign = tasks[0].campaign
    skip(tasks[2], by=ana)
    skip(tasks[0], by=ana)
    for task in (tasks[1], tasks[3]):
        answer(task, ana)

    assert queries.next_open_task(ana, campaign) == tasks[2]
    assert [
        (queued_task.position, queued_task.done, queued_task.skipped)
        for queued_task in queries.queue(ana, campaign)
    ] == [(1, False, 2), (2, True, 0), (3, False, 1), (4, True, 0)]


def test_the_queue_travels_as_lists_of_positions() -> None:
    places = [
        queries.QueuedTask(7, done=False, skipped=2),
        queries.QueuedTask(3, done=True, skipped=0),
        queries.QueuedTask(5, done=False, skipped=1),
    ]

    assert queries.compact(places) == {"order": [7, 3, 5], "done": [3], "skipped": [5, 7]}


def test_each_person_has_an_order_of_their_own(tasks: list[Task], ana: User, ben: User) -> None:
    for place, task in enumerate(reversed(tasks)):
        task.assignments.filter(user=ben).update(order=place)

    assert [queued_task.position for queued_task in queries.queue(ana, tasks[0].campaign)] == [
        1,
        2,
        3,
        4,
    ]
    assert [queued_task.position for queued_task in queries.queue(ben, tasks[0].campaign)] == [
        4,
        3,
        2,
        1,
    ]


def test_open_work_counts_what_is_done_and_what_waits(
    client: Client, tasks: list[Task], ana: User
) -> None:
    answer(tasks[0], ana)
    client.force_login(ana)
    page = client.get(tasks[0].campaign.study.get_absolute_url()).content.decode()

    (work,) = queries.open_work(ana)

    assert (str(work.campaign), work.done, work.to_go) == ("First look", 1, 3)
    assert '<progress class="progress" max="4" value="1"' in page
    for task in tasks[1:]:
        answer(task, ana)
    assert queries.open_work(ana) == []


def test_pace_is_the_latest_twenty_answers_oldest_first(tasks: list[Task], ana: User) -> None:
    for seconds in range(22):
        answer(tasks[0], ana, seconds=float(seconds))

    assert queries.pace(ana, tasks[0].campaign) == [float(second) for second in range(2, 22)]


def test_the_page_holds_the_series_and_the_own_answer(
    client: Client, tasks: list[Task], ana: User, ben: User
) -> None:
    answer(tasks[0], ana, index=7)
    answer(tasks[0], ben, index=33)
    client.force_login(ana)

    response = client.get(tasks[0].get_absolute_url())

    page = response.context["page"]
    assert page["task"]["mine"] == {
        "kind": "steady",
        "index": 7,
        "changes": None,
        "unsure": False,
        "difficulty": None,
        "note": "",
        "revision": 1,
    }
    assert page["task"]["digest"] == alias_of(tasks[0], ana)
    assert page["queue"] == {"order": [1, 2, 3, 4], "done": [1], "skipped": []}
    assert "33" not in json.dumps(page["task"]["mine"])
    assert response["Cache-Control"].startswith("max-age=0, no-cache, no-store")


def test_names_are_hidden_unless_the_campaign_shows_them(
    client: Client, tasks: list[Task], ana: User
) -> None:
    client.force_login(ana)
    name = tasks[0].series.benchmark.name
    nameless_page = client.get(tasks[0].get_absolute_url()).content.decode()
    Campaign.objects.update(hide_names=False)
    named_page = client.get(tasks[0].get_absolute_url()).content.decode()

    assert name not in nameless_page
    assert name in named_page


def test_hidden_figures_are_divided_by_the_scale_and_have_no_unit(
    tasks: list[Task], ana: User
) -> None:
    task = tasks[0]
    task.series.scale = 0.5
    task.campaign.hide_values = True

    data = queries.task_data(task, ana)

    assert (data["unit"], data["quantity"], data["scale"]) == ("", "", 1.0)
    assert data["robust_high"] == 2 * task.series.robust_high


@pytest.mark.parametrize(
    ("unit", "quantity", "shown_text"),
    [
        ("s/op", "time per operation", "s"),
        ("s", "time per iteration", "s"),
        ("s/request", "time per request", "s"),
        ("ops/ms", "throughput", "ops/ms"),
        ("MB", "value", "MB"),
    ],
)
def test_the_axis_says_what_was_measured(unit: str, quantity: str, shown_text: str) -> None:
    assert queries.axis_words(unit) == (quantity, shown_text)


def test_a_series_that_is_not_asked_is_not_there(
    client: Client, tasks: list[Task], ana: User
) -> None:
    tasks[1].assignments.filter(user=ana).delete()
    client.force_login(ana)

    assert client.get(tasks[1].get_absolute_url()).status_code == 404


@pytest.mark.parametrize(
    ("state", "sentence"),
    [("draft", "First look has not started yet"), ("closed", "First look was closed")],
)
def test_without_an_open_campaign_the_door_says_why(
    client: Client, tasks: list[Task], ana: User, state: str, sentence: str
) -> None:
    Campaign.objects.update(state=state, closed_at=datetime(2025, 3, 14, 14, 5, tzinfo=UTC))
    client.force_login(ana)

    response = client.get(reverse("annotate", kwargs=HERE))

    assert response.status_code == 200
    assert sentence in response.content.decode()


def test_after_the_last_series_there_are_thanks(
    client: Client, tasks: list[Task], ana: User
) -> None:
    for task in tasks:
        answer(task, ana)
    client.force_login(ana)

    response = client.get(reverse("annotate", kwargs=HERE))

    assert "All 4 answered. Thank you." in response.content.decode()


def test_a_signed_out_person_signs_in_first(client: Client, tasks: list[Task]) -> None:
    response = client.get(tasks[0].get_absolute_url())

    assert response["Location"].startswith(reverse("sign-in"))


def test_the_page_asks_few_questions_of_the_database(
    client: Client,
    tasks: list[Task],
    ana: User,
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    client.force_login(ana)
    client.get(tasks[0].get_absolute_url())

    with django_assert_max_num_queries(12):  # type: ignore[attr-defined]
        client.get(tasks[0].get_absolute_url())
