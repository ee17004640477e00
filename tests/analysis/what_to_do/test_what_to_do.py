"""Ways on recorded forks, the page of a benchmark, and the page of a data set."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from analysis.harness import reads as harness_reads
from analysis.harness.rules import HARNESSES
from analysis.planner.reads import PlanPage, plan_page
from analysis.what_to_do.benchmark_ways import NEVER_STEADY, benchmark_ways
from analysis.what_to_do.dataset_ways import read_harness_runs, replay_costs
from analysis.what_to_do.query import WhatToDoQuery
from analysis.what_to_do.sentences import default_sentence
from analysis.what_to_do.strips import (
    ERRORS,
    WIDTH,
    LeftOutStrip,
    WayStrips,
    early_strip,
    error_position,
)
from analysis.what_to_do.ways import MeasuredWindows, Way, WaysTable, error_range, way_from_windows
from annotate.blind import EVERYTHING
from annotate.models import Task
from detectors.registry import DEFAULT_METHOD
from people.models import User
from people.templatetags.writing import HARD
from series.models import Dataset, Series
from tests.analysis.comparison.conftest import key_of, mark, store
from tests.replayed_rows import replayed

__all__ = ["store"]

STEADY = 30
QUERY = WhatToDoQuery(target=0.02)


@pytest.fixture
@replayed
def forks(make_series: Callable[..., Series]) -> list[Series]:
    """Six forks around 10 µs, at 15 until iteration 30; iterations of 0.1 s, starts known."""
    random = np.random.default_rng(1)
    series = []
    for fork in range(6):
        values = 10 + random.normal(0, 0.2, 300)
        values[:STEADY] += 5
        series.append(
            make_series(values / 1e6, fork=fork, known_start=STEADY, settings=dict(LENGTH))
        )
    return series


LENGTH = {"seconds_per_iteration": 0.1}


@pytest.fixture(autouse=True)
def as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages wait for every rule of a harness, so that a busy machine shows the same."""
    for limit in ("AT_ONCE", "AGAIN"):
        monkeypatch.setattr(f"analysis.what_to_do.dataset_page.{limit}", 600.0)


def ways_of(forks: list[Series], query: WhatToDoQuery = QUERY) -> tuple[PlanPage, WaysTable]:
    page = plan_page(forks[0].benchmark, EVERYTHING, query)
    assert page is not None
    return page, benchmark_ways(page, page.harness, query.stated_length)


def named_way(table: WaysTable, name: str) -> Way:
    way = table.way_named(name)
    assert way is not None
    return way


# --- ways -----------------------------------------------------------------------------------------
def test_a_method_that_decides_too_early_is_off_by_what_it_measures(
    forks: list[Series], store: Callable[..., None]
) -> None:
    store(key_of("sdm"), forks, [10] * 6)
    store(key_of("plateau"), forks, [40, 40, 40, 50, -1, 40])

    page, table = ways_of(forks)

    assert page.plan is not None
    best = page.plan.recommended
    assert best is not None
    early_way, late_way = named_way(table, "sdm"), named_way(table, "plateau")
    means = [fork.array()[10 : 10 + best.iterations].mean() for fork in forks]
    errors = [
        abs(mean / fork.array()[STEADY:].mean() - 1)
        for mean, fork in zip(means, forks, strict=True)
    ]
    assert early_way.error is not None
    assert early_way.error.middle == pytest.approx(np.median(errors))
    assert (early_way.error.low, early_way.error.high) == pytest.approx((min(errors), max(errors)))
    assert (early_way.early_count, early_way.n, early_way.left_out.tolist()) == (6, 6, [10.0] * 6)
    assert early_way.seconds == pytest.approx(
        page.plan.costs.seconds(10, best.iterations, best.forks)
    )
    assert (late_way.early_count, late_way.n, late_way.reason) == (0, 5, NEVER_STEADY)
    assert late_way.left_out.tolist() == [40, 40, 40, 40, 50]


def test_the_answer_and_rules_of_harnesses_stand_in_the_same_table(forks: list[Series]) -> None:
    page, table = ways_of(forks)

    assert page.plan is not None
    best_configuration = page.plan.recommended
    assert best_configuration is not None
    answer = table.ways[0]
    assert (answer.group, answer.title, answer.early_count) == ("answer", "Known answers", 0)
    assert answer.left_out.tolist() == [best_configuration.warm_up] * 6
    assert answer.seconds == pytest.approx(best_configuration.seconds)
    assert table.count("harness") == len(HARNESSES)
    assert (table.count("method"), table.fork_count, table.n) == (0, best_configuration.forks, 6)
    # 50 s of warm-up are 500 iterations: the forks have 300.
    jmh = named_way(table, "jmh-default")
    assert (jmh.n, jmh.reason) == (0, "the series end before its warm-up is over")
    assert default_sentence(jmh) == ""


