"""A lost password: an owner's or staff's link, or a mail; never a way into somebody else's work."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from smtplib import SMTPException
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import outbox, services
from people.models import Membership, OutgoingNotice, Role, Study, User
from people.views import passwords
from tests.conftest import PASSWORD

NEW = "another-long-pass-phrase"
FORM = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.CAN_MAIL = True


def forget(client: Client, mail_address: str) -> Any:
    return client.post(reverse("password-forgotten"), {"email": mail_address}, follow=True)


def link_in(mail_message: Any) -> str:
    path = re.search(r"http://testserver(/password/\S+)", str(mail_message.body))
    assert path
    return path[1]


def follow(client: Client, path: str) -> Any:
    """Open the link and set the password that the form asks for."""
    response = client.get(path)
    if response.status_code != 302:
        return response
    return client.post(response.headers["Location"], FORM)


def test_an_owner_makes_a_link_for_a_member(
    client: Client, study: Study, olga: User, ana: User
) -> None:
    client.force_login(olga)

    page = client.post(reverse("password-link", args=[study.slug, "ana"])).content.decode()

    path = re.search(r"http://testserver(/password/[^<]+)<", page)
    assert path
    assert follow(Client(), path[1]).status_code == 302
    assert User.objects.get(pk=ana.pk).check_password(NEW)


def test_a_link_works_once_and_no_more_after_a_sign_in(client: Client, ana: User) -> None:
    used_path, second_path = services.password_path(ana), services.password_path(ana)
    follow(client, used_path)

    second_response = follow(Client(), second_path)

    assert "link does not work" in second_response.content.decode()
    ana.refresh_from_db()
    path = services.password_path(ana)
    Client().post(reverse("sign-in"), {"username": "ana", "password": NEW})
    assert "link does not work" in follow(Client(), path).content.decode()


def test_the_page_of_a_link_has_its_secret_no_more_in_its_address(
    client: Client, ana: User
) -> None:
    path = services.password_path(ana)

    response = client.get(path, follow=True)

    assert path.split("/")[3] not in response.redirect_chain[-1][0]
    assert "At least 8 characters" in response.content.decode()


def join_another_study(user: User) -> None:
    study = Study.objects.create(name="Other", slug="other")
    Membership.objects.create(study=study, user=user, role=Role.VIEWER)


def make_staff(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_staff=True)


def remove_password(user: User) -> None:
    user.set_unusable_password()
    user.save()


@pytest.mark.parametrize("made", [join_another_study, make_staff, remove_password])
def test_an_owner_becomes_nobody_with_rights_that_the_owner_lacks(
    client: Client, study: Study, olga: User, ana: User, made: Callable[[User], None]
) -> None:
    made(ana)
    client.force_login(olga)

    answer = client.post(reverse("password-link", args=[study.slug, "ana"]))

    assert answer.status_code == 403
    assert reverse("password-link", args=[study.slug, "ana"]) not in (
        client.get(reverse("people", args=[study.slug])).content.decode()
    )


def test_staff_make_links_for_everybody_but_superusers(olga: User, ana: User) -> None:
    join_another_study(ana)
    make_staff(olga)
    olga.refresh_from_db()

    assert services.may_make_password_link(olga, ana)
    ana.is_superuser = True
    assert not services.may_make_password_link(olga, ana)


def test_a_command_prints_the_link(client: Client, ana: User, settings: Any) -> None:
    settings.PUBLIC_URL = "https://plateau.example"
    output = StringIO()

    call_command("password_link", "ana", stdout=output)

    path = output.getvalue().strip().removeprefix("https://plateau.example")
    follow(client, path)
    assert User.objects.get(pk=ana.pk).check_password(NEW)
    remove_password(ana)
    for name in ("ana", "nobody"):
        with pytest.raises(CommandError, match=f"found no person named '{name}' who can sign in"):
            call_command("password_link", name)


def test_without_a_mail_server_the_page_says_whom_to_ask(client: Client, ana: User) -> None:
    page = client.get(reverse("password-forgotten")).content.decode()
    client.post(reverse("password-forgotten"), {"email": ana.email})

    assert "Ask an owner of" in page
    assert mail.outbox == []


def test_with_a_mail_server_a_link_comes_by_mail(
    client: Client, ana: User, with_mail: None
) -> None:
    answer = forget(client, ana.email)
    outbox.send_due()

    [message] = mail.outbox
    assert message.to == [ana.email]
    assert "user name ana" in message.body
    follow(Client(), link_in(message))
    assert User.objects.get(pk=ana.pk).check_password(NEW)
    assert "If somebody has this" in answer.content.decode()


def test_nobody_learns_who_has_an_account(client: Client, ana: User, with_mail: None) -> None:
    pages = [
        forget(client, address).content.decode() for address in (ana.email, "nobody@example.org")
    ]
    notice_count = OutgoingNotice.objects.count()
    outbox.send_due()

    pages_without_token = [
        re.sub(r'name="csrfmiddlewaretoken" value="\w+"|X-CSRFToken[^}]+', "", page)
        for page in pages
    ]
    assert pages_without_token[0] == pages_without_token[1]
    assert notice_count == 2  # or the time of an answer would tell
    assert [message.to for message in mail.outbox] == [[ana.email]]


def test_mails_are_throttled_by_address(client: Client, ana: User, with_mail: None) -> None:
    status_codes = [
        client.post(reverse("password-forgotten"), {"email": ana.email}).status_code
        for _ in range(passwords.MAILS.limit + 1)
    ]

    assert status_codes == [302] * passwords.MAILS.limit + [429]
    assert OutgoingNotice.objects.count() == 1  # the mail that waits is enough


def test_a_mail_that_fails_is_sent_later_with_a_link_that_works_then(
    client: Client, ana: User, with_mail: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "send_mail", Mock(side_effect=SMTPException("busy")))
        forget(client, ana.email)
        assert outbox.send_due() == 0
    OutgoingNotice.objects.update(due=timezone.now())

    assert outbox.send_due() == 1
    follow(Client(), link_in(mail.outbox[0]))
    assert User.objects.get(pk=ana.pk).check_password(NEW)


def sign_in(user: User) -> None:
    Client().post(reverse("sign-in"), {"username": user.username, "password": PASSWORD})


def change_address(user: User) -> None:
    User.objects.filter(pk=user.pk).update(email="new@example.org")


def close_account(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("act", [sign_in, change_address, close_account, remove_password])
def test_no_link_is_sent_that_is_not_wanted_any_more(
    client: Client, ana: User, with_mail: None, act: Callable[[User], None]
) -> None:
    forget(client, ana.email)
    act(ana)

    assert outbox.send_due() == 0
    assert OutgoingNotice.objects.get().state == OutgoingNotice.State.DROPPED
    assert mail.outbox == []


def test_owners_of_the_person_see_the_mail_without_its_link(
    client: Client, study: Study, olga: User, ana: User, with_mail: None, settings: Any
) -> None:
    settings.WEBHOOK = "http://nowhere.invalid/"
    join_another_study(ana)
    third_study = Study.objects.create(name="Third", slug="third")
    Membership.objects.create(study=third_study, user=olga, role=Role.OWNER)
    forget(client, ana.email)
    stored_text = str(list(OutgoingNotice.objects.values()))
    OutgoingNotice.objects.update(state="failed")
    client.force_login(olga)

    log = client.get(reverse("notices", args=[study.slug])).content.decode()
    third_log = client.get(reverse("notices", args=["third"])).content.decode()
    [row] = OutgoingNotice.objects.all()  # none for the webhook
    refused_response = client.post(reverse("notice-again", args=["third", row.public_id]))
    client.post(reverse("notice-again", args=[study.slug, row.public_id]))

    assert log.count("data-notice=") == 1
    assert "New password for Plateau" in log
    assert "data-notice=" not in third_log
    assert refused_response.status_code == 404
    assert "/password/" not in stored_text
    assert OutgoingNotice.objects.get().state == OutgoingNotice.State.WAITING


def test_the_password_before_is_asked_for_in_plain_words(client: Client, ana: User) -> None:
    client.force_login(ana)

    page = client.post(reverse("account-password"), {"old_password": "x", **FORM}).content.decode()

    assert "This is not your" in page
    assert User.objects.get(pk=ana.pk).check_password(PASSWORD)
