"""Series of a draft, chosen again."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from annotate import attention_checks
from annotate.answering.services import save_mark
from annotate.campaigns import services as campaigns
from annotate.drafts import draft_series
from annotate.models import Campaign, Task
from people.models import Study, User
from series.models import Series
from tests.annotate.campaign_page_data import edit_address, form_fields


@pytest.fixture
def four_series(make_series: Callable[..., Series]) -> list[Series]:
    values = [2.0] * 60 + [1.0] * 60
    return [make_series(values, name="Sort.merge", fork=fork) for fork in range(4)]


@pytest.fixture
def draft(study: Study, four_series: list[Series], ana: User, olga: User) -> Campaign:
    campaign_spec = campaigns.CampaignSpec(
        name="Draft",
        series=[series_row.pk for series_row in four_series[:2]],
        annotators=[ana],
        selection={"rule": "all", "seed": 3},
    )
    return campaigns.create(study, campaign_spec, by=olga)


def series_of(campaign: Campaign) -> set[int]:
    return set(campaign.tasks.counted().values_list("series", flat=True))


def test_other_series_come_with_new_queues_and_as_many_checks(
    draft: Campaign, four_series: list[Series], ana: User
) -> None:
    attention_checks.set_check_count(draft, 2)
    keys = [series_row.pk for series_row in four_series[1:]]

    draft_series.change_series(draft, keys, seed=7, selection={"rule": "picked"})

    draft.refresh_from_db()
    assert series_of(draft) == set(keys)
    assert (draft.seed, draft.selection, draft.checks) == (7, {"rule": "picked"}, 2)
    assert draft.tasks.count() == 5
    assert ana.assignments.filter(task__campaign=draft).count() == 5


def test_the_page_shows_what_is_there_and_takes_others(
    client: Client, draft: Campaign, four_series: list[Series], olga: User
) -> None:
    client.force_login(olga)

    page = client.get(edit_address(draft)).context["picked"]
    data = form_fields(
        client, edit_address(draft), rule="picked", picked="", pick=four_series[3].public_id
    )
    answer = client.post(edit_address(draft), data)

    assert set(page.split()) == {series_row.public_id for series_row in four_series[:2]}
    assert answer["Location"] == edit_address(draft)
    assert series_of(draft) == {four_series[3].pk}


def test_no_series_changes_nothing(client: Client, draft: Campaign, olga: User) -> None:
    series_before = series_of(draft)
    client.force_login(olga)

    form_data = form_fields(client, edit_address(draft), rule="picked", picked="")
    response = client.post(edit_address(draft), form_data)

    assert response.context["editor"].series.non_field_errors()
    assert series_of(draft) == series_before


def test_the_same_series_are_not_dealt_anew(client: Client, draft: Campaign, olga: User) -> None:
    client.force_login(olga)
    first = form_fields(client, edit_address(draft), rule="picked", seed=3)
    client.post(edit_address(draft), first)
    tasks = set(draft.tasks.values_list("pk", flat=True))

    client.post(edit_address(draft), {**first, "name": "Other"})

    assert set(draft.tasks.values_list("pk", flat=True)) == tasks


def test_a_draft_may_ask_all_changes_by_the_one_rule_for_them(
    client: Client, draft: Campaign, olga: User
) -> None:
    client.force_login(olga)
    Campaign.objects.filter(pk=draft.pk).update(recipe="median", params={})
    form_data = form_fields(client, edit_address(draft), purpose="changes")

    client.post(edit_address(draft), form_data)
    draft.refresh_from_db()
    assert (draft.purpose, draft.recipe, set(draft.params)) == (
        *("changes", "jagt"),
        {"eps", "min_samples"},
    )

    stricter_form = form_fields(client, edit_address(draft), eps=9, min_samples=2)
    client.post(edit_address(draft), stricter_form)
    draft.refresh_from_db()
    assert (draft.recipe, draft.params) == ("jagt", {"eps": 9, "min_samples": 2})
    sections = client.get(edit_address(draft)).context["editor"].forms
    assert set(sections["quality"].fields) == {"ask_difficulty"}


def test_a_draft_may_turn_into_a_screening_and_back(
    client: Client, draft: Campaign, olga: User
) -> None:
    client.force_login(olga)
    for purpose in ("screening", "annotate"):
        client.post(edit_address(draft), form_fields(client, edit_address(draft), purpose=purpose))
        draft.refresh_from_db()
        assert draft.purpose == purpose


def test_series_of_an_open_campaign_are_fixed(
    client: Client, draft: Campaign, four_series: list[Series], olga: User
) -> None:
    campaigns.open_campaign(draft)
    client.force_login(olga)

    response = client.get(edit_address(draft))
    assert response.context["editor"].series is None
    assert "are fixed" in response.content.decode()
    with pytest.raises(ValidationError, match="The series of this campaign are fixed"):
        draft_series.change_series(draft, [four_series[3].pk], seed=1, selection={})


def test_answered_series_are_fixed(campaign: Campaign, task: Task, ana: User) -> None:
    save_mark(task, by=ana, client_id=uuid4(), digest=task.series.digest, kind="never")
    Campaign.objects.update(state=Campaign.State.DRAFT)
    campaign.refresh_from_db()

    assert not draft_series.can_change_series(campaign)
