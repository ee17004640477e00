"""The mail address of an account: another one needs the password, and counts once it is proven."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people import mail_proof, outbox
from people.models import AuditEvent, OutgoingNotice, User
from people.throttle import WRONG_PASSWORDS
from tests.conftest import PASSWORD

PAGE = reverse("account-mail")
ADDRESS = "Ana@example.org"


@pytest.fixture
def signed_in(client: Client, ana: User, settings: Any) -> Client:
    settings.CAN_MAIL = True
    client.force_login(ana)
    return client


def change(client: Client, address: str = ADDRESS, password: str = PASSWORD) -> Any:
    return client.post(PAGE, {"email": address, "password": password})


def mailed_link() -> str:
    """The path of the link in the newest mail."""
    outbox.send_due()
    path = re.search(r"http://testserver(/account/mail/\S+)", str(mail.outbox[-1].body))
    assert path
    return path[1]


def is_proven(user: User) -> bool:
    user.refresh_from_db()
    return user.has_proven_email


def test_a_link_proves_the_address_by_a_button(signed_in: Client, ana: User) -> None:
    change(signed_in)
    assert not is_proven(ana)
    link = mailed_link()
    assert "Prove this address" in signed_in.get(link).content.decode()
    assert not is_proven(ana)  # whoever looks into mails for viruses opens links

    signed_in.post(link)

    assert is_proven(ana)
    assert (ana.email, ana.proven_email) == ("Ana@example.org", "ana@example.org")
    assert "(proven)" in signed_in.get(reverse("account")).content.decode()
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["mail-changed", "mail-proven"]


def test_another_address_needs_the_password(signed_in: Client, ana: User) -> None:
    for _ in range(WRONG_PASSWORDS.limit):
        change(signed_in, password="wrong")
    response = change(signed_in)

    assert "Too many wrong passwords" in response.content.decode()
    ana.refresh_from_db()
    assert ana.email == "ana@example.org"


@pytest.mark.parametrize(
    ("address", "proven", "can_mail"),
    [("", False, True), ("ana@example.org", True, True), ("new@example.org", False, False)],
    ids=["no address", "proven already", "no mail"],
)
def test_no_link_is_mailed_where_it_would_prove_nothing(
    address: str,
    proven: bool,  # noqa: FBT001
    can_mail: bool,  # noqa: FBT001
    ana: User,
    settings: Any,
) -> None:
    settings.CAN_MAIL = can_mail
    ana.proven_email = ana.email if proven else ""
    ana.save()

    assert not mail_proof.change_address(ana, address, site="http://testserver")
    assert not OutgoingNotice.objects.exists()
    assert (ana.email, ana.has_proven_email) == (address, proven)


def test_a_mailed_link_is_said(ana: User, settings: Any) -> None:
    settings.CAN_MAIL = True

    assert mail_proof.change_address(ana, "new@example.org", site="http://testserver")
    assert OutgoingNotice.objects.count() == 1


def test_the_account_page_changes_no_address(signed_in: Client, ana: User) -> None:
    form = {"theme": "auto", "density": "compact", "zone": "UTC", "email": "new@example.org"}
    signed_in.post(reverse("account"), form)

    ana.refresh_from_db()
    assert (ana.density, ana.email) == ("compact", "ana@example.org")


def test_another_address_is_unproven_and_the_old_link_dead(signed_in: Client, ana: User) -> None:
    change(signed_in)
    link = mailed_link()
    signed_in.post(link)
    change(signed_in, "other@example.org")

    assert not is_proven(ana)
    assert signed_in.post(link).status_code == 404
    assert not is_proven(ana)


def test_a_link_is_of_one_account_and_of_one_day(
    signed_in: Client, ana: User, vic: User, settings: Any
) -> None:
    """Vic writes Ana's address into his account; she opens the link that she is mailed."""
    User.objects.filter(pk=vic.pk).update(email=ADDRESS)
    vic.refresh_from_db()
    vic_path = mail_proof.proof_path(vic)
    assert signed_in.post(vic_path).status_code == 404
    assert signed_in.post(reverse("account-mail-proof", args=["made-up"])).status_code == 404
    assert not is_proven(vic)

    User.objects.filter(pk=ana.pk).update(email=ADDRESS)
    ana.refresh_from_db()
    ana_path = mail_proof.proof_path(ana)
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert signed_in.post(ana_path).status_code == 404
    assert not is_proven(ana)


