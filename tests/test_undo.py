"""*Undo* of every click that changes something: the message's form puts back what was there."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import signing
from django.test import Client
from django.urls import reverse

from annotate.answering.services import save_mark
from annotate.campaigns import invitations
from annotate.models import Campaign, CampaignInvitation, Task
from people import undo
from people.models import Study, User
from tests.access_table import TABLE, World
from tests.test_access import address, world  # noqa: F401  # a fixture

LOGS = {"AuditEvent", "AlarmEntry", "LogEntry", "Session", "OutgoingNotice", "Removal", "User"}
TIMES = {"id", "when", "opened_at"}
ROOMS = ("people", "series", "annotate", "analysis")


class UndoForms(HTMLParser):
    """Forms of a page that have a button *Undo* in a message: address and hidden fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.feed(page.partition("data-messages")[2].partition('class="title"')[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((attributes["action"], {}))
        elif tag == "input":
            self.forms[-1][1][attributes["name"]] = attributes["value"]


def stored_rows() -> dict[str, list[str]]:
    """Every row that people work with, without its key and the time of its change."""
    models = [
        model
        for room in ROOMS
        for model in apps.get_app_config(room).get_models()
        if model.__name__ not in LOGS and hasattr(model, "objects")
    ]
    return {
        model.__name__: sorted(
            str({name: row[name] for name in sorted(row) if name not in TIMES})
            for row in model.objects.values()
        )
        for model in models
    }


def click(client: Client, address: str, posted: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Address and fields of the *Undo* that the page after a click offers."""
    response = client.post(address, posted, follow=True)
    [form] = UndoForms(response.content.decode()).forms
    return form


CLICKS: Mapping[str, Mapping[str, Any]] = {
    "invitation-revocation": {},
    "campaign-invitation-revocation": {},
    "member-role": {"role": "annotator"},
    "member-removal": {},
    "token-revocation": {},
    "campaign-closure": {},
    "campaign-archiving": {},
    "problem-closure": {},
    "benchmark-direction": {"better": "more"},
    "method-set-removal": {},
    "preset-removal": {},
    "run-cancellation": {},
    "rename": {"name": "Another name"},
    "removal-new": {"name": "First look"},
}


@pytest.mark.parametrize("name", CLICKS)
def test_undo_puts_back_what_a_click_changed(
    name: str,
    world: World,  # noqa: F811
    olga: User,
    client: Client,
) -> None:
    client.force_login(olga)
    if name == "run-cancellation":
        run = apps.get_model("analysis", "Run").objects.get(public_id=world["run"])
        run.units.create(detector_key="fixed@1?iteration=3", size=0)
    if name == "campaign-archiving":
        Campaign.objects.update(state=Campaign.State.CLOSED)
    rows_before = stored_rows()

    undo_address, fields = click(client, address(name, TABLE[name], world), CLICKS[name])
    assert stored_rows() != rows_before

    assert client.post(undo_address, fields).status_code == 302
    assert stored_rows() == rows_before


@pytest.mark.parametrize("page", ["invitation-revocation", "campaign-invitation-revocation"])
def test_an_earlier_undo_brings_no_link_back_beside_its_renewal(
    page: str,
    world: World,  # noqa: F811
    olga: User,
    client: Client,
) -> None:
    client.force_login(olga)
    [campaign_invitation] = CampaignInvitation.objects.all()
    undo = click(client, address(page, TABLE[page], world), {})
    client.post(*undo)
    invitations.renew(campaign_invitation, by=olga)
    rows_before = stored_rows()

    answer = client.post(*undo, follow=True)

    assert "Nothing changed" in answer.content.decode()
    assert stored_rows() == rows_before


@pytest.mark.parametrize(
    "page", ["invitation-revocation", "campaign-invitation-revocation", "token-revocation"]
)
@pytest.mark.parametrize("signed_by", ["this version", "an older one"])
def test_an_earlier_undo_leaves_what_was_revoked_again(
    page: str,
    signed_by: str,
    world: World,  # noqa: F811
    olga: User,
    client: Client,
) -> None:
    """An older version signed no time: its buttons are good for an hour after an update."""
    client.force_login(olga)
    revocation = address(page, TABLE[page], world)
    undo_address, fields = click(client, revocation, {})
    if signed_by == "an older one":
        fields[undo.STATE] = signing.dumps({}, salt=undo_address, compress=True)
    else:
        client.post(undo_address, fields)
        client.post(revocation)
    rows_before = stored_rows()

    answer = client.post(undo_address, fields, follow=True)

    assert "Nothing changed" in answer.content.decode()
    assert stored_rows() == rows_before


def test_opening_a_draft_is_undone_until_somebody_has_answered(
    client: Client, olga: User, ana: User, task: Task
) -> None:
    client.force_login(olga)
    draft = task.campaign
    Campaign.objects.filter(pk=draft.pk).update(state="draft")
    opening = reverse("campaign-opening", args=[draft.study.slug, draft.slug])

    client.post(*click(client, opening, {}))
    draft.refresh_from_db()
    assert (draft.state, draft.opened_at) == ("draft", None)

    address = click(client, opening, {})
    save_mark(task, by=ana, kind="steady", index=40, client_id=uuid4(), digest=task.series.digest)
    client.post(*address)
    draft.refresh_from_db()
    assert draft.state == "open"


def test_a_state_that_nobody_signed_for_the_address_is_refused(
    client: Client, study: Study, olga: User, stranger: User, vic: User
) -> None:
    """Nobody can make a stranger a member by the undo of a removal that never was."""
    client.force_login(olga)
    of_vic = reverse("member-removal", args=[study.slug, vic.username])
    _, fields = click(client, of_vic, {})
    of_stranger = reverse("member-removal", args=[study.slug, stranger.username])

    assert client.post(of_stranger, fields).status_code == 403
    assert client.post(of_stranger, {"undo": "made up"}).status_code == 403
    assert not study.memberships.filter(user=stranger).exists()


def test_an_undo_is_good_for_an_hour(
    client: Client, study: Study, olga: User, vic: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(olga)
    undo_address, fields = click(client, reverse("member-removal", args=[study.slug, "vic"]), {})
    monkeypatch.setattr(undo, "SECONDS", -1)

    assert client.post(undo_address, fields).status_code == 403
