"""A comparison of a part of the series: times apart from rates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from annotate.blind import EVERYTHING
from annotate.models import Assignment, Campaign, Task
from people.models import User
from series.models import Benchmark, Dataset, Series, SeriesShape
from tests.analysis.comparison.conftest import key_of

PAGE = "/s/startup-times/comparison/"


@pytest.fixture
def rate_series(compared_study: Campaign, four_series: list[Series]) -> Series:
    """The last of four series, of a benchmark of its own that counts operations."""
    times = four_series[0].benchmark
    rate_benchmark = Benchmark.objects.create(
        dataset=times.dataset, system=times.system, name="throughput", unit="ops/s", mode="thrpt"
    )
    Series.objects.filter(pk=four_series[3].pk).update(benchmark=rate_benchmark)
    return four_series[3]


@pytest.mark.parametrize(("unit", "n"), [("", 4), ("s/op", 3), ("ops/s", 1), ("min", 0)])
def test_only_series_measured_in_a_unit(
    compared_study: Campaign, rate_series: Series, unit: str, n: int
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery(measured_in=unit))

    assert comparison is not None
    assert len(comparison.lines) == n


def test_a_group_of_the_breakdown_leads_to_its_series(
    client: Client, olga: User, compared_study: Campaign, rate_series: Series
) -> None:
    client.force_login(olga)
    rows = client.get(f"{PAGE}?g=unit").context["groups"]["rows"]
    links = {row["group"].name: row["href"] for row in rows}

    assert links == {"ops/s": "?u=ops%2Fs&g=unit", "s/op": "?u=s%2Fop&g=unit"}
    assert len(client.get(PAGE + links["s/op"]).context["compared"].lines) == 3


def test_a_shape_of_the_breakdown_leads_to_its_series(
    client: Client, olga: User, compared_study: Campaign, four_series: list[Series]
) -> None:
    SeriesShape.objects.filter(series=four_series[3]).update(shape="cycles", noise="noisy")
    client.force_login(olga)
    rows = client.get(f"{PAGE}?g=shape").context["groups"]["rows"]
    links = {row["group"].name: row["href"] for row in rows}

    assert links == {"cycles": "?sh=cycles&g=shape", "step-down": "?sh=step-down&g=shape"}
    assert {row["group"].name: row["group"].n for row in rows} == {"cycles": 1, "step-down": 2}
    assert len(client.get(PAGE + links["step-down"]).context["compared"].lines) == 3
    assert len(client.get(f"{PAGE}?no=noisy").context["compared"].lines) == 1


def test_a_shape_that_is_told_anew_makes_other_groups(
    client: Client, olga: User, compared_study: Campaign, four_series: list[Series]
) -> None:
    client.force_login(olga)
    client.get(f"{PAGE}?g=shape")
    SeriesShape.objects.filter(series=four_series[0]).update(shape="flat")

    rows = client.get(f"{PAGE}?g=shape").context["groups"]["rows"]

    assert [row["group"].name for row in rows] == ["flat", "step-down"]


def test_what_is_left_out_does_not_depend_on_the_shape_asked_for(
    compared_study: Campaign, four_series: list[Series], answered_tasks: list[Task], ben: User
) -> None:
    Assignment.objects.filter(task=answered_tasks[0], user=ben).update(latest=None)
    counts = []
    for shape in ("", "step-down", "cycles"):
        comparison = compare_stored(compared_study.study, ben, ComparisonQuery(shape=shape))
        assert comparison is not None
        counts.append((len(comparison.lines), comparison.inputs.left_out))

    assert counts == [(3, 1), (3, 1), (0, 1)]


def test_a_shape_that_there_is_not(compared_study: Campaign, four_series: list[Series]) -> None:
    message = "--shape: found 'round', expected one of: step-down"
    with pytest.raises(CommandError, match=message):
        call_command("comparison", "startup-times/first-look", "--shape", "round")


def test_a_unit_that_nothing_is_measured_in(compared_study: Campaign, rate_series: Series) -> None:
    message = "--measured-in: found 'h', expected one of: ops/s, s/op"
    with pytest.raises(CommandError, match=message):
        call_command("comparison", "startup-times/first-look", "--measured-in", "h")


def test_a_data_set_is_held_against_a_yardstick_that_has_its_series(
    client: Client,
    olga: User,
    compared_study: Campaign,
    make_series: Callable[..., Series],
    store: Callable[..., None],
) -> None:
    """The campaign, which the page begins with, has marks on other series only."""
    unmarked_series = make_series(np.arange(50.0), name="org.example.Other")
    evenings = Dataset.objects.create(study=compared_study.study, slug="evenings", name="Evenings")
    Benchmark.objects.filter(pk=unmarked_series.benchmark_id).update(dataset=evenings)
    store(key_of("sdm"), [unmarked_series], [30])
    client.force_login(olga)

    response = client.get(f"{PAGE}?d=evenings", follow=True)
    people_response = client.get(f"{PAGE}?d=evenings&y=campaign:first-look", follow=True)

    assert response.context["compared"].yardstick.kind == "method"
    assert response.context["compared"].inputs.lines
    assert not people_response.context["board"]
    assert "data-no-method" not in people_response.content.decode()
