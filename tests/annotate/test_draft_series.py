"""The first step of a draft, taken again."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate import attention_checks, campaigns, draft_series
from annotate.models import Campaign, Task
from annotate.services import save_mark
from people.models import Study, User
from series.models import Series


@pytest.fixture
def four(make_series: Callable[..., Series]) -> list[Series]:
    values = [2.0] * 60 + [1.0] * 60
    return [make_series(values, name="Sort.merge", fork=fork) for fork in range(4)]


@pytest.fixture
def draft(study: Study, four: list[Series], ana: User, olga: User) -> Campaign:
    wanted = campaigns.CampaignSpec(
        name="Draft",
        series=[each.pk for each in four[:2]],
        annotators=[ana],
        selection={"rule": "all", "seed": 3},
    )
    return campaigns.create(study, wanted, by=olga)


def address(campaign: Campaign, section: str = "series") -> str:
    return reverse("campaign-settings", args=[campaign.study.slug, campaign.slug, section])


def series_of(campaign: Campaign) -> set[int]:
    return set(campaign.tasks.counted().values_list("series", flat=True))


def test_other_series_come_with_new_queues_and_as_many_checks(
    draft: Campaign, four: list[Series], ana: User
) -> None:
    attention_checks.set_check_count(draft, 2)
    keys = [each.pk for each in four[1:]]

    draft_series.change_series(draft, keys, seed=7, selection={"rule": "picked"})

    draft.refresh_from_db()
    assert series_of(draft) == set(keys)
    assert (draft.seed, draft.selection, draft.checks) == (7, {"rule": "picked"}, 2)
    assert draft.tasks.count() == 5
    assert ana.assignments.filter(task__campaign=draft).count() == 5


def test_the_step_shows_what_is_there_and_leads_on(
    client: Client, draft: Campaign, four: list[Series], olga: User
) -> None:
    client.force_login(olga)

    page = client.get(address(draft)).content.decode()
    data = {"rule": "picked", "seed": "3", "pick": [four[3].public_id]}
    answer = client.post(address(draft), data)

    for each in four[:2]:
        assert each.public_id in page
    assert answer["Location"] == address(draft, "question")
    assert series_of(draft) == {four[3].pk}


def test_no_series_changes_nothing(client: Client, draft: Campaign, olga: User) -> None:
    before = series_of(draft)
    client.force_login(olga)

    page = client.post(address(draft), {"rule": "picked", "seed": "3"})

    assert page.context["form"].non_field_errors()
    assert series_of(draft) == before


def test_an_open_campaign_has_no_such_step(
    client: Client, draft: Campaign, four: list[Series], olga: User
) -> None:
    campaigns.open_campaign(draft)
    client.force_login(olga)

    assert client.get(address(draft)).status_code == 404
    assert client.get(address(draft, "people")).context["steps"][0].number == 0
    with pytest.raises(ValidationError, match="The series of this campaign are fixed"):
        draft_series.change_series(draft, [four[3].pk], seed=1, selection={})


def test_answered_series_are_fixed(campaign: Campaign, task: Task, ana: User) -> None:
    save_mark(task, by=ana, client_id=uuid4(), digest=task.series.digest, kind="never")
    Campaign.objects.update(state=Campaign.State.DRAFT)
    campaign.refresh_from_db()

    assert not draft_series.can_change_series(campaign)


def test_steps_before_the_present_one_are_ticked_and_all_can_be_opened(
    client: Client, draft: Campaign, olga: User
) -> None:
    client.force_login(olga)

    page = client.get(address(draft, "people"))

    steps = page.context["steps"]
    assert [(each.name, each.number, each.state) for each in steps] == [
        ("series", 1, "done"),
        ("question", 2, "done"),
        ("people", 3, "current"),
        ("blindness", 4, "open"),
        ("quality", 5, "open"),
        ("recipe", 6, "open"),
    ]
    assert all(client.get(each.url).status_code == 200 for each in steps)
