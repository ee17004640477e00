"""Screening: whether a series becomes steady, and then marks on the very same forks."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate import blind
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.campaigns import services as campaigns
from annotate.importing import screening
from annotate.models import Campaign, GroundTruth, Mark, Task
from people.models import Study, User
from series.models import Series
from tests.test_undo import click, stored_rows


@pytest.fixture
def five_series(make_series: Callable[..., Series]) -> list[Series]:
    """Not the lowest forks: what is marked must be what was judged."""
    return [make_series([1.0, 2.0, 3.0 + fork], fork=fork) for fork in (3, 5, 8, 13, 21)]


@pytest.fixture
def screened_campaign(
    study: Study, five_series: list[Series], ana: User, ben: User, olga: User
) -> Campaign:
    """Open, with three people and five series."""
    campaign = campaigns.create(
        study,
        campaigns.CampaignSpec(
            name="Screen",
            series=[series_row.pk for series_row in five_series],
            annotators=[ana, ben, olga],
            purpose=Campaign.Purpose.SCREENING,
            seed=4,
        ),
        by=None,
    )
    campaigns.open_campaign(campaign)
    return Campaign.objects.get(pk=campaign.pk)


def vote(task: Task, by: User, kind: str) -> Mark:
    note = "Two levels." if kind == "unclear" else ""
    digest = task.series.digest
    return save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, note=note)


def votes(campaign: Campaign, people: list[User], answers: dict[int, str]) -> None:
    """A letter a person, by fork: s, n or u; a blank is no answer."""
    kinds = {"s": "steady", "n": "never", "u": "unclear"}
    for fork, letters in answers.items():
        task = campaign.tasks.get(series__fork=fork)
        for person, letter in zip(people, letters, strict=True):
            if letter in kinds:
                vote(task, person, kinds[letter])


def test_the_majority_of_the_votes_judges_and_unclear_is_no_vote(
    screened_campaign: Campaign, ana: User, ben: User, olga: User
) -> None:
    answers = {3: "sss", 5: "ssn", 8: "snu", 13: "nns", 21: "uuu"}
    votes(screened_campaign, [ana, ben, olga], answers)

    verdict_by_fork = {
        screened_series_row.task.series.fork: screened_series_row.verdict
        for screened_series_row in screening.screened_series(screened_campaign, EVERYTHING)
    }

    assert verdict_by_fork == {3: "steady", 5: "steady", 8: "tied", 13: "never", 21: "no vote"}
    assert not GroundTruth.objects.exists()


def test_an_answer_of_a_screening_has_no_iteration_and_every_other_has(
    screened_campaign: Campaign, task: Task, ana: User
) -> None:
    judged_task = screened_campaign.tasks.first()
    assert judged_task is not None
    digest = judged_task.series.digest

    assert vote(judged_task, ana, "steady").index is None
    with pytest.raises(ValidationError, match="A screening asks for no iteration"):
        save_mark(judged_task, by=ana, client_id=uuid4(), digest=digest, kind="steady", index=1)
    with pytest.raises(ValidationError, match="Say from which iteration on"):
        vote(task, ana, "steady")


@pytest.mark.parametrize(("with_ties", "forks"), [(False, [3, 5]), (True, [3, 5, 8])])
def test_what_was_judged_steady_is_marked_on_the_same_forks(
    *,
    with_ties: bool,
    forks: list[int],
    screened_campaign: Campaign,
    ana: User,
    ben: User,
    olga: User,
) -> None:
    answers = {3: "sss", 5: "ssn", 8: "snu", 13: "nns", 21: "uuu"}
    votes(screened_campaign, [ana, ben, olga], answers)

    follow_up = screening.mark_steady(screened_campaign, by=olga, with_ties=with_ties)

    assert sorted(follow_up.tasks.to_mark().values_list("series__fork", flat=True)) == forks
    assert sorted(follow_up.tasks.values_list("series__fork", flat=True)) == [3, 5, 8, 13, 21]
    assert (follow_up.state, follow_up.purpose, follow_up.follows) == (
        "draft",
        "annotate",
        screened_campaign,
    )
    assert follow_up.annotators.human().count() == 3
    screened_campaign.refresh_from_db()
    assert screened_campaign.state == Campaign.State.CLOSED
    with pytest.raises(ValidationError, match="marks what was judged steady here already"):
        screening.mark_steady(screened_campaign, by=olga)


@pytest.mark.parametrize("is_opened", [False, True])
def test_marking_those_judged_steady_is_undone_until_the_draft_is_open(
    screened_campaign: Campaign,
    ana: User,
    ben: User,
    olga: User,
    client: Client,
    *,
    is_opened: bool,
) -> None:
    votes(screened_campaign, [ana, ben, olga], {3: "sss", 5: "ssn"})
    client.force_login(olga)
    rows_before = stored_rows()

    undo = click(
        client,
        reverse("campaign-marking", args=[screened_campaign.study.slug, screened_campaign.slug]),
        {},
    )
    if is_opened:
        campaigns.open_campaign(screened_campaign.followed_by.get())
    client.post(*undo)

    assert (stored_rows() == rows_before) is not is_opened
    screened_campaign.refresh_from_db()
    assert screened_campaign.state == ("closed" if is_opened else "open")


def test_an_edited_draft_of_those_judged_steady_is_kept(
    screened_campaign: Campaign, ana: User, ben: User, olga: User, client: Client
) -> None:
    votes(screened_campaign, [ana, ben, olga], {3: "sss", 5: "ssn"})
    client.force_login(olga)
    undo = click(
        client,
        reverse("campaign-marking", args=[screened_campaign.study.slug, screened_campaign.slug]),
        {},
    )
    campaigns.change_instructions(screened_campaign.followed_by.get(), "Look at the tail.")
    rows_before = stored_rows()

    response = client.post(*undo, follow=True)

    assert "was edited" in response.content.decode()
    assert stored_rows() == rows_before


def test_every_edit_of_a_draft_changes_its_digest(
    screened_campaign: Campaign, ana: User, ben: User, olga: User
) -> None:
    votes(screened_campaign, [ana, ben, olga], {3: "sss", 5: "ssn"})
    follow_up = screening.mark_steady(screened_campaign, by=olga)
    digests = {screening.draft_digest(follow_up)}

    for number, edit in enumerate(
        (
            lambda: campaigns.rename_campaign(follow_up, "Marked at last"),
            lambda: campaigns.change_instructions(follow_up, "Look at the tail."),
            lambda: campaigns.remove_annotators(follow_up, [ana.pk]),
            lambda: campaigns.change_cap(follow_up, 1, links=None),
            lambda: Task.objects.filter(campaign=follow_up)[:1].get().delete(),
        ),
        start=2,
    ):
        edit()
        digests.add(screening.draft_digest(follow_up))
        assert len(digests) == number


def test_marking_those_judged_steady_undone_twice_says_that_the_draft_is_gone(
    screened_campaign: Campaign, ana: User, ben: User, olga: User, client: Client
) -> None:
    votes(screened_campaign, [ana, ben, olga], {3: "sss", 5: "ssn"})
    client.force_login(olga)
    undo = click(
        client,
        reverse("campaign-marking", args=[screened_campaign.study.slug, screened_campaign.slug]),
        {},
    )
    client.post(*undo)

    response = client.post(*undo, follow=True)

    assert response.status_code == 200
    assert "is gone already" in response.content.decode()


def test_with_nothing_judged_steady_nothing_is_made_and_nothing_closed(
    screened_campaign: Campaign,
) -> None:
    with pytest.raises(ValidationError, match="No series is judged steady yet"):
        screening.mark_steady(screened_campaign, by=None)

    screened_campaign.refresh_from_db()
    assert screened_campaign.state == Campaign.State.OPEN


def test_a_screening_keeps_its_people_blind_until_the_marks_are_asked(
    screened_campaign: Campaign, ana: User, ben: User, olga: User
) -> None:
    def visible_forks(user: User) -> list[int]:
        return sorted(
            visible_series_row.fork
            for visible_series_row in blind.visible_series(user, Series.objects.all())
        )

    answers = {3: "sss", 5: "ssn", 8: "snu", 13: "nns", 21: "uuu"}
    votes(screened_campaign, [ana, ben, olga], answers)
    assert visible_forks(ana) == visible_forks(olga) == []

    screening.mark_steady(screened_campaign, by=olga)

    assert visible_forks(ana) == visible_forks(olga) == [8, 13, 21]  # 3 and 5 are asked for again


def test_the_owner_goes_on_from_the_dashboard_and_reads_the_votes(
    client: Client, screened_campaign: Campaign, ana: User, ben: User, olga: User
) -> None:
    votes(screened_campaign, [ana, ben, olga], {3: "sss", 5: "ssn", 8: "snu", 13: "nns", 21: "uuu"})
    client.force_login(olga)
    page = client.get(screened_campaign.get_absolute_url()).content.decode()
    assert "Mark those judged steady" in page

    url_kwargs: dict[str, Any] = {
        "study": screened_campaign.study.slug,
        "campaign": screened_campaign.slug,
    }
    reply = client.post(reverse("campaign-marking", kwargs=url_kwargs))

    assert reply.headers["Location"].endswith("/screen-marked/edit/")
    truth_page = client.get(screened_campaign.get_absolute_url(), {"tab": "truth"}).content.decode()
    assert "3 of 5 series" in " ".join(
        truth_page.split()
    )  # two are asked for again, of the owner too
    assert "1 tied" in truth_page
    file = b"".join(client.get(reverse("ground-truth-csv", kwargs=url_kwargs)).streaming_content)  # type: ignore[attr-defined]
    rows = {row["fork"]: row for row in csv.DictReader(io.StringIO(file.decode()))}
    assert {fork: (row["answer"], row["majority"]) for fork, row in rows.items()} == {
        "8": ("undecided", "tied"),
        "13": ("never", "never"),
        "21": ("undecided", "no vote"),
    }
    assert (rows["13"]["steady_start"], rows["8"]["steady_start"]) == ("-1", "")
    assert sorted(rows["13"][name] for name in ("a1", "a2", "a3")) == ["never", "never", "steady"]
    assert [rows["13"][name] for name in ("steady", "never", "unclear")] == ["1", "2", "0"]


def test_the_page_asks_for_no_iteration(
    client: Client, screened_campaign: Campaign, ana: User
) -> None:
    client.force_login(ana)
    task = screened_campaign.tasks.get(position=1)

    response = client.get(task.get_absolute_url())

    assert response.context["page"]["screening"] is True
    assert b"data-answer-steady" in response.content
