"""The end of a campaign: said to who has answered all, and to its owner; closing asks first."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotate.answering.services import report_problem, save_mark
from annotate.campaign_pages import progress
from annotate.campaigns import invitations
from annotate.models import Campaign, Task
from people import services
from people.models import User
from series.models import Series


def answer(task: Task, *people: User) -> None:
    for person in people:
        digest = task.series.digest
        save_mark(task, by=person, client_id=uuid4(), digest=digest, kind="steady", index=1)


def page(client: Client, campaign: Campaign, name: str = "campaign") -> str:
    reply = client.get(reverse(name, args=[campaign.study.slug, campaign.slug]), follow=True)
    return " ".join(reply.content.decode().split())


def test_who_has_answered_all_is_led_to_the_comparison(
    client: Client, campaign: Campaign, task: Task, ana: User
) -> None:
    client.force_login(ana)
    agreement = f"{campaign.get_absolute_url()}?tab=agreement"
    answer(task, ana)

    page_text = page(client, campaign, "annotate")

    assert "All 1 answered. Thank you." in page_text
    assert f'href="{agreement}"' in page_text
    assert client.get(agreement).status_code == 200


def test_who_was_asked_nothing_is_led_nowhere(
    client: Client, campaign: Campaign, ana: User
) -> None:
    client.force_login(ana)

    assert "See how you compare" not in page(client, campaign, "annotate")


@pytest.mark.parametrize("answer_count", [0, 1, 2])
def test_the_owner_is_told_when_every_answer_is_in(
    client: Client,
    campaign: Campaign,
    task: Task,
    olga: User,
    ana: User,
    ben: User,
    answer_count: int,
) -> None:
    client.force_login(olga)
    answer(task, *(ana, ben)[:answer_count])

    page_text = page(client, campaign)

    assert ("all 2 answers are in" in page_text) == (answer_count == 2)
    assert ("open, complete" in list_page(client, campaign)) == (answer_count == 2)
    client.force_login(ana)
    assert "all 2 answers are in" not in page(client, campaign)


def test_it_is_complete_once_no_link_can_bring_anybody(
    client: Client, campaign: Campaign, task: Task, olga: User, ana: User, ben: User
) -> None:
    answer(task, ana, ben)
    [invitation] = invitations.invite_to_campaign(campaign, [("", "")], by=olga)
    client.force_login(olga)

    waiting_page = page(client, campaign)
    services.revoke_invitation(invitation)

    assert "Complete so far:" in waiting_page
    assert "Complete:" in page(client, campaign)


def list_page(client: Client, campaign: Campaign) -> str:
    campaign.study.campaigns.get_or_create(name="Another", slug="another")  # for a list of two
    reply = client.get(reverse("campaigns", args=[campaign.study.slug]))
    return " ".join(reply.content.decode().split())


def test_a_campaign_without_series_is_not_complete(
    client: Client, campaign: Campaign, olga: User
) -> None:
    client.force_login(olga)

    assert "answers are in" not in page(client, campaign)


def test_closing_names_what_is_open(
    client: Client,
    campaign: Campaign,
    make_task: Callable[[Series], Task],
    make_series: Callable[..., Series],
    olga: User,
    ana: User,
    ben: User,
) -> None:
    tasks = [make_task(make_series([2.0, 1.0, 1.0], fork=fork)) for fork in range(2)]
    answer(tasks[0], ana)
    answer(tasks[1], ana)
    report_problem(tasks[1], by=ben, text="Cut off.")
    invitations.invite_to_campaign(campaign, [("Eva", "")], by=olga)
    client.force_login(olga)

    closure_page = page(client, campaign, "campaign-closure")
    dialog = closure_page.partition('id="close-dialog"')[2].partition("</dialog>")[0]

    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.OPEN
    assert "2 of 2 series left" in dialog
    assert not re.search(r"\bA1\b", dialog)  # as a word: the token of a form may hold it
    assert "1 link that nobody has" in dialog
    assert "1 problem report" in dialog


def test_nothing_open_is_said_too(
    client: Client, campaign: Campaign, task: Task, olga: User, ana: User, ben: User
) -> None:
    answer(task, ana, ben)
    client.force_login(olga)

    assert "Nothing is open: every" in page(client, campaign, "campaign-closure")
    client.post(reverse("campaign-closure", args=[campaign.study.slug, campaign.slug]))
    campaign.refresh_from_db()
    assert campaign.state == Campaign.State.CLOSED


@pytest.mark.parametrize(("share", "awaited_count"), [(0.0, 0), (0.1, 2)])
def test_second_passes_that_nobody_was_asked_are_named(
    campaign: Campaign, share: float, awaited_count: int
) -> None:
    campaign.second_share = share

    assert progress.remaining_work(campaign).second_passes == awaited_count