def test_a_stated_length_moves_what_harnesses_leave_out(forks: list[Series]) -> None:
    """Of 1 s each, 50 iterations are JMH's warm-up, and 50 more its measurement."""
    _, table = ways_of(forks, QUERY.changed(iteration="1 s"))

    jmh = named_way(table, "jmh-default")
    assert jmh.left_out.tolist() == [50.0] * 6
    assert jmh.early_count == 0
    sentence = default_sentence(jmh).replace(HARD, " ")
    assert sentence.endswith("it leaves out 50 iterations.")
    early_sentence = default_sentence(replace(jmh, early_count=6)).replace(HARD, " ")
    assert early_sentence.endswith("it starts to measure before any of the six forks is steady.")
    other_sentence = default_sentence(replace(jmh, early_count=1)).replace(HARD, " ")
    assert other_sentence.endswith("before one of the six forks is steady.")


def test_of_ten_series_an_error_has_an_interval_and_of_fewer_its_ends() -> None:
    nine_values = np.arange(9) / 100
    ten_values = np.arange(10) / 100

    few_range, full_range = error_range(np.append(nine_values, np.nan)), error_range(ten_values)

    assert few_range is not None
    assert (few_range.low, few_range.middle, few_range.high) == pytest.approx((0.0, 0.04, 0.08))
    assert full_range is not None
    assert 0 < full_range.low < full_range.middle < full_range.high < 0.09
    assert error_range(np.array([np.nan])) is None


# --- pictures -------------------------------------------------------------------------------------
def way(warm_ups: list[float], early: int = 0) -> Way:
    rows = ((number, 0.01, index < early, 1.0) for index, number in enumerate(warm_ups))
    return way_from_windows("method", "Some", MeasuredWindows.from_rows(rows), 1.0, name="some")


def test_one_place_is_a_tick_and_several_are_dots_within_the_axis() -> None:
    same, spread = way([50.0] * 5), way([0.0, 5.0, 700.0])
    strips = WayStrips(
        WaysTable("iterations", [same, spread], np.array([40.0, 60.0]), fork_count=2)
    )

    assert strips.left_out(same).tick == strips.x_position(50)
    assert strips.left_out(same).words == "50"
    dots = strips.left_out(spread)
    assert dots.tick is None
    assert dots.dots.count("h0") == 3
    assert strips.ticks[0].text == "0"
    assert all(0 <= tick.at <= WIDTH for tick in strips.ticks)
    low, width = strips.band
    assert low <= strips.middle <= low + width
    assert strips.x_position(700) == strips.x_position(strips.most)


@pytest.mark.parametrize(
    ("tick", "words", "is_turned"),
    [
        (100, "740", False),
        (320, "1029", True),
        (230, "1029", False),
        (180, "740", True),
        (8, "0 s", False),
    ],
)
def test_words_of_a_tick_stand_where_there_is_room_and_no_line(
    tick: float, words: str, *, is_turned: bool
) -> None:
    assert LeftOutStrip("", tick, words, middle=200.0).is_turned is is_turned


def test_errors_stay_on_their_axis_and_many_series_are_a_bar() -> None:
    assert (
        error_position(0.0) == error_position(0.0004) < error_position(0.01) < error_position(1.0)
    )
    assert error_position(1.0) == error_position(40.0) < ERRORS
    few_strip, many_strip = (
        early_strip(way([1.0] * 5, early=2)),
        early_strip(way([1.0] * 40, early=10)),
    )
    assert (few_strip.early.count("z"), few_strip.others.count("z")) == (2, 3)
    assert (many_strip.early.count("z"), many_strip.others.count("z")) == (1, 1)


def test_few_rows_are_shown_until_all_are_asked_for() -> None:
    windows = [MeasuredWindows.from_rows([(start, start, False, 1)]) for start in range(9)]
    ways = [
        way_from_windows("method", f"M{number}", windows_of_way, 1.0, name=f"m{number}")
        for number, windows_of_way in enumerate(windows)
    ]
    table = WaysTable("iterations", ways, np.array([1.0]), fork_count=1, first=("m7",))

    [(_, few_rows)] = table.groups(is_full=False)
    [(_, all_rows)] = table.groups(is_full=True)

    assert [way_row.name for way_row in few_rows] == ["m7", "m0", "m1", "m2", "m3", "m4"]
    assert [way_row.name for way_row in all_rows] == [f"m{number}" for number in range(9)]


