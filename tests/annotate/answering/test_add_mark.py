"""The requests of the annotate page: 201, 204, 302, 401, 403, 404, 405, 409, 422."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotate.answering.series_aliases import alias_of
from annotate.models import Campaign, Task
from detectors.arrays.robust_range import RULE
from people.models import User


def task_url(name: str, task: Task) -> str:
    arguments = {"study": task.campaign.study.slug, "campaign": task.campaign.slug}
    return reverse(name, kwargs={**arguments, "position": task.position})


def payload(task: Task, **changes: Any) -> dict[str, Any]:
    return {
        "kind": "steady",
        "index": 3,
        "unsure": "",
        "note": "",
        "seconds": "12.5",
        "digest": alias_of(task, User.objects.get(email="ana@example.org")),
        "client_id": str(uuid4()),
        "guide_version": 1,
        "view": json.dumps({"from": 0, "to": 120, "y": "robust", "log": False, "width": 1175}),
        **changes,
    }


@pytest.fixture
def as_ana(client: Client, ana: User) -> Client:
    client.force_login(ana)
    return client


def test_an_answer_is_stored_as_sent(as_ana: Client, task: Task) -> None:
    response = as_ana.post(task_url("annotate-marks", task), payload(task, unsure="on", note="GC?"))

    assert (response.status_code, response.json()) == (201, {"revision": 1})
    mark = task.marks.get()
    assert (mark.kind, mark.index, mark.unsure, mark.note) == ("steady", 3, True, "GC?")
    assert mark.view == {
        "from": 0,
        "to": 120,
        "y": "robust",
        "rule": 1,  # a page of before did not say it
        "log": False,
        "width": 1175,
        "ratio": 1,
    }


def test_a_mark_is_kept_with_the_rule_of_the_range_that_was_shown(
    as_ana: Client, task: Task
) -> None:
    view = {"from": 0, "to": 120, "y": "plateau", "rule": RULE, "log": False, "width": 1175}

    response = as_ana.post(task_url("annotate-marks", task), payload(task, view=json.dumps(view)))

    assert response.status_code == 201
    assert task.marks.get().view == {**view, "ratio": 1}


def test_a_click_that_comes_again_when_its_series_is_kept_back_is_the_same_mark(
    as_ana: Client, task: Task, ana: User
) -> None:
    answer = payload(task)
    as_ana.post(task_url("annotate-marks", task), answer)
    task.assignments.filter(user=ana).delete()

    second_reply = as_ana.post(task_url("annotate-marks", task), answer)
    response = as_ana.post(task_url("annotate-marks", task), {**answer, "client_id": str(uuid4())})
    broken_reply = as_ana.post(task_url("annotate-marks", task), {**answer, "client_id": "1"})

    assert (second_reply.status_code, second_reply.json()) == (201, {"revision": 1})
    assert (response.status_code, broken_reply.status_code) == (404, 404)
    assert task.marks.count() == 1


def test_never_and_unclear_have_no_iteration_even_if_one_is_sent(
    as_ana: Client, task: Task
) -> None:
    as_ana.post(task_url("annotate-marks", task), payload(task, kind="never", index=7))
    as_ana.post(task_url("annotate-marks", task), payload(task, kind="unclear", note="Drifts."))

    assert list(task.marks.values_list("kind", "index")) == [("never", None), ("unclear", None)]


def test_the_same_request_again_gives_the_same_revision(as_ana: Client, task: Task) -> None:
    form_data = payload(task)

    replies = [as_ana.post(task_url("annotate-marks", task), form_data) for _ in range(2)]

    assert [reply.json() for reply in replies] == [{"revision": 1}, {"revision": 1}]
    assert task.marks.count() == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"index": 120}, "Series 1 has iterations 0 to 119."),
        ({"index": -1}, "Series 1 has iterations 0 to 119."),
        ({"index": "3.5"}, "Series 1 has iterations 0 to 119."),
        ({"index": "9" * 30}, "Series 1 has iterations 0 to 119."),
        ({"index": ""}, "Say from which iteration on the series is steady."),
        ({"kind": "unclear", "index": ""}, "Say what makes it unclear; one sentence is enough."),
        ({"view": "[]"}, "The view of this answer is damaged. Reload the page."),
        ({"view": '{"y": "sideways"}'}, "The view of this answer is damaged. Reload the page."),
        ({"view": '{"rule": 0}'}, "The view of this answer is damaged. Reload the page."),
        ({"view": '{"rule": true}'}, "The view of this answer is damaged. Reload the page."),
        (
            {"view": f'{{"rule": {RULE + 1}}}'},
            "The view of this answer is damaged. Reload the page.",
        ),
        ({"view": '{"from": -1}'}, "The view of this answer is damaged. Reload the page."),
        ({"view": "[" * 100_000}, "The view of this answer is damaged. Reload the page."),
        ({"view": "1" * 5_000}, "The view of this answer is damaged. Reload the page."),
    ],
)
def test_what_can_be_mended_is_said(
    as_ana: Client, task: Task, changes: dict[str, Any], sentence: str
) -> None:
    response = as_ana.post(task_url("annotate-marks", task), payload(task, **changes))

    assert (response.status_code, response.json()["sentence"]) == (422, sentence)
    assert not task.marks.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "perhaps"},
        {"client_id": "1"},
        {"digest": "abc"},
        {"seconds": "NaN"},
        {"seconds": "1e9"},
        {"note": "x" * 501},
        {"view": "{"},
    ],
)
def test_nonsense_is_refused_without_a_traceback(
    as_ana: Client, task: Task, changes: dict[str, Any]
) -> None:
    response = as_ana.post(task_url("annotate-marks", task), payload(task, **changes))

    assert response.status_code == 422
    assert not task.marks.exists()


def test_a_closed_campaign_and_a_replaced_series_are_conflicts(as_ana: Client, task: Task) -> None:
    replaced_reply = as_ana.post(task_url("annotate-marks", task), payload(task, digest="0" * 64))
    Campaign.objects.update(state=Campaign.State.CLOSED)
    closed_reply = as_ana.post(task_url("annotate-marks", task), payload(task))

    assert (replaced_reply.status_code, replaced_reply.json()["reason"]) == (409, "replaced")
    assert (closed_reply.status_code, closed_reply.json()["reason"]) == (409, "closed")


@pytest.mark.parametrize("name", ["annotate-marks", "annotate-skips", "annotate-problems"])
def test_signed_out_is_401_and_never_a_redirect(client: Client, task: Task, name: str) -> None:
    response = client.post(task_url(name, task), payload(task))

    assert (response.status_code, response.json()["reason"]) == (401, "signed-out")


def test_another_persons_page_does_not_save_under_this_name(as_ana: Client, task: Task) -> None:
    headers = {"X-Plateau-Person": "ben"}

    response = as_ana.post(task_url("annotate-marks", task), payload(task), headers=headers)

    assert response.status_code == 401
    assert response.json() == {
        "sentence": "You are signed in as ana; this page is ben's.",
        "reason": "other-person",
    }
    assert not task.marks.exists()


def test_a_name_need_not_be_ascii(client: Client, task: Task, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(username="Žofie")
    client.force_login(User.objects.get(pk=ana.pk))
    headers = {"X-Plateau-Person": "%C5%BDofie"}

    response = client.post(task_url("annotate-marks", task), payload(task), headers=headers)

    assert response.status_code == 201


@pytest.mark.parametrize("person_name", ["vic", "olga", "stranger"])
def test_who_is_not_asked_finds_no_task(
    client: Client, task: Task, person_name: str, request: pytest.FixtureRequest
) -> None:
    client.force_login(request.getfixturevalue(person_name))

    statuses = {
        client.post(task_url("annotate-marks", task), payload(task)).status_code,
        client.post(task_url("annotate-skips", task)).status_code,
        client.post(task_url("annotate-problems", task), {"text": "?"}).status_code,
        client.get(task_url("annotate-data", task)).status_code,
    }

    assert statuses == {404}
    page_status = client.get(task_url("annotate-task", task)).status_code
    assert page_status == (404 if person_name == "stranger" else 403)


@pytest.mark.parametrize("name", ["annotate-marks", "annotate-skips", "annotate-problems"])
def test_reading_does_not_write(as_ana: Client, task: Task, name: str) -> None:
    assert as_ana.get(task_url(name, task)).status_code == 405


def test_a_skip_and_a_problem_are_kept(as_ana: Client, task: Task, ana: User) -> None:
    skip_reply = as_ana.post(task_url("annotate-skips", task))
    response = as_ana.post(task_url("annotate-problems", task), {"text": "Cut off at 80."})
    empty_reply = as_ana.post(task_url("annotate-problems", task), {"text": " "})

    assert (skip_reply.status_code, response.status_code) == (204, 201)
    assert task.assignments.get(user=ana).skipped_at
    assert task.problems.get().text == "Cut off at 80."
    assert empty_reply.json()["sentence"] == "Say what is wrong; one sentence is enough."


def test_reading_the_guide_is_remembered(as_ana: Client, task: Task, ana: User) -> None:
    url = reverse(
        "annotate-guide-readings", kwargs={"study": "startup-times", "campaign": "first-look"}
    )

    assert as_ana.post(url, {"version": "1"}).status_code == 204
    assert as_ana.post(url, {"version": "soon"}).status_code == 422
    assert task.campaign.annotators.get(user=ana).guide_seen == 1
