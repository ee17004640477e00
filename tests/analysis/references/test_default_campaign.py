"""The campaign with which every page begins: that of most settled series, the newest of equals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from analysis.composition.reads import composition_of
from analysis.harness.reads import yardstick_of
from analysis.references import yardsticks
from analysis.series_page import list_columns
from analysis.site import reads as study_reads
from annotate.models import Campaign, GroundTruth, Task
from detectors.registry import DEFAULT_METHOD
from people.models import Study, User
from series.models import Series
from tests.analysis.comparison.conftest import key_of, store

__all__ = ["store"]

SETTLED = (("large", 4, 5), ("small", 1, 1), ("older", 4, 9))  # slug, series, days ago


@pytest.fixture
def campaigns(study: Study, make_series: Callable[..., Series]) -> dict[str, Campaign]:
    series = [make_series(np.ones(60) + fork, fork=fork) for fork in range(4)]
    campaign_by_slug = {}
    for slug, n, days in SETTLED:
        campaign = Campaign.objects.create(
            study=study, name=slug, slug=slug, state=Campaign.State.CLOSED
        )
        creation_time = timezone.now() - timedelta(days=days)
        Campaign.objects.filter(pk=campaign.pk).update(created=creation_time)
        for position, series_row in enumerate(series[:n], 1):
            task = Task.objects.create(campaign=campaign, series=series_row, position=position)
            GroundTruth.objects.create(
                task=task, steady=True, steady_start=5, agreement="clustered", complete=True
            )
        campaign_by_slug[slug] = campaign
    return campaign_by_slug


def test_most_settled_series_come_first_and_the_newest_of_equals(
    study: Study, campaigns: dict[str, Campaign]
) -> None:
    slugs = [campaign.slug for campaign in yardsticks.campaigns_with_truth(study)]

    assert slugs == ["large", "older", "small"]


def test_checks_unsettled_series_and_drafts_count_for_nothing(
    study: Study, campaigns: dict[str, Campaign]
) -> None:
    Campaign.objects.filter(slug="large").update(state=Campaign.State.DRAFT)
    of_older = GroundTruth.objects.filter(task__campaign=campaigns["older"])
    of_older.exclude(pk=of_older[0].pk).update(complete=False)

    slugs = [campaign.slug for campaign in yardsticks.campaigns_with_truth(study)]

    assert slugs == ["small", "older"]


def test_every_page_begins_with_the_same_campaign(
    study: Study, campaigns: dict[str, Campaign], client: Client, vic: User
) -> None:
    client.force_login(vic)
    series = Series.objects.get(fork=0)
    code = "campaign:large"

    default = yardsticks.yardstick(study)
    data_yardstick = yardstick_of(series.benchmark.dataset, "")
    campaign_shown = study_reads._shown_campaign(study)

    assert default is not None
    assert data_yardstick is not None
    assert (default.code, data_yardstick.code, campaign_shown) == (code, code, campaigns["large"])
    assert yardsticks.covering_yardsticks(series)[0].code == code
    for page in ("comparison", "comparison/figures"):
        response = client.get(f"/s/startup-times/{page}/", headers={"HX-Request": "true"})
        comparison = response.context["compared"]
        assert comparison.yardstick.code == code


def test_series_of_several_campaigns_take_the_ground_truth_of_the_same_one(
    study: Study, campaigns: dict[str, Campaign], vic: User
) -> None:
    small_truths = GroundTruth.objects.filter(task__campaign=campaigns["small"])
    small_truths.update(steady=False, steady_start=None)
    series = Series.objects.get(fork=0)

    truths = list_columns._truths([series])
    composition = composition_of(series.benchmark.dataset, vic)

    assert truths[series.pk] == (5, "clustered")
    assert composition.total is not None
    assert (composition.total.steady, composition.total.never) == (4, 0)


def test_where_nobody_has_marked_every_page_begins_with_the_default_method(
    study: Study, make_series: Callable[..., Series], store: Callable[..., None]
) -> None:
    series = make_series(np.ones(60))
    store(key_of("kb-kssd"), [series], [10])
    store(key_of(DEFAULT_METHOD), [series], [20])

    default = yardsticks.yardstick(study)

    assert default is not None
    assert default.key == key_of(DEFAULT_METHOD)
    assert yardsticks.covering_yardsticks(series)[0] == default
    assert [yardstick.code for yardstick in yardsticks.yardsticks(study)] == [
        f"method:{DEFAULT_METHOD}",
        "method:kb-kssd",
    ]


def test_the_default_method_with_other_settings_still_comes_before_others(
    study: Study, make_series: Callable[..., Series], store: Callable[..., None]
) -> None:
    series = make_series(np.ones(60))
    store(key_of("kb-kssd"), [series], [10])
    store(key_of(DEFAULT_METHOD, chance=0.0), [series], [20])

    assert yardsticks.detector_keys(study)[0] == key_of(DEFAULT_METHOD, chance=0.0)
