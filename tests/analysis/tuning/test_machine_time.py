"""The least machine time at a given error of the result, on series whose optimum is known.

Each series is at 2 for 100 iterations and at 1 from then on. A measurement of 100 iterations that
begins k iterations too early has a mean of 1 + k / 100: with an error of 10 % allowed, the least
time is that from iteration 90 on.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.runs.models import Preset
from analysis.tuning.models import Exploration
from analysis.tuning.reads import ExplorationResults
from annotate.blind import EVERYTHING
from people.models import User
from series.models import Benchmark, Series
from tests.replayed_rows import replayed

TUNE = ("tune", "startup-times/nightly", "--method", "fixed")
GRID = (*TUNE, "--vary", "iteration=0:200:21", "--wait")


@pytest.fixture
@replayed
def warm_series(make_series: Callable[..., Series]) -> list[Series]:
    """Two systems of two benchmarks with two forks each, all steady from 100 on."""
    values = np.where(np.arange(700) < 100, 2.0, 1.0)
    series = [
        make_series(values, name=f"B{series_index // 2}", fork=series_index % 2)
        for series_index in range(8)
    ]
    Benchmark.objects.filter(name__in=["B2", "B3"]).update(system="other")
    Series.objects.update(known_start=100)
    return series


def printed_output(*command: str) -> str:
    output = io.StringIO()
    call_command(*command, stdout=output, stderr=io.StringIO())
    return output.getvalue()


def best_row(*command: str) -> dict[str, str]:
    rows = csv.DictReader(io.StringIO(printed_output(*command, "--format", "csv")))
    return next(iter(rows))


def test_the_best_of_a_grid_is_the_known_optimum(warm_series: list[Series]) -> None:
    best_set = best_row(*GRID, "--most-error", "10")

    assert (best_set["iteration"], best_set["machine_time"]) == ("90", str(8.0 * 190))
    assert float(best_set["result_error"]) == pytest.approx(10)


@pytest.mark.parametrize(("limit", "start"), [("0", "100"), ("9.99", "100"), ("20", "80")])
def test_a_smaller_error_costs_more_time(warm_series: list[Series], limit: str, start: str) -> None:
    assert best_row(*GRID, "--most-error", limit)["iteration"] == start


def test_seconds_are_told_where_they_are_known_and_rates_have_an_optimum_of_their_own(
    warm_series: list[Series],
) -> None:
    """Of a rate that rises from 1/2 to 1 twenty iterations too early are 10 %, not ten."""
    Benchmark.objects.update(unit="s", mode="")
    seconds = best_row(*GRID, "--most-error", "10")
    for series in warm_series:
        series.stored.delete()
        values = np.where(np.arange(700) < 100, 0.5, 1.0)
        type(series.stored).objects.create(series=series, data=values.astype("<f8").tobytes())
    Benchmark.objects.update(unit="ops/s", mode="thrpt")
    Series.objects.update(settings={"seconds_per_iteration": 2.0})

    rates = best_row(*GRID, "--most-error", "10")

    assert float(seconds["machine_time"]) == 8 * (90 * 2 + 10 * 2 + 90)
    assert (rates["iteration"], float(rates["machine_time"])) == ("80", 8 * 180 * 2.0)


def test_a_search_finds_it_though_it_begins_beyond_the_limit(warm_series: list[Series]) -> None:
    search = (*TUNE, "--vary", "iteration=0:400", "--trials", "80", "--wait")

    best_set = best_row(*search, "--most-error", "10")

    assert 90 <= int(best_set["iteration"]) <= 95
    assert Exploration.objects.get().most_error == 10


def test_with_no_set_within_the_limit_the_nearest_stand_first_and_none_is_kept(
    warm_series: list[Series],
) -> None:
    Series.objects.update(known_start=0)  # the mean of all is 8/7, and of the defaults 1
    early_options = (*TUNE, "--vary", "iteration=20,85", "--wait", "--most-error", "0.1")
    output = io.StringIO()

    with pytest.raises(SystemExit, match="1"):
        call_command(*early_options, "--preset", "Best", stdout=output, stderr=io.StringIO())
    lines = output.getvalue().splitlines()

    assert lines[1] == "None of 3 sets is within 0.1 %: the least error is 0.625 %."
    assert not Preset.objects.exists()
    assert lines[3].split()[:2] == ["rank", "iteration"]
    nearest_results = ExplorationResults(Exploration.objects.get(), EVERYTHING).unseen(
        {"machine_time": 1.0}, 0.1
    )
    assert nearest_results.optimistic_figures["result_error"] == pytest.approx(0.625)


def test_a_page_starts_it_and_says_what_it_costs(
    client: Client, olga: User, warm_series: Any
) -> None:
    client.force_login(olga)
    printed_output(*GRID, "--most-error", "10", "--preset", "Cheap")
    exploration = Exploration.objects.get()

    form_reply = client.get(
        "/s/startup-times/runs/sensitivity/new/?kind=grid&method=fixed&error=given"
    )
    reply = client.get(exploration.get_absolute_url())
    stricter_reply = client.get(exploration.get_absolute_url(), {"e": "0", "w.machine_time": "1"})

    assert form_reply.context["form"]["most_error"].value() == 1.0
    assert form_reply.context["form"]["weight.machine_time"].value() == "1"
    assert reply.context["tuned"].sentence == (
        "The best of 22 sets within 10 % scores 0.317, 1520 iterations at an error of 10 %, "
        "where the defaults score 1: 68\u00a0% less."
    )
    assert "which keeps the limit" in reply.context["tuned"].validation_sentence
    assert reply.context["tuned"].cost_sentence.startswith(
        "Machine time is that of tests on 8 series"
    )
    assert {reply.context["choice"].x, reply.context["choice"].y} == {
        "machine_time",
        "result_error",
    }
    assert "--most-error 10" in reply.context["command"]
    assert stricter_reply.context["tuned"].best[0].values == {"iteration": "100"}
    assert Preset.objects.get().provenance["most_error"] == 10


def test_a_document_says_limit_and_unit(warm_series: list[Series]) -> None:
    document = json.loads(printed_output(*GRID, "--most-error", "10", "--format", "json"))

    assert (document["most_error"], document["machine_time_unit"]) == (10, "iterations")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--most-error", "-1"), "0 or more percent; got -1"),
        (("--most-error", "nan"), "0 or more percent; got nan"),
    ],
)
def test_a_limit_that_says_nothing_is_refused(
    warm_series: list[Series], options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        printed_output(*TUNE, "--vary", "iteration=1,2", *options)


FRONT = ("--front", "--weight", "machine_time", "--weight", "mean_abs", "--what", "front-all")


def test_a_front_is_of_the_sets_within_the_limit(warm_series: list[Series]) -> None:
    """Early sets cost less and err more, so all from 0 to 100 are a front; 90 is within 10 %."""
    search = (*TUNE, "--vary", "iteration=0:400", "--trials", "80", "--wait", *FRONT)

    def starts(*options: str) -> list[int]:
        text = printed_output(*search, *options, "--format", "csv")
        return sorted(int(row["iteration"]) for row in csv.DictReader(io.StringIO(text)))

    all_starts, limited_starts = starts(), starts("--most-error", "10")

    assert min(all_starts) < 90
    assert limited_starts
    assert min(limited_starts) >= 90
    assert sum(start > 100 for start in limited_starts) <= 1  # the nearest one above, at most

    def too_early(exploration: Exploration) -> int:
        return int((ExplorationResults(exploration, EVERYTHING).sets[1:] < 90).sum())

    free_exploration, bound_exploration = Exploration.objects.order_by("pk")
    # The search keeps to the limit, too.
    assert too_early(bound_exploration) < too_early(free_exploration)
