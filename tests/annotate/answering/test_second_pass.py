"""The second pass: each person against themselves, days later, and in no ground truth."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate import blind
from annotate.answering import queries, second_pass
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.campaigns import services as campaigns
from annotate.models import Assignment, Campaign, GroundTruth, Mark, Task
from people.models import Study, User
from series.models import Series
from tests.replayed_rows import replayed


@pytest.mark.parametrize(
    ("answered_count", "share", "expected_size"),
    [(586, 0.1, 59), (100, 0.1, 20), (12, 0.1, 12), (0, 0.1, 0), (586, 0.0, 0), (10, 1.0, 10)],
)
def test_a_share_but_at_least_twenty_or_all(
    answered_count: int, share: float, expected_size: int
) -> None:
    assert second_pass.second_pass_size(answered_count, share) == expected_size


@pytest.fixture
@replayed
def first_pass(
    study: Study, make_series: Callable[..., Series], ana: User, ben: User, olga: User
) -> Campaign:
    """24 series, of which ana has answered all and ben one."""
    series = [make_series([1.0, 2.0, 3.0, 4.0 + fork], fork=fork) for fork in range(24)]
    campaign = campaigns.create(
        study,
        campaigns.CampaignSpec(
            name="First",
            series=[series_row.pk for series_row in series],
            annotators=[ana, ben],
            second_share=0.1,
            seed=2,
        ),
        by=olga,
    )
    campaigns.open_campaign(campaign)
    for task in campaign.tasks.all():
        answer(task, ana, 1)
    answer(campaign.tasks.get(position=1), ben, 3)
    return Campaign.objects.get(pk=campaign.pk)


def answer(task: Task, by: User, index: int | None) -> None:
    kind = "never" if index is None else "steady"
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, index=index)


def days_pass(days: int) -> None:
    Mark.objects.update(when=timezone.now() - timedelta(days=days))


def series_of(campaign: Campaign, user: User) -> list[int]:
    assignments = Assignment.objects.filter(user=user, task__campaign=campaign).order_by("order")
    return list(assignments.values_list("task__series__fork", flat=True))


def test_it_opens_so_many_days_after_the_last_answer(
    first_pass: Campaign, ana: User, ben: User
) -> None:
    second_pass.deal_due_passes(ana)
    due_time = second_pass.due(first_pass, ana)
    assert due_time is not None
    assert (due_time.is_open, due_time.series) == (False, 20)
    assert second_pass.due(first_pass, ben) is None  # has not answered all

    days_pass(8)
    second_pass.deal_due_passes(ana)
    second_pass.deal_due_passes(ana)
    second_pass.deal_due_passes(ben)

    second_campaign = first_pass.second_passes.get()
    assert (second_campaign.purpose, second_campaign.state) == ("repeat", "open")
    assert len(series_of(second_campaign, ana)) == 20
    assert series_of(second_campaign, ben) == []
    assert second_pass.due(first_pass, ana) is None


def test_the_draw_and_its_order_follow_the_seed(first_pass: Campaign, ana: User) -> None:
    second_campaign = second_pass.deal(first_pass, ana)
    drawn_forks = series_of(second_campaign, ana)
    second_campaign.delete()

    assert series_of(second_pass.deal(first_pass, ana), ana) == drawn_forks
    first_forks = [fork for fork in series_of(first_pass, ana) if fork in drawn_forks]
    assert sorted(first_forks) == sorted(drawn_forks)
    assert first_forks != drawn_forks


def test_first_answers_are_kept_back_until_the_pass_is_complete(
    client: Client, first_pass: Campaign, ana: User
) -> None:
    days_pass(8)
    client.force_login(ana)
    client.get(reverse("home"))
    second_campaign = first_pass.second_passes.get()
    own_address = reverse("campaign-mine", args=[first_pass.study.slug, first_pass.slug])
    tasks = list(second_campaign.tasks.filter(assignments__user=ana))
    series = Series.objects.exclude(pk__in=blind.open_series(ana))

    assert b"20 answers are not shown until" in client.get(own_address).content
    assert len(queries.queue(ana, first_pass)) == series.count() == 4
    for task in tasks[:-1]:
        answer(task, ana, 2)
    old_task = first_pass.tasks.get(series=tasks[0].series)
    assert client.get(old_task.get_absolute_url()).status_code == 404
    assert series.all().count() == 4

    answer(tasks[-1], ana, 2)

    assert b"are not shown" not in client.get(own_address).content
    assert len(queries.queue(ana, first_pass)) == series.all().count() == 24
    assert client.get(old_task.get_absolute_url()).status_code == 200


def test_second_answers_make_no_ground_truth_and_change_none(
    first_pass: Campaign, ana: User
) -> None:
    truths_before = list(GroundTruth.objects.values_list("task", "marks_digest"))

    second_campaign = second_pass.deal(first_pass, ana)
    for task in second_campaign.tasks.all():
        answer(task, ana, None)

    assert list(GroundTruth.objects.values_list("task", "marks_digest")) == truths_before
    assert campaigns.stale_truth_tasks(second_campaign) == []


def test_each_person_is_compared_with_themselves(
    client: Client, first_pass: Campaign, ana: User, olga: User
) -> None:
    days_pass(8)
    second_campaign = second_pass.deal(first_pass, ana)
    for number, task in enumerate(second_campaign.tasks.order_by("position")):
        answer(task, ana, None if number < 2 else [1, 3, 0][number % 3])
    original_campaign = second_campaign.repeats
    assert original_campaign is not None
    campaigns.close(original_campaign, by=olga)

    pairs = second_pass.answer_pairs(first_pass, olga)
    (line,) = second_pass.consistency(pairs)

    assert (line.n, line.voted, line.same, line.both, line.difference) == (20, 20, 18, 18, 1)
    name = first_pass.annotators.get(user=ana).pseudonym
    assert {pair.pseudonym for pair in pairs} == {line.pseudonym} == {name}
    assert all(pair.task.campaign_id == first_pass.pk for pair in pairs)
    assert {pair.first.index for pair in pairs} == {1}
    client.force_login(olga)
    page = client.get(first_pass.get_absolute_url(), {"tab": "progress"}).content.decode()
    assert "Each person against themselves" in page


def test_what_is_answered_a_second_time_is_read_by_nobody_blind(
    first_pass: Campaign, ana: User, ben: User
) -> None:
    days_pass(8)
    second_campaign = second_pass.deal(first_pass, ana)
    for task in second_campaign.tasks.all():
        answer(task, ana, 2)

    ben_pairs = second_pass.answer_pairs(first_pass, ben)

    ben_series_id = first_pass.tasks.get(position=1).series_id
    assert {pair.task.series_id for pair in ben_pairs} <= {ben_series_id}
    assert (
        len(second_pass.answer_pairs(first_pass, ana))
        == len(second_pass.answer_pairs(first_pass, EVERYTHING))
        == 20
    )


def test_after_the_last_answer_the_page_says_when_it_opens(
    client: Client, first_pass: Campaign, ana: User
) -> None:
    client.force_login(ana)
    address = reverse("annotate", args=[first_pass.study.slug, first_pass.slug])
    assert "second pass, 20 of your" in client.get(address).content.decode()

    days_pass(8)

    assert "Begin the second pass" in client.get(address).content.decode()
