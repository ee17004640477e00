"""All forks of a benchmark on one chart: lines, ground truth of each and of all, file."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.runs.models import Detection
from analysis.series_page.fork_chart.lines import (
    FEWEST,
    POINTS,
    fork_line,
    log_limits,
    points_per_fork,
)
from analysis.series_page.fork_chart.query import ForkChartQuery
from analysis.series_page.fork_chart.reads import fork_chart
from analysis.series_page.fork_chart.strip import MOST, fork_strip
from annotate.models import Task
from detectors.arrays.robust_range import pad_range, plateau_range, robust_range
from detectors.registry import registry
from people.models import Study, User
from series.models import Recording, Series
from tests.analysis.comparison.conftest import mark
from tests.analysis.drawn_figures import drawn_figure, pdf_address


def step(level: float, start: int = 40) -> np.ndarray:
    """From 2 · level to level at `start`, of 120 values."""
    return np.where(np.arange(120) < start, 2.0, 1.0) * level


@pytest.fixture
def three_series(make_series: Callable[..., Series]) -> list[Series]:
    """Steady from 40, from 50, and never; the mean of all steady values is (80·1 + 70·3) / 150."""
    series = [make_series(step(level), fork=fork) for fork, level in enumerate([1.0, 3.0, 2.0])]
    for series_row, start in zip(series, [40, 50, -1], strict=True):
        Series.objects.filter(pk=series_row.pk).update(known_start=start)
    return series


def store_answers(series: list[Series], starts: list[int]) -> str:
    key = registry()["cp-ssd"]().key
    for series_row, start in zip(series, starts, strict=False):
        Detection.objects.create(
            series=series_row, detector_key=key, slug="cp-ssd", steady_start=start, milliseconds=1.0
        )
    return key


def get_part(client: Client, series: Series, query: dict[str, str] | None = None) -> Any:
    """The fold of all forks on the page of a series, opened."""
    study = series.benchmark.dataset.study.slug
    address = reverse("series-fork-chart", args=[study, series.public_id])
    return client.get(address, query or {}, headers={"hx-request": "true"})


def old_address(series: Series, suffix: str = "") -> str:
    dataset = series.benchmark.dataset
    names = [dataset.study.slug, dataset.slug, series.benchmark.public_id]
    return reverse(f"benchmark-forks{suffix}", args=names)


def file_of(client: Client, series: Series) -> list[dict[str, str]]:
    response: Any = client.get(old_address(series, "-file"))
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


# --- lines ----------------------------------------------------------------------------------------
def test_few_values_are_drawn_as_they_are_and_many_as_medians_of_equal_stretches() -> None:
    plain_line = fork_line(np.arange(7.0), 2, 7, points=5)
    median_line = fork_line(np.array([1.0, 9, 2, 8, 8, 8, 5]), 0, 7, points=3)

    assert (plain_line.first, plain_line.stretch, plain_line.y.tolist()) == (2, 1, [2, 3, 4, 5, 6])
    assert (median_line.first, median_line.stretch, median_line.y.tolist()) == (1, 3, [2, 8, 5])
    assert (
        plain_line.height_at(3),
        plain_line.height_at(9),
        median_line.height_at(4),
        median_line.height_at(-5),
    ) == (3, None, 8, None)


def test_a_million_values_are_a_line_of_few_points_and_a_spike_moves_none() -> None:
    values = np.ones(1_000_000)
    values[500_000] = 1e9

    line = fork_line(values, 0, values.size, points_per_fork(30))

    assert line.y.size <= points_per_fork(30)
    assert set(line.y.tolist()) == {1.0}


@pytest.mark.parametrize("fork_count", [1, 2, 10, 30, 1000])
def test_forks_share_the_points(fork_count: int) -> None:
    assert points_per_fork(fork_count) * fork_count <= max(POINTS, FEWEST * fork_count)


def test_a_fork_that_ends_before_the_window_has_no_line() -> None:
    assert fork_line(np.ones(10), 20, 30, points=5).y.size == 0


def test_the_chart_is_a_pdf_too(three_series: list[Series], olga: User, client: Client) -> None:
    client.force_login(olga)

    part = get_part(client, three_series[0]).content.decode()

    assert client.get(pdf_address(part)).content.startswith(b"%PDF")


# --- ground truth ---------------------------------------------------------------------------------
def test_truth_of_each_fork_and_of_the_benchmark(three_series: list[Series], olga: User) -> None:
    chart = fork_chart(three_series[0].benchmark, olga, ForkChartQuery())

    assert chart is not None
    assert chart.truth is not None
    assert [fork.truth for fork in chart.forks] == [40, 50, -1]
    assert [fork.mean for fork in chart.forks] == [1.0, 3.0, None]
    assert (chart.truth.benchmark_class, chart.truth.answered_count) == ("inconsistent", 3)
    assert (chart.truth.middle_start, chart.truth.steady_starts) == (45, [40, 50])
    assert chart.truth.mean == pytest.approx((80 * 1 + 70 * 3) / 150)


@pytest.mark.parametrize(
    ("starts", "expected_class"),
    [([None], ""), ([-1], "never"), ([7], "steady"), ([7, None], "steady")],
)
def test_of_forks_without_an_answer_nothing_is_made_up(
    starts: list[int | None], expected_class: str, make_series: Callable[..., Series], olga: User
) -> None:
    series = [make_series(step(1.0), fork=fork) for fork in range(len(starts))]
    make_series(step(1.0), name="other", known_start=3)
    for series_row, start in zip(series, starts, strict=True):
        Series.objects.filter(pk=series_row.pk).update(known_start=start)

    chart = fork_chart(series[0].benchmark, olga, ForkChartQuery(yardstick="known"))

    assert chart is not None
    assert chart.truth is not None
    assert chart.truth.benchmark_class == expected_class
    assert chart.truth.answered_count == sum(known_start is not None for known_start in starts)


# --- page -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("fork_count", [1, 2, 10, 30])
def test_every_fork_has_a_line_that_leads_to_its_page(
    fork_count: int, make_series: Callable[..., Series], client: Client, olga: User
) -> None:
    series = [make_series(step(1.0 + n), fork=n) for n in range(fork_count)]
    client.force_login(olga)

    answer = get_part(client, series[0])

    traces = drawn_figure(answer.text, "all-forks")["data"]
    lines = [trace for trace in traces if trace["mode"] == "lines"]
    assert [line["meta"]["address"] for line in lines] == [
        fork.get_absolute_url() for fork in series
    ]
    looks = {(line["line"]["color"], line["line"]["dash"]) for line in lines}
    assert len(looks) == min(fork_count, 20)
    assert answer.text.count('<th scope="row"><a') == fork_count


def test_methods_stand_beside_the_truth_for_each_fork_and_for_all(
    three_series: list[Series], client: Client, olga: User
) -> None:
    key = store_answers(three_series, [30, -1])
    client.force_login(olga)

    answer = get_part(client, three_series[1], {"m": "cp-ssd"})

    marks = [
        trace
        for trace in drawn_figure(answer.text, "all-forks")["data"]
        if trace["mode"] == "markers"
    ]
    assert [(marker["x"], marker["ids"]) for marker in marks] == [
        ([40, 50], ["fork-0", "fork-1"]),
        ([30], ["fork-0"]),
    ]
    assert drawn_figure(answer.text, "all-forks")["layout"]["meta"]["raised"] == "fork-1"
    rows = {(row["fork"], row["answer_of"]): row for row in file_of(client, three_series[0])}
    assert {place: row["steady_start"] for place, row in rows.items()} == {
        ("0", "known"): "40",
        ("1", "known"): "50",
        ("2", "known"): "-1",
        ("0", key): "30",
        ("1", key): "-1",
        ("", "known"): "45.0",
        ("", key): "30",
    }
    assert (rows["", key]["words"], rows["", "known"]["words"]) == ("inconsistent", "inconsistent")
    assert float(rows["", "known"]["steady_mean"]) == pytest.approx(290 / 150)


def test_the_y_range_follows_the_rules_of_the_series_page(
    make_series: Callable[..., Series], olga: User
) -> None:
    spiky_values = step(1.0)
    spiky_values[60] = 900.0
    series_by_fork = {}
    for fork, values in enumerate([spiky_values, step(5.0)]):
        series_by_fork[fork] = make_series(values, fork=fork)
        low, high = robust_range(values)
        Series.objects.filter(pk=series_by_fork[fork].pk).update(robust_low=low, robust_high=high)
    series_values = [spiky_values, step(5.0)]

    def limits(**query_fields: Any) -> tuple[float, float]:
        chart = fork_chart(series_by_fork[0].benchmark, olga, ForkChartQuery(**query_fields))
        assert chart is not None
        return chart.limits

    def union(rule: Callable[[np.ndarray], tuple[float, float]]) -> tuple[float, float]:
        ends = [rule(values) for values in series_values]
        return min(low for low, _ in ends), max(high for _, high in ends)

    assert limits() == union(robust_range)
    assert limits(range="plateau") == union(plateau_range)
    assert limits(range="full") == union(lambda x: pad_range(float(x.min()), float(x.max())))
    assert limits(range="window", begin=70, end=119) == union(lambda x: pad_range(x[99], x[99]))


@pytest.mark.parametrize(
    ("levels", "is_offered"), [((1.0, 4.0), False), ((1.0, 30.0), True), ((0.0, 30.0), False)]
)
def test_a_logarithmic_scale_is_offered_where_values_reach_over_a_decade(
    levels: tuple[float, float],
    is_offered: bool,  # noqa: FBT001
    make_series: Callable[..., Series],
    client: Client,
    olga: User,
) -> None:
    series = [make_series(step(level), fork=fork) for fork, level in enumerate(levels)]
    client.force_login(olga)

    assert ('name="scale"' in get_part(client, series[0]).text) is is_offered
    part = get_part(client, series[0], {"scale": "log", "range": "full"}).text
    axis = drawn_figure(part, "all-forks")["layout"]["yaxis"]
    assert 'name="scale"' in part  # to go back
    assert (axis.get("type") == "log") is (levels[0] > 0)
    if levels[0] > 0:
        low, high = axis["range"]
        assert low == pytest.approx(math.log10(0.95 * levels[0]), abs=0.1)
        assert 10**high >= 2 * levels[1]
        assert all(low <= math.log10(tickval) <= high for tickval in axis["tickvals"])
        assert axis["ticktext"][-1].endswith(" s")


def test_rates_that_fall_to_nothing_have_a_linear_scale() -> None:
    line = fork_line(np.array([5.0, 0.0]), 0, 2, points=5)

    assert log_limits([line], (0.0, 6.0)) is None
    assert log_limits([], (0.0, 6.0)) is None
    assert log_limits([fork_line(np.ones(4) * 8, 0, 4, points=5)], (-1.0, 6.0)) is None


@pytest.mark.parametrize(("query", "reach"), [("window", (0.9, 1.1)), ("full", (0.9, 2.1))])
def test_the_y_range_of_an_address_is_that_of_the_window_or_of_everything(
    query: str,
    reach: tuple[float, float],
    make_series: Callable[..., Series],
    client: Client,
    olga: User,
) -> None:
    series = make_series(step(1.0))
    client.force_login(olga)

    response = get_part(client, series, {"range": query, "from": "50"})

    low, high = drawn_figure(response.text, "all-forks")["layout"]["yaxis"]["range"]
    assert (low, high) == (pytest.approx(reach[0], abs=0.1), pytest.approx(reach[1], abs=0.1))


def test_what_is_zoomed_into_is_drawn_from_finer_values(
    make_series: Callable[..., Series], client: Client, olga: User
) -> None:
    series = make_series(np.arange(9_000.0) + 1, fork=0)
    client.force_login(olga)

    def line(**query: str) -> dict[str, Any]:
        figure = drawn_figure(get_part(client, series, query).text, "all-forks")
        assert figure["layout"]["meta"]["window"] == ["from", "to"]
        assert figure["layout"]["xaxis"]["fixedrange"] is False
        trace: dict[str, Any] = figure["data"][0]
        return trace

    assert line()["dx"] == 3
    near_trace = line(**{"from": "100", "to": "199"})
    assert (near_trace["x0"], near_trace["dx"], near_trace["y"]) == (
        100,
        1,
        [float(value) for value in range(101, 201)],
    )


def test_a_window_that_shows_nothing_shows_all(three_series: list[Series], olga: User) -> None:
    chart = fork_chart(three_series[0].benchmark, olga, ForkChartQuery(begin=500, end=20))

    assert chart is not None
    assert (chart.begin, chart.end) == (0, 120)


def test_recordings_are_charts_of_their_own(
    three_series: list[Series], make_series: Callable[..., Series], client: Client, olga: User
) -> None:
    recording = Recording.objects.create(dataset=three_series[0].benchmark.dataset, label="another")
    Series.objects.filter(pk=three_series[2].pk).update(recording=recording)
    client.force_login(olga)

    response = get_part(client, three_series[2])

    assert [fork.series.pk for fork in response.context["fork_chart"].forks] == [three_series[2].pk]
    assert get_part(client, three_series[0], {"y": "campaign:none"}).status_code == 404
    page = client.get(three_series[0].get_absolute_url()).text
    assert page.count(three_series[2].get_absolute_url()) == 1  # in the menu of recordings


def test_giant_values_are_drawn_and_averaged(
    make_series: Callable[..., Series], olga: User
) -> None:
    values = np.full(100_000, 0.8e308)
    series = make_series(values, known_start=0)
    Series.objects.filter(pk=series.pk).update(scale=2.0**1022)

    chart = fork_chart(series.benchmark, olga, ForkChartQuery())

    assert chart is not None
    assert chart.truth is not None
    assert math.isfinite(chart.forks[0].line.y.max())
    assert chart.truth.mean == pytest.approx(0.8e308)


# --- blind ----------------------------------------------------------------------------------------
def test_who_has_yet_to_answer_a_fork_sees_its_values_alone(
    task: Task, ana: User, olga: User, make_series: Callable[..., Series], client: Client
) -> None:
    series = make_series(step(1.0), fork=1)
    store_answers([task.series, series], [30, 31])
    Series.objects.update(known_start=12)
    client.force_login(ana)

    response_before = get_part(client, series)
    mark(task, ana, 12)
    response_after = get_part(client, series)

    assert response_before.context["fork_chart"].truth is None
    assert all(fork.is_hidden for fork in response_before.context["fork_chart"].forks)
    assert b"data-hidden-forks" in response_before.content
    assert {row["fork"] for row in file_of(client, series)} >= {"0"}
    assert response_after.context["fork_chart"].forks[0].truth == 12


# --- ways to it -----------------------------------------------------------------------------------
def test_each_fork_stands_in_the_strip_with_its_answer(
    three_series: list[Series], client: Client, olga: User
) -> None:
    client.force_login(olga)

    response = client.get(three_series[1].get_absolute_url())

    (panel,) = response.context["panels"]["forks"]
    fork_strip = panel.context["strip"]
    assert [(fork.truth, fork.is_current) for fork in fork_strip.forks] == [
        (40, False),
        (50, True),
        (-1, False),
    ]
    assert fork_strip.finding == "2 of 3 steady, between 40 and 50"
    assert all(fork.get_absolute_url() in response.text for fork in three_series)


def test_a_strip_of_many_forks_holds_those_around_the_current_one(
    make_series: Callable[..., Series], olga: User
) -> None:
    series = [make_series(step(1.0 + fork), fork=fork) for fork in range(MOST + 7)]

    first, middle, last = (fork_strip(series[fork], olga) for fork in (0, 25, MOST + 6))

    assert [len(strip.forks) for strip in (first, middle, last)] == [MOST] * 3
    assert [strip.fork_count for strip in (first, middle, last)] == [MOST + 7] * 3
    assert [first.forks[0].series.fork, last.forks[-1].series.fork] == [0, MOST + 6]
    assert [fork.series.fork for fork in middle.forks if fork.is_current] == [25]


@pytest.mark.parametrize("route_name", ["benchmark", "benchmark-forks"])
def test_old_addresses_of_a_benchmark_lead_to_its_first_fork(
    route_name: str, three_series: list[Series], client: Client, olga: User
) -> None:
    recording = Recording.objects.create(dataset=three_series[0].benchmark.dataset, label="another")
    Series.objects.filter(pk=three_series[2].pk).update(recording=recording)
    client.force_login(olga)
    dataset = three_series[0].benchmark.dataset
    address = reverse(
        route_name, args=[dataset.study.slug, dataset.slug, three_series[0].benchmark.public_id]
    )

    newest_response = client.get(address)
    named_response = client.get(address, {"r": three_series[0].recording.label, "m": "cp-ssd"})

    assert (newest_response.status_code, newest_response["Location"]) == (
        308,
        f"{three_series[2].get_absolute_url()}#forks",
    )
    assert named_response["Location"].startswith(f"{three_series[0].get_absolute_url()}?")
    assert named_response["Location"].endswith("m=cp-ssd#forks")
    assert client.get(address, {"r": "none"}).status_code == 404


def test_a_benchmark_without_series_has_no_page_and_an_empty_file(
    study: Study, three_series: list[Series], client: Client, olga: User
) -> None:
    Series.objects.all().delete()
    client.force_login(olga)

    assert client.get(old_address(three_series[0])).status_code == 404
    assert file_of(client, three_series[0]) == []


@pytest.mark.parametrize("name", ["diagnostics", "results", "online", "table", "fork-chart"])
def test_a_part_that_is_asked_for_alone_is_opened_on_the_page(
    name: str, three_series: list[Series], client: Client, olga: User
) -> None:
    client.force_login(olga)
    study = three_series[0].benchmark.dataset.study.slug

    answer = client.get(
        reverse(f"series-{name}", args=[study, three_series[0].public_id]), {"from": "7"}
    )

    assert (answer.status_code, answer["Location"]) == (
        308,
        f"{three_series[0].get_absolute_url()}?from=7#{name}",
    )
