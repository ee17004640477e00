"""Choosing rows of a data set's table: what the boxes' links bring to a run and to a campaign."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Run
from annotate.models import Campaign
from people.models import User
from series.models import Series
from series.queries import chosen_series

STUDY = "startup-times"


@pytest.fixture
def three_series(make_series: Callable[..., Series]) -> list[Series]:
    """Two forks of `first`, one of `second`; `third` is never chosen."""
    names = (("first", 0), ("first", 1), ("second", 0), ("third", 0))
    return [make_series(np.arange(20.0), name=name, fork=fork) for name, fork in names]


def chosen_ids(three_series: list[Series]) -> str:
    """A benchmark with several forks, and a series that is the only one of its benchmark."""
    return f"{three_series[0].benchmark.public_id} {three_series[2].public_id}"


def test_ids_of_benchmarks_and_of_series_are_known(three_series: list[Series]) -> None:
    series = chosen_series(Series.objects.all(), f"{chosen_ids(three_series)} nobody")

    assert set(series) == set(three_series[:3])


def test_the_table_offers_it_to_owners_only(
    three_series: list[Series], client: Client, olga: User, vic: User
) -> None:
    pages = []
    for person in (olga, vic):
        client.force_login(person)
        pages.append(
            client.get(three_series[0].benchmark.dataset.get_absolute_url()).content.decode()
        )

    assert [page.count("data-chosen") for page in pages] == [1, 0]
    assert [page.count("js/series/choose") for page in pages] == [1, 0]
    for words, route in (("Run on chosen", "run-new"), ("Campaign of chosen", "campaign-new")):
        address = f'href="{reverse(route, args=[STUDY])}?dataset=nightly">'
        assert re.search(f"{re.escape(address)}\\s*{words}</a>", pages[0])


def test_a_run_on_the_chosen_ones(three_series: list[Series], client: Client, olga: User) -> None:
    client.force_login(olga)
    address = reverse("run-new", args=[STUDY])

    form = client.get(
        address, {"dataset": "nightly", "only": chosen_ids(three_series)}
    ).content.decode()
    client.post(
        address,
        {
            "dataset": "nightly",
            "only": chosen_ids(three_series),
            "methods": "fixed",
            "fixed.iteration": "3",
        },
    )

    run = Run.objects.get()
    assert f'value="{chosen_ids(three_series)}"' in form
    assert "only the 2 chosen (" in form
    assert re.search(r"method\s+on 3 series", form)
    assert (run.series_count, run.name) == (3, "Fixed iteration on 2 of nightly")
    assert run.selection == {"dataset": "nightly", "only": chosen_ids(three_series)}


def test_a_campaign_of_the_chosen_ones(
    three_series: list[Series], client: Client, olga: User
) -> None:
    client.force_login(olga)
    address = reverse("campaign-new", args=[STUDY])
    recording = three_series[0].recording

    response = client.get(
        address,
        {"dataset": "nightly", "only": chosen_ids(three_series), "recording": recording.label},
    )
    form = response.context["editor"].series
    data = {"name": "Chosen", "only": chosen_ids(three_series), "rule": "all", "seed": "1"}
    count = client.post(reverse("campaign-count", args=[STUDY]), data).content.decode()
    client.post(address, data)

    campaign = Campaign.objects.get(name="Chosen")
    assert form["dataset"].value() == three_series[0].benchmark.dataset_id
    assert form["recording"].value() == recording.pk
    assert "Only the 2 chosen." in response.content.decode()
    assert "3 series" in " ".join(count.split())
    assert set(campaign.tasks.values_list("series", flat=True)) == {s.pk for s in three_series[:3]}
    assert campaign.selection["only"] == chosen_ids(three_series)
