"""The audit log: who did what, when, from where; owners read their study's, staff all of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.removal import services as removal
from annotate.campaigns import services as campaigns
from annotate.models import Campaign, Task
from people import audit, services, tokens
from people.audit import Action
from people.models import AuditEvent, Study, User
from people.models.audit_event import AppendOnlyError
from tests.conftest import PASSWORD


def lines(*columns: str) -> list[Any]:
    """The log in the order in which it was written."""
    return list(AuditEvent.objects.order_by("pk").values_list(*columns, flat=len(columns) == 1))


def test_a_sign_in_is_noted_with_name_address_and_request(
    client: Client, ana: User, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1
    address, credentials = reverse("sign-in"), {"username": "ana", "password": PASSWORD}

    client.post(address, credentials, headers={"X-Forwarded-For": "6.6.6.6, 192.0.2.7"})
    response = client.post(reverse("sign-out"))

    assert lines("action", "person_name", "address") == [
        ("sign-in", "ana", "192.0.2.7"),
        ("sign-out", "ana", "127.0.0.1"),
    ]
    assert lines("request_id")[1] == response.headers["X-Request-ID"]


def test_a_refused_sign_in_keeps_no_name_that_nobody_has(client: Client, ana: User) -> None:
    for name in ("ana", "my-secret-password"):
        client.post(reverse("sign-in"), {"username": name, "password": "wrong"})

    assert lines("action", "person_name", "what") == [
        ("sign-in-refused", "ana", ""),
        ("sign-in-refused", "", "of a name that nobody has"),
    ]


@pytest.fixture
def acts(study: Study, task: Task, olga: User, vic: User) -> list[tuple[Callable[[], object], str]]:
    """What people do, and the line that tells of it."""
    token, _ = tokens.make_token(study, by=olga, name="Nightly", scopes=["read"], days=None)
    link = services.create_invitation(study, by=olga, role="viewer", name="Dina")
    used_invitation = services.create_invitation(study, by=olga, role="owner")
    draft = Campaign.objects.create(study=study, name="Draft", slug="draft")
    return [
        (lambda: services.accept(used_invitation, by=vic), "joined|vic|as owner"),
        (lambda: services.revoke_invitation(link), "invitation-revoked||Dina as viewer"),
        (
            lambda: services.change_role(study, user=vic, role="viewer"),
            "role||vic: owner to viewer",
        ),
        (lambda: services.remove_member(study, user=vic), "member-removed||vic, viewer"),
        (lambda: tokens.revoke_token(token), "token-revoked||Nightly (read)"),
        (lambda: campaigns.close(task.campaign, by=olga), "campaign-closed|olga|First look"),
        (lambda: campaigns.open_campaign(task.campaign), "campaign-opened||First look"),
        (lambda: removal.remove_from_study(draft, user=olga), "removed|olga|campaign Draft"),
        (
            lambda: removal.restore_removal(study.removals.get(), user=olga),
            "restored|olga|campaign Draft",
        ),
    ]


def test_every_act_is_one_line_of_its_study(
    acts: list[tuple[Callable[[], object], str]], study: Study
) -> None:
    assert lines("action") == ["token-made", "invited", "invited"]

    for act, _ in acts:
        act()

    audit_lines = ["|".join(cells) for cells in lines("action", "person_name", "what")[3:]]
    assert audit_lines == [line for _, line in acts]
    assert set(lines("study_name")) == {study.name}


def test_an_act_that_is_refused_leaves_no_line(study: Study, olga: User) -> None:
    with pytest.raises(services.ValidationError):
        services.remove_member(study, user=olga)

    assert lines("action") == []


def test_a_purged_study_stays_in_the_log(study: Study, olga: User) -> None:
    study_removal = removal.remove_from_study(study, user=olga)
    removal.purge_removal(study_removal)

    assert not Study.every.exists()
    assert lines("action", "person_name", "study_name") == [
        ("removed", "olga", study.name),
        ("purged", "", study.name),
    ]


def test_a_file_is_noted_with_its_address_and_a_page_is_not(
    as_vic: Client, study: Study, task: Task
) -> None:
    page_address = reverse("people", args=[study.slug])
    file_address = reverse("dataset-values", args=[study.slug, "nightly"])

    as_vic.get(page_address)
    as_vic.get(f"{file_address}?system=example")

    assert lines("action", "person_name", "study", "what") == [
        ("export", "vic", study.pk, f"{file_address}?system=example")
    ]


def test_a_file_of_a_program_is_noted_with_its_token(
    client: Client, study: Study, task: Task, olga: User
) -> None:
    _, text = tokens.make_token(study, by=olga, name="Nightly", scopes=["read"], days=None)
    address = "/api/v1/datasets/nightly/values.csv"

    answer = client.get(address, headers={"Authorization": f"Bearer {text}"})

    assert answer.status_code == 200
    assert lines("action", "person_name", "study", "what")[1:] == [
        ("export", "olga", study.pk, f"{address}, with token Nightly")
    ]


def test_what_staff_do_in_a_terminal_is_noted_without_an_address(ana: User) -> None:
    call_command("staff", "ana", stdout=io.StringIO())
    call_command("password_link", "ana", stdout=io.StringIO())

    assert lines("action", "person_name", "address", "what") == [
        ("staff", "", "", "ana is staff"),
        ("password-link", "", "", "for ana"),
    ]


# --- nothing is taken back ------------------------------------------------------------------------
def test_no_line_is_changed_or_removed_through_the_model(study: Study) -> None:
    audit.record(Action.EXPORTED, "a.csv", study=study)
    line = AuditEvent.objects.get()

    for act in (
        line.save,
        line.delete,
        AuditEvent.objects.all().delete,
        lambda: AuditEvent.objects.update(what="b.csv"),
        lambda: AuditEvent.objects.bulk_update([line], ["what"]),
        lambda: AuditEvent.objects.update_or_create(pk=line.pk, defaults={"what": "b.csv"}),
    ):
        with pytest.raises(AppendOnlyError, match="never changed"), transaction.atomic():
            act()
    assert lines("what") == ["a.csv"]


def test_the_database_itself_refuses_a_change(study: Study) -> None:
    audit.record(Action.EXPORTED, "a.csv", study=study)
    line = AuditEvent.objects.get()

    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        AuditEvent.objects.bulk_create(
            [AuditEvent(pk=line.pk, action="export", what="b.csv", when=line.when)],
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["what"],
        )
    assert lines("what") == ["a.csv"]


@pytest.mark.parametrize(("days", "left"), [(10, ["new"]), (0, ["old", "new"])])
def test_lines_end_with_the_setting(db: None, settings: Any, days: int, left: list[str]) -> None:
    settings.AUDIT_DAYS = days
    for what, age in (("old", 11), ("new", 9)):
        [line] = AuditEvent.objects.bulk_create([AuditEvent(action="export", what=what)])
        when = timezone.now() - timedelta(days=age)
        AuditEvent.objects.filter(pk=line.pk)._raw_delete("default")
        line.when, line._state.adding = when, True
        fields = AuditEvent._meta.concrete_fields
        rows: Any = AuditEvent.objects.all()
        rows._insert([line], fields, raw=True, using="default")

    audit.forget_old_events()

    assert lines("what") == left


# --- reading --------------------------------------------------------------------------------------
@pytest.fixture
def two_studies(study: Study, olga: User, ana: User) -> Study:
    """Two lines of the study, one of another, one of none."""
    other_study = Study.objects.create(name="Other", slug="other")
    audit.record(Action.EXPORTED, "a.csv", study=study, by=olga)
    audit.record(Action.ROLE_CHANGED, "vic: viewer to owner", study=study, by=olga)
    audit.record(Action.EXPORTED, "secret.csv", study=other_study, by=ana)
    audit.record(Action.SIGNED_IN, by=ana)
    return study


def event_texts(client: Client, name: str, *arguments: str, **query: str) -> list[str]:
    """The column `what` of the file, without the line that tells of this very file."""
    answer: Any = client.get(reverse(name, args=arguments), query)
    text = b"".join(answer.streaming_content).decode()
    rows = csv.DictReader(io.StringIO(text))
    return [row["what"] for row in rows if "/audit/file/" not in row["what"]]


def test_an_owner_reads_the_lines_of_their_study_alone(
    client: Client, two_studies: Study, olga: User
) -> None:
    client.force_login(olga)

    page = client.get(reverse("study-audit", args=[two_studies.slug])).content.decode()

    assert "a.csv" in page
    assert "secret.csv" not in page
    assert event_texts(client, "study-audit-file", two_studies.slug) == [
        "vic: viewer to owner",
        "a.csv",
    ]
    assert client.get(reverse("audit")).status_code == 403
    assert client.get(reverse("audit-file")).status_code == 403


def test_staff_read_all_of_it(client: Client, two_studies: Study, stranger: User) -> None:
    User.objects.filter(pk=stranger.pk).update(is_staff=True)
    client.force_login(stranger)

    page = client.get(reverse("audit")).content.decode()

    assert "secret.csv" in page
    assert "signed in" in page
    assert len(event_texts(client, "audit-file")) == 4


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ({"action": "role"}, ["vic: viewer to owner"]),
        ({"q": "A.CSV"}, ["a.csv"]),
        ({"q": "olga"}, ["vic: viewer to owner", "a.csv"]),
        ({"from": "2100-01-01"}, []),
        ({"to": "2000-01-01"}, []),
        ({"from": "2000-01-01", "to": "9999-12-31"}, ["vic: viewer to owner", "a.csv"]),
    ],
)
def test_a_filter_narrows_page_and_file(
    query: dict[str, str], what: list[str], client: Client, two_studies: Study, olga: User
) -> None:
    client.force_login(olga)

    page = client.get(reverse("study-audit", args=[two_studies.slug]), query).content.decode()

    assert event_texts(client, "study-audit-file", two_studies.slug, **query) == what
    assert page.count("data-event=") == len(what)


def test_a_date_that_is_none_is_told(client: Client, study: Study, olga: User) -> None:
    client.force_login(olga)

    page = client.get(reverse("study-audit", args=[study.slug]), {"from": "soon"}).content.decode()

    assert "from takes a date" in page


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Pacific/Kiritimati"])
@pytest.mark.parametrize("days", ["from=0001-01-01", "from=9999-12-31", "to=9999-12-30"])
def test_days_at_the_ends_of_the_calendar_are_days(
    client: Client, study: Study, olga: User, zone: str, days: str
) -> None:
    """They have no midnight in UTC where a zone is ahead of it, or behind."""
    olga.zone = zone
    olga.save()
    client.force_login(olga)

    for route in ("study-audit", "study-audit-file"):
        answer = client.get(f"{reverse(route, args=[study.slug])}?{days}&to=9999-12-31")
        assert answer.status_code == 200
        assert b"".join(answer) or days == "from=9999-12-31"


def test_the_opened_fold_is_where_the_page_begins(client: Client, study: Study, olga: User) -> None:
    client.force_login(olga)

    page = client.get(reverse("study-audit", args=[study.slug])).content.decode()

    assert page.count("data-focus") == 1
    assert page.index('id="audit"') < page.index("data-focus")
