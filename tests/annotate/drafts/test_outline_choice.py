"""Picking single series by their outlines: filters narrow what is shown, never what is picked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from annotate import attention_checks
from annotate.campaigns import services as campaigns
from annotate.drafts import outline_choice
from annotate.drafts.outline_choice import OutlineChoice, outline_page
from annotate.models import Campaign
from people.models import Study, User
from series.models import Benchmark, Series
from tests.replayed_rows import replayed

STUDY = "startup-times"
COUNT = reverse("campaign-count", args=[STUDY])
NEW = reverse("campaign-new", args=[STUDY])


@pytest.fixture
@replayed
def six_series(make_series: Callable[..., Series]) -> list[Series]:
    """Three forks of each of two benchmarks."""
    return [
        make_series([2.0, 1.0, 1.0 + fork], name=name, fork=fork)
        for name in ("Sort.merge", "Json.read")
        for fork in range(3)
    ]


def form_fields(**fields: str | list[str]) -> dict[str, Any]:
    return {"name": "Picked", "rule": "picked", "seed": "1", **fields}


def count_page(client: Client, **fields: str | list[str]) -> str:
    return " ".join(client.post(COUNT, form_fields(**fields)).content.decode().split())


def picked_ids(page: str) -> set[str]:
    [picked_text] = re.findall(r'name="picked" value="([^"]*)"', page)
    return set(picked_text.split())


def test_ticks_of_the_page_count_and_what_other_pages_had_stays() -> None:
    data = QueryDict("picked=a+b+c&shown=b+c+d&pick=c&pick=d&turn=3")

    assert OutlineChoice.from_form(data) == OutlineChoice(frozenset("acd"), 3)


@pytest.mark.parametrize(("text", "page"), [("sort", 2), ("json", 1)])
def test_the_page_stays_as_long_as_the_filters_do(text: str, page: int) -> None:
    earlier_query = QueryDict(mutable=True)
    earlier_query.update({"text": "sort", "dataset": "3"})
    query = QueryDict(mutable=True)
    query.update({"text": text, "dataset": "3", "at": "2"})
    query["left_by"] = outline_choice.filters_of(earlier_query)

    assert OutlineChoice.from_form(query).page == page


@pytest.mark.parametrize("turn", ["", "x", "-1", "1e9", "9" * 30])
def test_a_page_that_is_no_number_is_the_first(turn: str) -> None:
    data = QueryDict(mutable=True)
    data["turn"] = turn

    assert OutlineChoice.from_form(data).page == 1


@pytest.mark.parametrize(("page", "expected_page"), [(0, 1), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_pages_end_where_the_series_do(
    six_series: list[Series], monkeypatch: pytest.MonkeyPatch, page: int, expected_page: int
) -> None:
    monkeypatch.setattr(outline_choice, "A_PAGE", 2)

    tile_page = outline_page(Series.objects.order_by("pk"), OutlineChoice(frozenset(), page))

    assert (tile_page.number, tile_page.pages, tile_page.first) == (
        expected_page,
        3,
        2 * expected_page - 1,
    )
    assert [tile.series for tile in tile_page.tiles] == six_series[
        2 * expected_page - 2 : 2 * expected_page
    ]


def test_of_no_series_there_is_one_empty_page(db: None) -> None:
    tile_page = outline_page(Series.objects.all(), OutlineChoice(frozenset({"gone"})))

    assert (tile_page.tiles, tile_page.pages, tile_page.here, tile_page.elsewhere) == ([], 1, 0, 1)


def test_all_and_none_are_of_what_the_filters_leave(
    client: Client, six_series: list[Series], olga: User
) -> None:
    client.force_login(olga)
    public_id = six_series[0].public_id

    all_fragment = count_page(client, take="all", text="json", picked=public_id)
    none_fragment = count_page(
        client, take="none", text="sort", picked=" ".join(picked_ids(all_fragment))
    )

    assert picked_ids(all_fragment) == {
        public_id,
        *(series_row.public_id for series_row in six_series[3:]),
    }
    assert '<span data-picked="1">4</span>' in all_fragment
    assert "3 series match the filters; 1 picked" in all_fragment
    assert picked_ids(none_fragment) == {series_row.public_id for series_row in six_series[3:]}


def test_no_more_are_picked_than_fit(
    client: Client, six_series: list[Series], olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outline_choice, "MOST", 4)
    client.force_login(olga)

    page = count_page(client, take="all", picked=six_series[5].public_id)

    assert len(picked_ids(page)) == 4


def test_a_page_costs_the_same_queries_for_few_and_many(
    client: Client, six_series: list[Series], olga: User, django_assert_max_num_queries: Any
) -> None:
    recording, benchmark = six_series[0].recording, six_series[0].benchmark
    rows = [
        Series(
            benchmark=benchmark, recording=recording, fork=fork, n=3, minimum=1, maximum=2,
            median=1, median_last_half=1, robust_low=1, robust_high=2, scale=1,
            outline=six_series[0].outline,
        )
        for fork in range(3, 1003)
    ]  # fmt: skip
    Series.objects.bulk_create(rows)
    client.force_login(olga)

    with django_assert_max_num_queries(16):
        page = count_page(client, take="all", turn="2")

    assert len(picked_ids(page)) == 1006
    assert page.count('type="checkbox"') == outline_choice.A_PAGE
    assert len(page) < 80_000


def test_the_campaign_has_the_picked_ones_whatever_the_filter_says_now(
    client: Client, six_series: list[Series], olga: User
) -> None:
    client.force_login(olga)
    wanted_series = [six_series[0], six_series[2], six_series[4]]

    client.post(NEW, form_fields(text="json", picked=six_series[0].public_id, pick=[
        series_row.public_id for series_row in wanted_series[1:]]))  # fmt: skip

    campaign = Campaign.objects.get(name="Picked")
    assert set(campaign.tasks.values_list("series", flat=True)) == {
        series_row.pk for series_row in wanted_series
    }
    assert campaign.selection["rule"] == "picked"


def test_nothing_picked_is_refused_and_what_is_picked_survives_a_refusal(
    client: Client, six_series: list[Series], olga: User
) -> None:
    client.force_login(olga)

    empty_reply = client.post(NEW, form_fields())
    nameless_page = client.post(
        NEW, form_fields(name="", pick=[six_series[1].public_id])
    ).content.decode()

    assert empty_reply.context["editor"].forms["series"].non_field_errors()
    assert picked_ids(nameless_page) == {six_series[1].public_id}
    assert not Campaign.objects.exists()


def test_series_with_known_answers_and_of_other_studies_are_neither_shown_nor_taken(
    client: Client, six_series: list[Series], olga: User, study: Study
) -> None:
    spec = campaigns.CampaignSpec(name="Checked", series=[six_series[0].pk], annotators=[])
    checked_campaign = campaigns.create(study, spec, by=olga)
    attention_checks.set_check_count(checked_campaign, 1)
    series = checked_campaign.tasks.get(expected__isnull=False).series
    foreign_study = Study.objects.create(name="Other", slug="other")
    foreign_dataset = foreign_study.datasets.create(name="Theirs", slug="theirs")
    benchmark = Benchmark.objects.create(dataset=foreign_dataset, system="x", name="X", unit="s/op")
    other_series = Series.objects.get(pk=six_series[5].pk)
    other_series.pk, other_series.public_id, other_series.benchmark, other_series._state.adding = (
        None,
        "foreign222",
        benchmark,
        True,
    )
    other_series.recording = foreign_dataset.recordings.create(label="r")
    other_series.save()
    client.force_login(olga)
    ids = [series.public_id, other_series.public_id, six_series[0].public_id]

    page = count_page(client, take="all")
    client.post(NEW, form_fields(pick=ids))

    assert picked_ids(page) == {series_row.public_id for series_row in six_series}
    assert Campaign.objects.get(name="Picked").tasks.get().series == six_series[0]


def test_outlines_are_for_owners(
    client: Client, six_series: list[Series], vic: User, ana: User
) -> None:
    for person in (vic, ana):
        client.force_login(person)
        assert client.post(COUNT, form_fields()).status_code == 403
