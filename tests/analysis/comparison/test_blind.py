"""What a person has yet to answer is in no figure, list, count or file of theirs."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment, Campaign, Task
from people.models import Membership, Role, User
from series.models import Series
from tests.analysis.comparison.conftest import mark
from tests.replayed_rows import replayed

BASE = "/s/startup-times/comparison/"
ROUTES = [
    "",
    "/s/startup-times/disagreements/?by=methods&cell=n_yes_no&of=kb-kssd",
    "/s/startup-times/disagreements/?by=methods&cell=no-truth",
    "/s/startup-times/disagreements/?by=methods&cell=differ&of=kb-kssd&other=sdm",
    "/s/startup-times/disagreements/?by=methods&cell=n&of=person:a1",
    "/s/startup-times/disagreements/?by=methods",
    "export/?what=leaderboard&format=json",
    "export/?what=queue&format=json",
    "export/?what=series&cell=n_yes_no&of=kb-kssd&format=json",
    "?y=method:kb-kssd",
    "?y=person:first-look:a2",
    "?vy=person:first-look:a2",
    "export/?what=breakdown&g=fork&format=json",
    "export/?vy=person:first-look:a2&format=json",
]


@pytest.fixture
@replayed
def late_comer(
    compared_study: Campaign, answered_tasks: list[Task], make_person: Callable[..., User]
) -> User:
    """Joins late: has answered the first two series of four, so only those may be seen."""
    person = make_person("cleo", Role.ANNOTATOR)
    compared_study.annotators.create(user=person, pseudonym="a3")
    for order, task in enumerate(answered_tasks):
        Assignment.objects.create(task=task, user=person, order=order)
    for task in answered_tasks[:2]:
        mark(task, person, 41)
    Campaign.objects.filter(pk=compared_study.pk).update(recipe="jagt")
    return person


@pytest.mark.parametrize("path", ROUTES)
def test_no_route_names_a_series_that_is_open(
    late_comer: User, four_series: list[Series], client: Client, path: str
) -> None:
    client.force_login(late_comer)

    answer = client.get(urljoin(BASE, path), follow=True)

    text = (b"".join(answer) if answer.streaming else answer.content).decode()
    assert answer.status_code == 200
    for hidden_series in four_series[2:]:
        assert hidden_series.public_id not in text
        assert f'"fork": {hidden_series.fork}' not in text
        assert f"fork {hidden_series.fork}" not in text


def test_figures_are_computed_without_them_and_the_page_says_how_many(
    late_comer: User, client: Client
) -> None:
    client.force_login(late_comer)

    response = client.get(BASE)

    assert response.context["compared"].result.n_series == 2
    text = " ".join(response.content.decode().split())
    assert "2 series are left out" in text
    assert reverse("annotate", args=["startup-times", "first-look"]) in text


def test_who_was_never_asked_is_not_told_to_answer(
    late_comer: User, answered_tasks: list[Task], client: Client
) -> None:
    client.force_login(late_comer)
    own_assignments = Assignment.objects.filter(user=late_comer)

    own_assignments.filter(task=answered_tasks[3]).delete()
    one_unasked_text = " ".join(client.get(BASE).content.decode().split())
    own_assignments.filter(task=answered_tasks[2]).delete()
    two_unasked_text = " ".join(client.get(BASE).content.decode().split())
    rows = client.get(BASE + "export/?what=left-out&format=json").json()["rows"]

    reason = "because you have yet to answer 1 of them, and have not been asked for the others yet"
    assert f"2 series are left out {reason}" in one_unasked_text
    assert "2 series are left out" in two_unasked_text
    assert "asked for them yet.</dt><dd>2</dd>" in two_unasked_text
    assert {
        "rule": "hidden",
        "sentence": "You have not been asked for them yet.",
        "series": 2,
    } in rows


def test_blindness_beats_role(
    compared_study: Campaign, answered_tasks: list[Task], olga: User, client: Client
) -> None:
    compared_study.annotators.create(user=olga, pseudonym="a4")
    for order, task in enumerate(answered_tasks):
        Assignment.objects.create(task=task, user=olga, order=order)
    client.force_login(olga)

    response = client.get(BASE)

    assert Membership.objects.get(user=olga).role == Role.OWNER
    assert response.context["compared"].lines == ()
    assert "4 series are left out" in " ".join(response.content.decode().split())


def test_a_cached_figure_of_somebody_else_is_not_mine(
    late_comer: User, vic: User, client: Client
) -> None:
    client.force_login(vic)
    full_count = client.get(BASE).context["compared"].result.n_series
    client.force_login(late_comer)

    visible_count = client.get(BASE).context["compared"].result.n_series

    assert (full_count, visible_count) == (4, 2)
