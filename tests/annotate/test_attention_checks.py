"""Unannounced checks: among the others, told to the owner alone, and counted nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate import attention_checks
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.campaigns import services as campaigns
from annotate.models import Campaign, GroundTruth, Task
from annotate.truth import exports
from annotate.truth.results import results
from people.models import Study, User
from series.models import Series
from tests.annotate.campaign_page_data import edit_address


@pytest.fixture
def draft(study: Study, make_series: Callable[..., Series], olga: User, ana: User) -> Campaign:
    """Six series around 20 (of 300 values), for ana, with four checks among them."""
    series = [make_series(np.full(300, 20.0) + fork, fork=fork) for fork in range(6)]
    campaign_spec = campaigns.CampaignSpec(
        name="Checked", series=[series_row.pk for series_row in series], annotators=[ana], seed=5
    )
    campaign = campaigns.create(study, campaign_spec, by=olga)
    attention_checks.set_check_count(campaign, 4)
    return campaign


def answer(task: Task, by: User) -> None:
    kind, index = ("steady", task.expected.low) if _has_known_answer(task) else ("steady", 7)
    if _has_known_answer(task) and task.expected.never:
        kind, index = "never", None
    digest = task.series.digest
    save_mark(task, by=by, client_id=uuid4(), digest=digest, kind=kind, index=index)


def _has_known_answer(task: Task) -> bool:
    return hasattr(task, "expected")


def test_they_stand_among_the_others_and_look_like_them(draft: Campaign, ana: User) -> None:
    positions = {task.position for task in draft.tasks.filter(expected__isnull=False)}
    checks = Series.objects.filter(tasks__expected__isnull=False)

    assert sorted(draft.tasks.values_list("position", flat=True)) == list(range(1, 11))
    assert positions != {7, 8, 9, 10}
    assert ana.assignments.count() == 10
    assert {check.n for check in checks} == {300}
    assert {check.benchmark.unit for check in checks} == {"s/op"}
    assert all(15 < check.median < 60 for check in checks)


def test_their_number_changes_while_the_campaign_is_a_draft(draft: Campaign, ana: User) -> None:
    attention_checks.set_check_count(draft, 0)
    assert (draft.tasks.count(), ana.assignments.count()) == (6, 6)
    attention_checks.set_check_count(draft, 2)
    assert draft.tasks.count() == 8

    campaigns.open_campaign(draft)
    draft.refresh_from_db()

    with pytest.raises(ValidationError, match="fixed once the campaign is open"):
        attention_checks.set_check_count(draft, 3)


def test_shown_events_would_give_them_away(client: Client, draft: Campaign, olga: User) -> None:
    client.force_login(olga)
    form_data = {"sections": "blindness", "hide_names": "on", "show_events": "on"}
    assert "take them out first" in client.post(edit_address(draft), form_data).content.decode()
    attention_checks.set_check_count(draft, 0)
    client.post(edit_address(draft), form_data)

    draft.refresh_from_db()
    assert draft.show_events
    with pytest.raises(ValidationError, match="no events"):
        attention_checks.set_check_count(draft, 2)


def test_shown_names_would_give_them_away(client: Client, draft: Campaign, olga: User) -> None:
    client.force_login(olga)
    form_data = {"sections": "blindness", "hide_values": "on"}
    assert "take them out first" in client.post(edit_address(draft), form_data).content.decode()
    attention_checks.set_check_count(draft, 0)
    draft.hide_names = False

    with pytest.raises(ValidationError, match="Checks need hidden names"):
        attention_checks.set_check_count(draft, 1)


def test_they_count_nowhere_and_the_owner_is_told_a_share(
    client: Client, draft: Campaign, ana: User, olga: User
) -> None:
    campaigns.open_campaign(draft)
    for task in draft.tasks.all():
        answer(task, ana)

    assert GroundTruth.objects.count() == 6
    assert len(list(results(draft, EVERYTHING))) == 6
    assert "".join(exports.marks_csv(draft, EVERYTHING)).count("\n") == 7
    assert "".join(exports.ground_truth_csv(draft, EVERYTHING)).count("\n") == 7
    assert attention_checks.check_scores(draft) == {ana.pk: attention_checks.CheckScore(4.0, 4)}
    client.force_login(olga)
    response = client.get(draft.get_absolute_url())
    assert response.context["bars"][0].checks == attention_checks.CheckScore(4.0, 4)
    assert "Checks" in response.content.decode()
    client.force_login(ana)
    response = client.get(draft.get_absolute_url())
    assert "Checks" not in response.content.decode()
    assert response.context["counted"] == sum(n for _, n in response.context["coverage"]) == 10


def test_a_campaign_of_everything_leaves_series_with_a_known_answer_out(
    client: Client, draft: Campaign, olga: User
) -> None:
    client.force_login(olga)
    data = {"name": "All", "rule": "all", "seed": 1}

    client.post(reverse("campaign-new", args=[draft.study.slug]), data)

    campaign = Campaign.objects.get(slug="all")
    assert (campaign.tasks.count(), campaign.second_share) == (6, 0.0)


def test_the_page_asks_for_training_second_pass_checks_and_difficulty(
    client: Client, draft: Campaign, olga: User
) -> None:
    client.force_login(olga)
    address = edit_address(draft)
    data = {
        "sections": "quality",
        "training": "new",
        "pass_mark": 80,
        "second_share": 15,
        "second_days": 3,
        "checks": 2,
        "ask_difficulty": "on",
    }

    client.post(address, data)

    draft.refresh_from_db()
    assert draft.training is not None
    assert (draft.training.purpose, draft.training.pass_mark) == ("training", 0.8)
    assert (draft.second_share, draft.second_days, draft.checks) == (0.15, 3, 2)
    assert draft.ask_difficulty
    assert b'value="15"' in client.get(address).content


def test_difficulty_is_stored_where_it_is_asked_and_has_a_column(
    draft: Campaign, ana: User
) -> None:
    Campaign.objects.filter(pk=draft.pk).update(ask_difficulty=True)
    campaigns.open_campaign(draft)
    task = draft.tasks.counted()[0]
    digest = task.series.digest
    fields: dict[str, Any] = {"digest": digest, "kind": "never"}

    save_mark(task, by=ana, client_id=uuid4(), difficulty=4, **fields)
    with pytest.raises(ValidationError, match="1 \\(easy\\) to 5 \\(hard\\)"):
        save_mark(task, by=ana, client_id=uuid4(), difficulty=6, **fields)
    Campaign.objects.update(ask_difficulty=False)
    save_mark(task, by=ana, client_id=uuid4(), difficulty=2, **fields)

    rows = "".join(exports.marks_csv(draft, EVERYTHING)).splitlines()
    assert rows[0].endswith(",series_digest,difficulty,changes")
    assert [row.split(",")[-2] for row in rows[1:]] == ["4", ""]


@pytest.mark.parametrize("count", [-1, 51])
def test_a_number_of_checks_is_from_none_to_fifty(draft: Campaign, count: int) -> None:
    with pytest.raises(ValidationError, match=f"up to 50 checks; found {count}"):
        attention_checks.set_check_count(draft, count)


def test_series_outside_of_the_campaign_shape_no_check(
    draft: Campaign, make_series: Callable[..., Series]
) -> None:
    for fork in range(20):
        make_series(np.full(900, 7e6), name="org.example.Other.sort", fork=fork)

    attention_checks.set_check_count(draft, 3)

    checks = Series.objects.filter(tasks__expected__isnull=False)
    assert {check.n for check in checks} == {300}
    assert all(15 < check.median < 60 for check in checks)


def test_checks_of_series_around_zero_are_not_flat(draft: Campaign) -> None:
    Series.objects.filter(tasks__campaign=draft, tasks__expected=None).update(median=0.0)

    attention_checks.set_check_count(draft, 3)

    checks = Series.objects.filter(tasks__campaign=draft, tasks__expected__isnull=False)
    assert [check.maximum > check.minimum for check in checks] == [True] * 3
