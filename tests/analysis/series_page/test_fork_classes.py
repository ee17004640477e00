"""Answers of methods to all forks of a benchmark together; blind until answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_chart.reads import fork_chart
from analysis.series_page.fork_classes import class_of
from annotate.models import Task
from detectors.registry import registry
from people.models import User
from series.models import Series
from tests.analysis.comparison.conftest import mark


@pytest.fixture
def three_series(make_series: Callable[..., Series]) -> list[Series]:
    return [make_series(np.arange(600.0) + fork, fork=fork) for fork in range(3)]


def store(slug: str, series: Sequence[Series], starts: Sequence[int], flags: Sequence[str]) -> None:
    for series_row, start, flag in zip(series, starts, flags, strict=True):
        key = registry()[slug]().key
        Detection.objects.create(
            series=series_row, detector_key=key, slug=slug, steady_start=start, flags=flag
        )


@pytest.fixture
def forks(three_series: list[Series]) -> list[Series]:
    store("cp-ssd", three_series, [120, -1, 180], ["", "", "ambiguous"])
    store("barrett", three_series, [0, 25, 30], ["flat", "warm-up", "warm-up"])
    store("sdm", three_series[:2], [-1, -1], ["", ""])
    return three_series


def part(client: Client, series: Series) -> str:
    """The opened fold of all forks on the page of a series."""
    study = series.benchmark.dataset.study.slug
    address = reverse("series-fork-chart", args=[study, series.public_id])
    return client.get(address, headers={"hx-request": "true"}).text


def test_each_method_has_the_class_of_all_forks(forks: list[Series], olga: User) -> None:
    chart = fork_chart(forks[0].benchmark, olga, ForkChartQuery())

    assert chart is not None
    lines = {look.slug: line for look, line in chart.methods.values()}
    assert (len(chart.forks), chart.hidden_count, len(lines)) == (3, 0, 3)
    assert (lines["cp-ssd"].name, lines["cp-ssd"].middle_start) == ("inconsistent", 150)
    assert lines["cp-ssd"].starts == (120, -1, 180)
    assert lines["barrett"].name == "good inconsistent"
    assert (lines["sdm"].name, lines["sdm"].middle_start, lines["sdm"].unanswered_count) == (
        "never",
        None,
        1,
    )


def test_the_page_says_it_in_words(forks: list[Series], client: Client, olga: User) -> None:
    client.force_login(olga)

    page = " ".join(part(client, forks[0]).split())

    assert "forks-together" in page
    assert '<td class="soft">some forks become steady, others never do<' in page
    assert "120 · never · 180" in page
    assert "no fork becomes steady; 1" in page


def test_who_has_yet_to_answer_a_fork_sees_no_class(
    forks: list[Series], make_task: Callable[[Series], Task], client: Client, ana: User
) -> None:
    tasks = [make_task(series) for series in forks]
    for task in tasks[:2]:
        mark(task, ana, None)
    client.force_login(ana)

    part_before = part(client, forks[0])
    mark(tasks[2], ana, None)
    part_after = part(client, forks[0])

    assert "data-hidden-forks" in part_before
    assert "inconsistent" not in part_before
    assert "inconsistent" in part_after


def test_a_single_fork_has_neither_strip_nor_chart(
    make_series: Callable[..., Series], client: Client, olga: User
) -> None:
    lone_series = make_series(np.arange(600.0), name="alone")
    client.force_login(olga)

    page = client.get(lone_series.get_absolute_url()).text

    assert 'id="forks"' not in page
    assert 'id="fork-chart"' not in page


def test_a_method_that_calls_some_forks_by_name_only_is_judged_by_its_starts() -> None:
    assert class_of([(0, "flat"), (12, "capped")]) == "steady"
    assert class_of([(0, "flat"), (12, "slowdown")]) == "bad-inconsistent"
