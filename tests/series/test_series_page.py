"""The page of one series, the forks of a benchmark, and what other rooms add to them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from people.models import User
from series import panels
from series.models import Series
from series.panels import PagePanel


@pytest.fixture
def forks(make_series: Callable[..., Series]) -> list[Series]:
    return [make_series([2.0 + fork, 1.0, 1.5, 1.2], fork=fork) for fork in range(3)]


@pytest.fixture
def viewer(client: Client, vic: User) -> Client:
    client.force_login(vic)
    return client


def test_hands_the_chart_all_that_it_needs(viewer: Client, series: Series) -> None:
    text = viewer.get(series.get_absolute_url()).content.decode()

    match = re.search(r'<script id="page-data" type="application/json">(.*?)</script>', text)
    assert match
    data = json.loads(unescape(match[1]))["series"]
    assert data["n"] == 120
    assert data["payloadUrl"] == f"/payload/{series.digest}.f32"
    assert data["windowUrl"] == f"/payload/{series.digest}/window"
    assert data["robust"] == [series.robust_low, series.robust_high]
    assert (data["unit"], data["quantity"]) == ("s", "time per operation")


def test_says_in_words_what_the_chart_shows(viewer: Client, series: Series) -> None:
    text = viewer.get(series.get_absolute_url()).content.decode()

    assert "last half 1.030\xa0s, range shown" in text


def test_walks_from_fork_to_fork(viewer: Client, forks: list[Series]) -> None:
    first_page, middle_page, last_page = (
        viewer.get(fork.get_absolute_url()).content.decode() for fork in forks
    )

    assert ('rel="prev"' in first_page, 'rel="next"' in first_page) == (False, True)
    assert ('rel="prev"' in last_page, 'rel="next"' in last_page) == (True, False)
    assert forks[0].get_absolute_url() in middle_page
    assert "Fork 1" in middle_page


def test_shows_values_in_stretches_and_one_by_one(viewer: Client, series: Series) -> None:
    address = reverse("series-table", args=[series.benchmark.dataset.study.slug, series.public_id])

    stretches = viewer.get(address, headers={"hx-request": "true"}).content.decode()
    single = viewer.get(address, {"from": "100"}, headers={"hx-request": "true"}).content.decode()

    assert "120 iterations in 100 blocks" in stretches
    assert "Iterations 100 to 119 of 120" in single
    assert "<html" not in single


@pytest.fixture
def panel(settings: Any, tmp_path: Path) -> Iterator[None]:
    """What another room would register: a template, and what it is given."""
    (tmp_path / "panel.html").write_text("<p>{{ panel.words }}, {{ benchmark }}</p>")
    settings.TEMPLATES = [
        {**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}
    ]

    def provider(request: HttpRequest, series: Series) -> list[PagePanel]:
        return [PagePanel("notice", "panel.html", {"words": f"{request.user} sees {series.n}"})]

    panels.register_panel("series", provider)
    yield
    panels._providers.entries["series"].remove(provider)


@pytest.mark.usefixtures("panel")
def test_other_rooms_add_panels_that_see_what_they_brought(viewer: Client, series: Series) -> None:
    text = viewer.get(series.get_absolute_url()).content.decode()

    assert "<p>vic sees 120, </p>" in text


def test_values_can_be_downloaded_and_imported_again(viewer: Client, series: Series) -> None:
    address = reverse("series-values", args=[series.benchmark.dataset.study.slug, series.public_id])

    answer = viewer.get(address)

    lines = answer.getvalue().decode().splitlines()
    columns = "recording,build,measured_at,system,benchmark,params,fork,unit,iteration,value"
    assert lines[0] == columns
    assert len(lines) == 121
    assert [float(line.rsplit(",", 1)[1]) for line in lines[1:]] == series.array().tolist()
    assert "attachment" in answer.headers["Content-Disposition"]
