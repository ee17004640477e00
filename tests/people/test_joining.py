"""Joining without a password: a test for each row of the threat model (docs/design/joining.md)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.archive.tables import TABLES
from annotate.campaigns import invitations
from annotate.models import Annotator, Campaign, Task
from people import device_links, services
from people.models import Invitation, Role, Study, User
from people.views import devices


@pytest.fixture
def invitation(campaign: Campaign, task: Task, olga: User) -> Invitation:
    [invitation] = invitations.invite_to_campaign(campaign, [("Chen Wu", "")], by=olga)
    return invitation


@pytest.fixture
def chen(client: Client, invitation: Invitation) -> User:
    """Somebody who has joined by a name, and is signed in on `client`."""
    client.post(reverse("join", args=[invitation.token]), {"name": "Chen Wu"})
    return User.objects.get(first_name="Chen Wu")


def personal_link(client: Client) -> str:
    return client.post(reverse("account-device")).context["link"].removeprefix("http://testserver")


# --- an invitation ------------------------------------------------------------------------------
def test_a_name_is_enough_and_leads_to_the_first_series(
    client: Client, invitation: Invitation, task: Task
) -> None:
    address = reverse("join", args=[invitation.token])
    response = client.get(address)

    answer = client.post(address, {"name": "Chen Wu"}, follow=True)

    chen = User.objects.get(username="chen-wu")
    assert list(response.context["form"].fields) == ["name"]
    assert answer.redirect_chain[-1][0] == task.get_absolute_url()
    assert not chen.has_usable_password()
    assert invitation.study.role_of(chen) == Role.ANNOTATOR
    assert Annotator.objects.filter(user=chen, campaign=task.campaign).exists()


def test_a_used_link_makes_no_second_account(chen: User, invitation: Invitation) -> None:
    user_count = User.objects.count()

    answer = Client().post(reverse("join", args=[invitation.token]), {"name": "Eve"})

    assert answer.status_code == 410
    assert User.objects.count() == user_count


@pytest.mark.parametrize(
    "change", [{"expires": timezone.now() - timedelta(days=1)}, {"revoked_at": timezone.now()}]
)
def test_an_expired_or_revoked_link_makes_no_account(
    client: Client, invitation: Invitation, change: dict[str, Any]
) -> None:
    Invitation.objects.update(**change)
    user_count = User.objects.count()

    answer = client.post(reverse("join", args=[invitation.token]), {"name": "Chen"})

    assert answer.status_code == 410
    assert User.objects.count() == user_count


def test_equal_names_are_two_people(campaign: Campaign, task: Task, olga: User) -> None:
    for invitation in invitations.invite_to_campaign(campaign, [("", ""), ("", "")], by=olga):
        Client().post(reverse("join", args=[invitation.token]), {"name": "Chen"})

    names = User.objects.filter(first_name="Chen").values_list("username", flat=True)
    assert sorted(names) == ["chen", "chen-2"]


def test_who_joins_answers_in_this_campaign_and_changes_nothing_else(
    client: Client, chen: User, campaign: Campaign, study: Study, task: Task, olga: User
) -> None:
    other_campaign = Campaign.objects.create(study=study, name="Other", slug="other", state="open")
    Task.objects.create(campaign=other_campaign, series=task.series, position=1)

    def status(name: str, *args: Any, act: str = "post") -> int:
        return int(getattr(client, act)(reverse(name, args=args)).status_code)

    assert status("annotate-task", study.slug, campaign.slug, 1, act="get") == 200
    assert status("annotate-task", study.slug, other_campaign.slug, 1, act="get") == 403
    assert status("campaign-edit", study.slug, campaign.slug) == 403
    assert status("campaign-closure", study.slug, campaign.slug) == 403
    assert status("invite", study.slug) == 403
    assert status("run-new", study.slug) == 403


def test_no_token_is_in_the_database_an_archive_or_a_page_of_others(
    client: Client, invitation: Invitation, ana: User, study: Study
) -> None:
    stored_text = str(list(Invitation.objects.values())) + str(list(User.objects.values()))
    client.force_login(ana)
    people = client.get(reverse("people", args=[study.slug])).content.decode()
    campaign = client.get(invitation.for_campaign.campaign.get_absolute_url()).content.decode()

    assert invitation.token not in stored_text + people + campaign
    assert all(table.model is not Invitation for table in TABLES)


# --- a personal link ----------------------------------------------------------------------------
def test_a_personal_link_signs_one_device_in_once(client: Client, chen: User) -> None:
    link = personal_link(client)
    phone, other_device = Client(), Client()

    preview = phone.get(link)
    first, second = phone.post(link), other_device.post(link)

    assert (preview.status_code, first.status_code, second.status_code) == (200, 302, 404)
    assert phone.get(reverse("account")).context["user"] == chen
    assert other_device.get(reverse("account")).status_code == 302
    assert client.get(reverse("account")).status_code == 200  # the first device stays signed in


def test_its_address_goes_into_no_referrer_no_log_and_no_cache(
    client: Client, chen: User, caplog: pytest.LogCaptureFixture
) -> None:
    link = personal_link(client)
    token = link.split("/")[3]

    with caplog.at_level(logging.INFO):
        answer = Client().get(link)

    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert "no-store" in answer.headers["Cache-Control"]
    assert token not in caplog.text
    assert token not in str(list(User.objects.values()))


def test_it_ends_after_half_an_hour(
    client: Client, chen: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = personal_link(client)
    monkeypatch.setattr(device_links, "MINUTES", -1)

    assert Client().post(link).status_code == 404


@pytest.mark.parametrize("route", ["account-other-sessions", "account-password"])
def test_signing_others_out_or_a_password_ends_it(client: Client, chen: User, route: str) -> None:
    link = personal_link(client)
    new_password = "a-long-pass-phrase"

    client.post(reverse(route), {"new_password1": new_password, "new_password2": new_password})

    assert Client().post(link).status_code == 404


def test_a_closed_account_has_none(client: Client, chen: User) -> None:
    link = personal_link(client)
    User.objects.filter(pk=chen.pk).update(is_active=False)

    assert Client().post(link).status_code == 404


def test_who_has_a_password_and_names_of_a_file_have_none(
    client: Client, olga: User, ana: User
) -> None:
    client.force_login(olga)
    assert client.post(reverse("account-device")).context["link"] == ""
    ana.set_unusable_password()
    assert not device_links.is_for(ana)  # never signed in


def test_who_guesses_personal_links_has_to_wait(client: Client, chen: User) -> None:
    link = personal_link(client)
    guess = reverse("device", args=["MQ", "abc-def"])
    limit = devices.WRONG_LINKS.limit

    statuses = [client.get(guess).status_code for _ in range(limit + 1)]

    assert statuses == [404] * limit + [429]
    assert client.get(link).status_code == 429


def test_a_link_for_a_password_signs_nobody_in(client: Client, chen: User) -> None:
    _, _, uidb64, token, _ = services.password_path(chen).split("/")

    assert Client().post(reverse("device", args=[uidb64, token])).status_code == 404


# --- a remembered device ------------------------------------------------------------------------
def test_a_device_is_remembered_until_it_is_signed_out(
    client: Client, chen: User, settings: Any
) -> None:
    assert client.session.get_expiry_age() == settings.DEVICE_DAYS * 24 * 3600

    client.post(reverse("sign-out"))

    assert client.get(reverse("account")).status_code == 302


def test_a_lost_device_is_signed_out_from_another(client: Client, chen: User) -> None:
    phone = Client()
    phone.post(personal_link(client))

    phone.post(reverse("account-other-sessions"))

    assert client.get(reverse("account")).status_code == 302
    assert phone.get(reverse("account")).status_code == 200


def test_an_owner_of_the_study_helps_who_has_lost_every_device(
    client: Client, chen: User, olga: User, study: Study
) -> None:
    client.force_login(olga)

    response = client.post(reverse("password-link", args=[study.slug, chen.username]))

    assert "/password/" in response.context["link"]


# --- owners -------------------------------------------------------------------------------------
def test_an_owner_has_a_password(
    client: Client, chen: User, study: Study, olga: User, make_person: Callable[..., User]
) -> None:
    invitation = services.create_invitation(study, by=olga, role=Role.OWNER)
    page = Client().get(reverse("join", args=[invitation.token]))

    assert "password1" in page.context["form"].fields
    with pytest.raises(ValidationError, match="an owner needs one"):
        services.accept(invitation, by=chen)
    with pytest.raises(ValidationError, match="an owner needs one"):
        services.change_role(study, user=chen, role=Role.OWNER)
    assert not services.may_create_study(chen)
    chen.set_password("a-long-pass-phrase")
    chen.save()
    services.change_role(study, user=chen, role=Role.OWNER)
    assert study.role_of(chen) == Role.OWNER