# --- page -----------------------------------------------------------------------------------------
def get_page(client: Client, **query: str | int) -> Any:
    return client.get(reverse("what-to-do", args=["startup-times"]), query)


def test_the_page_says_the_answer_the_command_and_the_other_ways(
    forks: list[Series],
    make_series: Callable[..., Series],
    store: Callable[..., None],
    client: Client,
    vic: User,
) -> None:
    store(key_of("sdm"), forks, [10] * 6)
    client.force_login(vic)
    benchmark_id = forks[0].benchmark.public_id

    response = get_page(client, b=benchmark_id, t=2)
    other_response = get_page(client, b=benchmark_id, t=2, s="method:sdm")
    full_response = get_page(client, b=benchmark_id, t=2, all="yes")

    assert response.context["sentence"].startswith("Leave out 30 iterations, measure ")
    assert response.context["gain"].startswith("±")
    assert "-wi 30 -w 100ms" in response.text
    assert response.text.count("button-primary") == 1
    assert "Steady by Known answers." in response.text
    assert [head for head, _ in response.context["groups"]][-1].startswith("What a method")
    assert other_response.context["page"].source.code == "sdm"
    assert f"All {len(HARNESSES)} harnesses and 1 method" in response.text
    assert "All 12 harnesses and" not in full_response.text
    store(key_of("kb-kssd"), [make_series(np.ones(60), "org.example.Other.run")], [10])
    silent_response = get_page(client, b=benchmark_id, s="kb-kssd")
    note = silent_response.context["source_note"]
    assert note.startswith(
        "KB-KSSD says nothing of these forks. Steady by Known answers. In trials"
    )
    assert get_page(client, b="nobody").status_code == 404
    assert get_page(client, b=benchmark_id, s="nobody").status_code == 404


def test_a_data_set_says_one_warm_up_and_which_benchmark_to_open(
    forks: list[Series],
    make_series: Callable[..., Series],
    store: Callable[..., None],
    client: Client,
    vic: User,
) -> None:
    slow_series = [
        make_series(fork.array(), "org.example.Slow.run", fork.fork, known_start=200,
                    settings=dict(LENGTH))
        for fork in forks
    ]  # fmt: skip
    store(key_of("sdm"), [*forks, *slow_series], [10] * 12)
    client.force_login(vic)

    page_response = get_page(client, data="nightly")
    fragment_response = client.get(
        reverse("what-to-do", args=["startup-times"]),
        {"data": "nightly"},
        headers={"HX-Request": "true"},
    )
    narrowed_response = get_page(client, data="nightly", q="slow")

    sentence = page_response.context["sentence"].replace(HARD, " ")
    assert re.fullmatch(r"Leave out 20 s: 1[12] of 12 steady series are steady by then\.", sentence)
    assert "hx-get" in page_response.text  # methods follow
    assert "<html" not in fragment_response.text
    assert fragment_response.context["table"].way_named("sdm").early_count == 12
    assert fragment_response.context["table"].way_named("sdm").seconds == pytest.approx(
        11.0, rel=0.01
    )  # 110 iterations
    assert {row.name for row in page_response.context["rows"]} == {
        str(series.benchmark) for series in (forks[0], slow_series[0])
    }
    assert [row.name for row in narrowed_response.context["rows"]] == ["org.example.Slow.run"]
    assert f"b={slow_series[0].benchmark.public_id}" in narrowed_response.text
    assert get_page(client, data="nowhere").status_code == 404
    assert get_page(client, data="nightly", s="campaign:nobodys").status_code == 404


def test_a_data_set_takes_the_harness_of_most_series_of_equals_the_newest(
    forks: list[Series], client: Client, vic: User
) -> None:
    client.force_login(vic)
    harnesses = ("google", "criterion", "criterion", "google", "criterion", "criterion")
    for fork, harness in zip(forks, harnesses, strict=True):
        Series.objects.filter(pk=fork.pk).update(settings={**LENGTH, "harness": harness})

    full_context = get_page(client, data="nightly").context
    Series.objects.filter(pk=forks[1].pk).update(settings={**LENGTH, "harness": "google"})
    equal_context = get_page(client, data="nightly").context
    Series.objects.update(settings=LENGTH)
    nameless_context = get_page(client, data="nightly").context
    assert (full_context["rule"].name, full_context["rule_words"]) == (
        "criterion",
        "the harness of 4 of 6 series",
    )
    assert equal_context["rule"].name == "criterion"
    assert (nameless_context["rule"].name, nameless_context["rule_words"]) == (
        "go-testing",
        "which measures most of these series",
    )