def test_one_account_proves_an_address(ana: User, vic: User) -> None:
    User.objects.filter(pk__in=[ana.pk, vic.pk]).update(email="a@example.org")
    ana.refresh_from_db()
    vic.refresh_from_db()
    assert mail_proof.prove(ana, "A@example.org")

    with pytest.raises(ValidationError, match="Another account here has proven"):
        mail_proof.prove(vic, "a@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():  # nor past the service
        User.objects.filter(pk=vic.pk).update(proven_email="a@example.org")
    assert mail_proof.find_proven_account("A@EXAMPLE.org") == ana

    User.objects.filter(pk=ana.pk).update(email="else@example.org")
    assert mail_proof.find_proven_account("a@example.org") is None
    assert mail_proof.prove(vic, "a@example.org")


def test_a_proof_is_of_the_present_address_and_noted_once(ana: User) -> None:
    assert not mail_proof.prove(ana, "other@example.org")
    assert not is_proven(ana)

    assert mail_proof.prove(ana, ana.email)
    assert mail_proof.prove(ana, ana.email)

    assert AuditEvent.objects.filter(action="mail-proven").count() == 1


def test_two_tabs_of_one_account_prove_its_address(ana: User) -> None:
    earlier_user = User.objects.get(pk=ana.pk)

    assert mail_proof.prove(ana, ana.email)
    assert mail_proof.prove(earlier_user, ana.email)

    assert is_proven(ana)


def test_proven_addresses_of_others_stay_proven(ana: User, vic: User) -> None:
    assert mail_proof.prove(vic, vic.email)
    assert mail_proof.prove(ana, ana.email)

    assert is_proven(ana)
    assert is_proven(vic)


def test_of_two_who_prove_an_address_at_one_moment_one_is_refused(
    ana: User, vic: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = User.save

    def save_after_vic(user: User, **options: Any) -> None:
        User.objects.filter(pk=vic.pk).update(email=user.email, proven_email=user.proven_email)
        save(user, **options)

    monkeypatch.setattr(User, "save", save_after_vic)

    with pytest.raises(ValidationError, match="Another account here has proven"):
        mail_proof.prove(ana, ana.email)
    assert not is_proven(ana)


@pytest.mark.parametrize("address", ["", "stra\u00dfe@example.org"])
def test_no_account_is_found_by_an_address_that_cannot_be_told(address: str, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(email=address)
    ana.refresh_from_db()

    with pytest.raises(ValidationError):
        mail_proof.prove(ana, address)
    assert mail_proof.find_proven_account(address) is None


def test_who_has_no_password_changes_it_with_the_session(signed_in: Client, ana: User) -> None:
    ana.set_unusable_password()
    ana.save()
    signed_in.force_login(ana)
    change(signed_in, password="")

    ana.refresh_from_db()
    assert ana.email == ADDRESS


def test_one_link_waits_for_an_address(signed_in: Client) -> None:
    change(signed_in)
    change(signed_in)
    assert OutgoingNotice.objects.count() == 1

    change(signed_in, "other@example.org")
    outbox.send_due()

    assert [message.to for message in mail.outbox] == [["other@example.org"]]
    states = OutgoingNotice.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["dropped", "sent"]


def test_without_a_mail_server_none_is_mailed(client: Client, ana: User, settings: Any) -> None:
    settings.CAN_MAIL = False
    client.force_login(ana)
    assert "sends no mail" in client.get(PAGE).content.decode()
    change(client)

    assert OutgoingNotice.objects.filter(due__lte=timezone.now()).count() == 0
