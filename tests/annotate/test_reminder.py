"""Reminding people of a campaign: who has series left, by mail, by their own program, by a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from annotate.answering.services import save_mark
from annotate.campaign_pages import progress
from annotate.models import Campaign, Task
from people import outbox
from people.models import OutgoingNotice, User
from series.models import Series


@pytest.fixture
def two_tasks(
    make_series: Callable[..., Series], make_task: Callable[[Series], Task]
) -> list[Task]:
    return [make_task(make_series(np.ones(60), fork=fork)) for fork in range(2)]


def answer(task: Task, by: User) -> None:
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind="steady", index=1)


def page(client: Client, campaign: Campaign) -> str:
    address = reverse("campaign-reminder", args=[campaign.study.slug, campaign.slug])
    return client.get(address, follow=True).content.decode()


def test_those_are_awaited_who_have_series_left(
    two_tasks: list[Task], campaign: Campaign, ana: User, ben: User
) -> None:
    assert progress.awaited_people(campaign) == [(ana, 2), (ben, 2)]
    answer(two_tasks[0], ana)
    answer(two_tasks[0], ben)
    answer(two_tasks[1], ben)

    assert progress.awaited_people(campaign) == [(ana, 1)]


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_nobody_is_awaited_by_a_campaign_that_is_not_open(
    two_tasks: list[Task], campaign: Campaign, client: Client, olga: User, state: str
) -> None:
    Campaign.objects.update(state=state)
    campaign.refresh_from_db()
    client.force_login(olga)

    assert progress.awaited_people(campaign) == []
    assert "remind-dialog" not in page(client, campaign)


def test_without_a_mail_server_the_own_program_opens_with_hidden_addresses(
    two_tasks: list[Task], campaign: Campaign, client: Client, olga: User, ana: User
) -> None:
    client.force_login(olga)
    User.objects.update(email="")
    assert "mailto:" not in page(client, campaign)
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")

    page_text = page(client, campaign)

    assert 'href="mailto:?bcc=ana%40example.org&amp;subject=First%20look' in page_text
    assert "Send the reminder" not in page_text
    assert "no mail address" in page_text


def test_each_gets_a_mail_of_their_own(
    two_tasks: list[Task],
    campaign: Campaign,
    client: Client,
    olga: User,
    ana: User,
    ben: User,
    settings: Any,
) -> None:
    settings.CAN_MAIL = True
    for user in (ana, ben):
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org")
    answer(two_tasks[0], ben)
    answer(two_tasks[1], ben)
    client.force_login(olga)
    page_text = page(client, campaign)
    assert "Send the reminder" in page_text
    assert "cannot be taken back" in page_text

    address = reverse("campaign-reminder", args=[campaign.study.slug, campaign.slug])
    client.post(address)
    outbox.send_due()

    assert [message.to for message in mail.outbox] == [["ana@example.org"]]
    assert "First look" in mail.outbox[0].body


def test_a_post_without_a_way_to_send_sends_nothing(
    two_tasks: list[Task], campaign: Campaign, client: Client, olga: User
) -> None:
    client.force_login(olga)
    address = reverse("campaign-reminder", args=[campaign.study.slug, campaign.slug])

    reply = client.post(address)

    assert (OutgoingNotice.objects.count(), reply.status_code) == (0, 302)
