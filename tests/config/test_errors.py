"""What goes wrong, in the form in which it was asked for: a page, or a script's sentence."""

from __future__ import annotations

import pytest
from django.test import Client

from annotate.models import Task
from people.models import User

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


def test_a_script_reads_a_sentence_and_a_person_a_page(client: Client) -> None:
    json_response = client.get("/s/nowhere/marks/", headers=SCRIPT)
    html_response = client.get("/s/nowhere/marks/", headers={"Accept": "text/html"})

    assert (json_response.status_code, html_response.status_code) == (404, 404)
    sentence = "Not found. There is no page here, or you may not see it."
    assert json_response.json() == {"sentence": sentence, "problem": sentence, "reason": ""}
    assert html_response.headers["Content-Type"].startswith("text/html")


def test_a_stale_form_token_is_told_apart_from_a_missing_right(task: Task, ana: User) -> None:
    strict_client = Client(enforce_csrf_checks=True)
    strict_client.force_login(ana)

    answer = strict_client.post(f"{task.get_absolute_url()}marks/", headers=SCRIPT)

    assert answer.status_code == 403
    assert answer.json()["reason"] == "stale-form"
    assert "form was open too" in answer.json()["sentence"]


def test_a_missing_right_is_told_to_a_script(client: Client, task: Task, ana: User) -> None:
    client.force_login(ana)

    answer = client.post("/s/startup-times/people/invitations/", headers=SCRIPT)

    assert answer.status_code == 403
    assert answer.json()["reason"] == ""
    assert answer.json()["sentence"].startswith("You may not do this. Only an owner")
