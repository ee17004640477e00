"""Doors of campaigns: drafts are their owners' and annotators', answers whose who answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import RequestFactory

from annotate.access import campaign_for, owned_campaign_for, seen_series_for, truth_campaigns_for
from annotate.models import Campaign, Task
from people.models import Role, Study, User
from tests.annotate.test_blind import answer


def request_by(user: User) -> Any:
    request = RequestFactory().get("/")
    request.user = user
    return request


def test_a_draft_is_for_owners_and_its_annotators(
    campaign: Campaign,
    olga: User,
    ana: User,
    vic: User,
    stranger: User,
    make_person: Callable[..., User],
) -> None:
    cem = make_person("cem", Role.ANNOTATOR)  # in no campaign
    names = campaign.study.slug, campaign.slug
    for member in (olga, ana, cem, vic):
        assert campaign_for(request_by(member), *names) == campaign

    Campaign.objects.update(state=Campaign.State.DRAFT)

    for member in (olga, ana):
        assert campaign_for(request_by(member), *names) == campaign
    for person in (cem, vic, stranger):
        with pytest.raises(Http404):
            campaign_for(request_by(person), *names)


def test_an_owned_campaign_is_its_owners(campaign: Campaign, olga: User, ana: User) -> None:
    names = campaign.study.slug, campaign.slug

    assert owned_campaign_for(request_by(olga), *names) == campaign
    with pytest.raises(PermissionDenied):
        owned_campaign_for(request_by(ana), *names)


def test_a_series_opens_to_who_has_answered_it(task: Task, study: Study, ana: User) -> None:
    names = study.slug, str(task.series.public_id)
    with pytest.raises(Http404, match="you have yet to answer"):
        seen_series_for(request_by(ana), *names)

    answer(task, ana)

    assert seen_series_for(request_by(ana), *names) == task.series


def test_drafts_make_ground_truth_for_owners_alone(
    campaign: Campaign, study: Study, olga: User, ana: User
) -> None:
    Campaign.objects.create(study=study, name="Draft", slug="draft", state=Campaign.State.DRAFT)

    names = [
        {campaign.name for campaign in truth_campaigns_for(request_by(member), study)}
        for member in (olga, ana)
    ]

    assert names == [{"First look", "Draft"}, {"First look"}]