def test_without_a_named_harness_what_each_benchmark_declares_comes_first(
    forks: list[Series], client: Client, vic: User
) -> None:
    declared_settings = {"warmup_iterations": 5, "warmup_values": 5, "warmup_seconds": 0.1}
    measured_settings = {"measurement_iterations": 5, "measurement_seconds": 0.1}
    harness_reads._kept.clear()  # only imports state what a benchmark declares
    Series.objects.update(settings={**LENGTH, **declared_settings, **measured_settings})
    client.force_login(vic)

    context = get_page(client, data="nightly").context

    assert (context["rule"].name, context["rule_words"]) == (
        "developer",
        "as each benchmark declares",
    )


def test_methods_are_replayed_on_the_steady_series_alone(
    forks: list[Series], make_series: Callable[..., Series], store: Callable[..., None]
) -> None:
    values = forks[0].array()[::-1]
    never = make_series(values, "org.example.Never.run", known_start=-1, settings=dict(LENGTH))
    store(key_of("sdm"), [*forks, never], [10] * 7)

    runs = read_harness_runs(forks[0].benchmark.dataset, EVERYTHING, QUERY, None)
    costs = replay_costs(runs, EVERYTHING)

    assert costs is not None
    assert [line.pk for line in costs.inputs.lines] == [fork.pk for fork in forks]


def test_without_ground_truth_the_default_method_is_the_yardstick_however_others_rank(
    forks: list[Series],
    make_series: Callable[..., Series],
    store: Callable[..., None],
    client: Client,
    vic: User,
) -> None:
    dataset = Dataset.objects.create(study=forks[0].benchmark.dataset.study, slug="two", name="Two")
    unmarked_series = [
        make_series(fork.array(), "org.example.Two.run", fork.fork, settings=dict(LENGTH))
        for fork in forks
    ]
    unmarked_series[0].benchmark.dataset = dataset
    unmarked_series[0].benchmark.save()
    more_series = [
        make_series(fork.array(), "org.example.More.run", fork.fork, known_start=STEADY,
                    settings=dict(LENGTH))
        for fork in forks
    ]  # fmt: skip
    store(key_of(DEFAULT_METHOD), [*forks, *more_series, *unmarked_series], [60] * 18)
    store(key_of("sdm"), [*forks, *more_series, *unmarked_series], [32] * 18)  # ranks first
    client.force_login(vic)

    response = get_page(client, data="two")

    assert [series.start for series in response.context["runs"].series] == [60] * 6
    assert response.context["note"].startswith(
        "Nobody has marked these series. By Plateau, the default method,"
    )


def test_without_an_answer_of_the_default_of_today_no_method_is_replayed(
    forks: list[Series], store: Callable[..., None], client: Client, vic: User
) -> None:
    Series.objects.update(known_start=None)
    store(key_of(DEFAULT_METHOD, chance=0.0), forks, [60] * 6)  # another setting of it
    client.force_login(vic)

    runs = read_harness_runs(forks[0].benchmark.dataset, EVERYTHING, QUERY, None)

    assert runs.yardstick is None
    assert replay_costs(runs, EVERYTHING) is None


def test_nobody_reads_what_they_have_yet_to_answer(
    task: Task, ana: User, make_series: Callable[..., Series], client: Client
) -> None:
    more_series = [make_series(np.ones(60) + fork, fork=fork, known_start=5) for fork in (1, 2)]
    Series.objects.update(known_start=5, settings=dict(LENGTH))
    client.force_login(ana)

    reply_before = get_page(client, data=more_series[0].benchmark.dataset.slug, s="known")
    mark(task, ana, 12)
    reply_after = get_page(client, data=more_series[0].benchmark.dataset.slug, s="known")

    assert reply_before.context["runs"].asked_count + 1 == reply_after.context["runs"].asked_count
    assert "left out because" in reply_before.text


def test_pages_lead_here(forks: list[Series], client: Client, vic: User) -> None:
    client.force_login(vic)
    benchmark = forks[0].benchmark
    address = reverse("what-to-do", args=["startup-times"])

    page = client.get(forks[0].get_absolute_url()).text
    assert f"{address}?b={benchmark.public_id}" in page
    assert f"{address}?data=nightly" in client.get(benchmark.dataset.get_absolute_url()).text


def test_an_empty_study_says_what_is_missing(dataset: Dataset, client: Client, vic: User) -> None:
    client.force_login(vic)

    response = get_page(client)

    assert "No series yet." in response.text
