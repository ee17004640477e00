"""Notices: nothing leaves the machine unless it is set up, and nothing fails when it cannot."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from annotate import invitations, reannotation
from annotate.models import Campaign, Task
from annotate.services import save_mark
from people import notices
from people.models import User
from people.notices import Notice
from series.models import Series

NOTICE = Notice("review-asked", "Look", "Look again.", "Study", "/s/x/", to=("ana@x.org", ""))


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.CAN_MAIL = True


@pytest.fixture
def webhook(settings: Any) -> Iterator[list[dict[str, str]]]:
    """What a server on this machine was sent."""
    told: list[dict[str, str]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
    settings.WEBHOOK = f"http://127.0.0.1:{server.server_port}/hook"
    yield told
    server.shutdown()
    server.server_close()


def answer(task: Task, by: User) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=1)


def run(callbacks: list[Callable[[], Any]]) -> None:
    """What is sent after the transaction, and wait until it is."""
    for each in callbacks:
        each().result(timeout=5)


def test_nothing_is_sent_unless_it_is_set_up(
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    ana: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    tasks = [make_task(make_series([2.0, 1.0, 1.0], fork=fork)) for fork in range(3)]

    with django_capture_on_commit_callbacks() as sent:
        answer(tasks[0], ana)

    assert sent == []


def test_a_notice_reaches_mail_and_webhook(
    with_mail: None, webhook: list[dict[str, str]], settings: Any
) -> None:
    settings.PUBLIC_URL = "https://plateau.example"

    notices.deliver(NOTICE)

    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["ana@x.org"], "Look")
    assert sent.body == "Look again.\n\nhttps://plateau.example/s/x/"
    assert webhook == [
        {
            "event": "review-asked",
            "subject": "Look",
            "text": "Look again.",
            "study": "Study",
            "address": "https://plateau.example/s/x/",
        }
    ]


def test_a_server_that_is_not_there_is_logged_and_raises_nothing(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.WEBHOOK = "http://127.0.0.1:9/"
    settings.CAN_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    with caplog.at_level(logging.ERROR):
        notices.deliver(NOTICE)

    said = [each.getMessage() for each in caplog.records]
    assert said == ["could not be sent: Look", "could not be sent: review-asked"]


@pytest.mark.parametrize(("series", "told"), [(1, 0), (2, 0), (3, 1), (4, 0)])
def test_who_has_two_series_left_is_told_once(
    with_mail: None,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    ana: User,
    series: int,
    told: int,
    django_capture_on_commit_callbacks: Any,
) -> None:
    tasks = [make_task(make_series([2.0, 1.0, 1.0], fork=fork)) for fork in range(series)]

    with django_capture_on_commit_callbacks() as sent:
        answer(tasks[0], ana)
        answer(tasks[0], ana)  # changed: no news

    run(sent)
    assert [each.subject for each in mail.outbox] == ["Two series left of First look"] * told


def test_who_is_asked_to_look_again_is_told(
    with_mail: None, task: Task, ana: User, olga: User, django_capture_on_commit_callbacks: Any
) -> None:
    answer(task, ana)

    with django_capture_on_commit_callbacks() as sent:
        reannotation.ask_again(task, whom=["a1", "a2"], question="Why?", by=olga)

    run(sent)
    [mailed] = mail.outbox
    assert mailed.to == [ana.email]
    assert "another look at series 1" in mailed.body


def test_links_are_mailed_to_their_person_and_told_to_no_webhook(
    client: Client,
    with_mail: None,
    webhook: list[dict[str, str]],
    campaign: Campaign,
    olga: User,
    vic: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    dina, _ = invitations.invite(campaign, [("Dina", "dina@x.org"), ("Emil", "")], by=olga)
    mails = reverse("campaign-invitation-mails", args=[campaign.study.slug, campaign.slug])
    client.force_login(vic)
    assert client.post(mails).status_code == 403
    client.force_login(olga)

    with django_capture_on_commit_callbacks() as sent:
        client.post(mails)

    run(sent)
    [mailed] = mail.outbox
    assert mailed.to == ["dina@x.org"]
    assert f"http://testserver/join/{dina.token}/" in mailed.body
    assert webhook == []


def test_without_a_mail_server_the_owner_mails_from_their_own_program(
    client: Client, campaign: Campaign, olga: User
) -> None:
    [dina] = invitations.invite(campaign, [("Dina", "dina@x.org")], by=olga)
    client.force_login(olga)
    where = [campaign.study.slug, campaign.slug]

    page = client.get(reverse("campaign-invitations", args=where)).content.decode()

    assert 'href="mailto:dina%40x.org?subject=First%20look' in page
    assert f"testserver%2Fjoin%2F{dina.token}" in page.replace("http%3A//", "").replace("/", "%2F")
    assert client.post(reverse("campaign-invitation-mails", args=where)).status_code == 404
