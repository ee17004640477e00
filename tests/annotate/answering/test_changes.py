"""Answers that are all changes of level: what is stored, refused, shown and exported."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotate.answering.services import save_mark
from annotate.importing.outcome_table import outcome_table
from annotate.models import Campaign, GroundTruth, Mark, Task
from annotate.truth.level_changes import WITHOUT_CHANGE, changed_series
from formats import tables
from people.models import User
from series.models import Series

pytestmark = pytest.mark.django_db


@pytest.fixture
def changes_task(
    campaign: Campaign, make_series: Callable[..., Series], make_task: Callable[[Series], Task]
) -> Task:
    """A series of 50 values in a campaign that asks ana and ben for all changes of level."""
    campaign.purpose = Campaign.Purpose.CHANGES
    campaign.params = {"eps": 5, "min_samples": 2}
    campaign.save()
    return make_task(make_series([2.0] * 30 + [1.0] * 20))


def save_changes(task: Task, by: User, changes: list[int] | None, kind: str = "changes") -> Mark:
    return save_mark(
        task,
        by=by,
        client_id=uuid4(),
        digest=task.series.digest,
        kind=kind,
        changes=changes,
        note="two levels",
    )


def send_answer(client: Client, task: Task, **fields: str) -> tuple[int, str]:
    """Status and sentence of an answer that the page sends."""
    url_kwargs = {"study": task.campaign.study.slug, "campaign": task.campaign.slug}
    address = reverse("annotate-marks", kwargs={**url_kwargs, "position": task.position})
    page = client.get(reverse("annotate-data", kwargs={**url_kwargs, "position": task.position}))
    body = {"client_id": str(uuid4()), "digest": page.json()["digest"], **fields}
    reply = client.post(address, body)
    return reply.status_code, reply.json().get("sentence", "")


def test_the_page_sends_changes_with_spaces_between_them(
    client: Client, changes_task: Task, ana: User
) -> None:
    client.force_login(ana)

    assert send_answer(client, changes_task, kind="changes", changes="30 12 30") == (201, "")
    assert send_answer(client, changes_task, kind="changes", changes="") == (201, "")
    assert send_answer(client, changes_task, kind="unclear", note="noise") == (201, "")

    stored = Mark.objects.order_by("revision").values_list("kind", "index", "changes")
    assert list(stored) == [
        ("changes", None, [12, 30]),
        ("changes", None, []),
        ("unclear", None, None),
    ]
    assert not GroundTruth.objects.exists()


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("changes", "0"),
        ("changes", "50"),
        ("changes", "-3"),
        ("changes", "12 x"),
        ("changes", "٣"),
        ("changes", "1.5"),
        ("changes", "9" * 400),
        ("steady", ""),
        ("never", ""),
    ],
)
def test_what_is_no_change_is_refused(
    client: Client, changes_task: Task, ana: User, kind: str, changes: str
) -> None:
    client.force_login(ana)

    status, sentence = send_answer(client, changes_task, kind=kind, changes=changes, index="7")

    assert status == 422
    assert sentence
    assert not Mark.objects.exists()


def test_other_campaigns_take_no_changes(task: Task, ana: User) -> None:
    with pytest.raises(ValidationError, match="no changes of level"):
        save_changes(task, ana, [3])


@pytest.mark.parametrize("changes", [[3, 2], [2, 2], [True], ["2"], [[2]], None])
def test_only_rising_positions_are_stored(changes_task: Task, ana: User, changes: list) -> None:
    with pytest.raises(ValidationError):
        save_changes(changes_task, ana, changes)


def test_the_database_keeps_changes_to_their_kind(changes_task: Task, ana: User) -> None:
    mark = save_changes(changes_task, ana, [30])

    with pytest.raises(IntegrityError), transaction.atomic():
        Mark.objects.filter(pk=mark.pk).update(kind="unclear")
    with pytest.raises(IntegrityError), transaction.atomic():
        Mark.objects.filter(pk=mark.pk).update(changes=None)


def test_agreed_changes_follow_the_latest_marks(
    changes_task: Task, campaign: Campaign, ana: User, ben: User, olga: User
) -> None:
    save_changes(changes_task, ana, [4])
    save_changes(changes_task, ana, [12, 30])
    assert rows(campaign, olga) == [("", "", "incomplete", "12 30", "")]

    save_changes(changes_task, ben, [28, 45])

    assert rows(campaign, olga) == [("1", "30", "agreed", "12 30", "28 45")]
    save_changes(changes_task, ben, [])
    assert rows(campaign, olga) == [("", "", "disagree", "12 30", "none")]
    save_changes(changes_task, ana, [])
    assert rows(campaign, olga) == [("", "", "none", "none", "none")]


def rows(campaign: Campaign, reader: User) -> list[tuple[str, ...]]:
    head, *lines = "".join(tables.table_text(*outcome_table(campaign, reader))).splitlines()
    names = head.split(",")
    wanted_indices = [names.index(name) for name in ("change", "position", "agreement", "a1", "a2")]
    return [tuple(line.split(",")[index] for index in wanted_indices) for line in lines]


def test_nobody_sees_changes_before_their_own_answer(
    client: Client, changes_task: Task, campaign: Campaign, ana: User, ben: User
) -> None:
    save_changes(changes_task, ana, [12, 30])
    address = reverse("campaign", args=[campaign.study.slug, campaign.slug])
    client.force_login(ben)

    assert not changed_series(campaign, ben)
    assert "12 30" not in client.get(address, {"tab": "truth"}).content.decode()

    save_changes(changes_task, ben, [12, 30])

    assert len(changed_series(campaign, ben)) == 1
    assert "12 30" in client.get(address, {"tab": "truth"}).content.decode()


@pytest.mark.parametrize(
    ("asked", "words"),
    [("ben", "you have yet to answer it."), ("", "you have not been asked for it")],
)
def test_the_tab_says_why_a_series_is_left_out(
    client: Client, changes_task: Task, campaign: Campaign, ben: User, asked: str, words: str
) -> None:
    changes_task.assignments.exclude(user__username=asked).delete()
    client.force_login(ben)

    page = client.get(campaign.get_absolute_url(), {"tab": "truth"}).content.decode()

    assert words in page


def test_the_tab_tells_no_change_from_no_agreement(
    client: Client, changes_task: Task, campaign: Campaign, ana: User, ben: User, olga: User
) -> None:
    client.force_login(olga)
    outcomes = []
    for ana_changes, ben_changes in (([], []), ([30], []), ([30], None)):
        save_changes(changes_task, ana, ana_changes)
        save_changes(
            changes_task, ben, ben_changes, kind="unclear" if ben_changes is None else "changes"
        )
        page = client.get(campaign.get_absolute_url(), {"tab": "truth"}).text
        outcomes.append([words for words in WITHOUT_CHANGE.values() if words in page])

    assert outcomes == [["no change"], ["people disagree"], ["too few answers"]]


def test_marks_come_back_from_their_file(
    changes_task: Task, campaign: Campaign, ana: User, ben: User, tmp_path: Path
) -> None:
    save_changes(changes_task, ana, [12, 30])
    save_changes(changes_task, ben, [])
    file = tmp_path / "marks.csv"
    call_command("marks", "startup-times/first-look", output=file)

    call_command("import_marks", "startup-times/again", str(file))

    second_campaign = Campaign.objects.get(slug="again")
    assert second_campaign.asks_changes
    (changes,) = changed_series(second_campaign, ana)
    assert changes.answers == {"a1": (12, 30), "a2": ()}


def test_what_nobody_could_say_goes_back_into_its_campaign(
    changes_task: Task, campaign: Campaign, ana: User, tmp_path: Path
) -> None:
    save_changes(changes_task, ana, None, kind="unclear")
    file, output = tmp_path / "marks.csv", io.StringIO()
    call_command("marks", "startup-times/first-look", output=file)

    call_command("import_marks", "startup-times/first-look", str(file), stdout=output)

    assert "1 marks stored" in output.getvalue()
    assert output.getvalue().endswith("recipe agreed-changes (eps=5&min_samples=2)\n")


def test_fewer_people_than_a_change_needs_agree_on_nothing(
    changes_task: Task, campaign: Campaign, ana: User, olga: User, client: Client
) -> None:
    save_changes(changes_task, ana, [12, 30])
    Campaign.objects.update(state=Campaign.State.CLOSED)
    campaign.refresh_from_db()
    client.force_login(olga)

    page = client.get(campaign.get_absolute_url(), {"tab": "truth"}).content.decode()

    assert rows(campaign, olga) == [("", "", "too-few", "12 30", "")]
    assert "too few answers" in page


def test_more_changes_than_an_answer_has_are_named(
    campaign: Campaign,
    changes_task: Task,
    make_series: Callable[..., Series],
    make_task: Callable[[Series], Task],
    ana: User,
) -> None:
    long_task = make_task(make_series([1.0] * 1_100, fork=3))

    with pytest.raises(ValidationError, match="up to 1,000 changes; this one has 1,001"):
        save_changes(long_task, ana, list(range(1, 1_002)))


def test_annotations_are_their_lists(
    changes_task: Task, ana: User, ben: User, tmp_path: Path
) -> None:
    save_changes(changes_task, ana, [12, 30])
    save_changes(changes_task, ben, [])
    name = "startup-times/first-look"
    first_output, second_output = io.StringIO(), io.StringIO()
    call_command("marks", name, "--format=annotations", stdout=first_output)
    file = tmp_path / "annotations.json"
    file.write_text(first_output.getvalue())

    call_command("import_marks", "startup-times/all", file, format="annotations", all_changes=True)

    (annotators,) = json.loads(first_output.getvalue()).values()
    assert annotators == {"a1": [12, 30], "a2": []}
    call_command("marks", "startup-times/all", "--format=annotations", stdout=second_output)
    assert second_output.getvalue() == first_output.getvalue()
