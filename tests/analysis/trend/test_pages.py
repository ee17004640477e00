"""The pages of trends say what the function says; with one recording they say what is missing."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.runs.certainty import default_key
from analysis.runs.models import Detection
from analysis.trend import views
from analysis.trend.models import SteadyMean
from analysis.trend.query import trend_address
from analysis.trend.starts import find_start
from analysis.trend.table import trends
from annotate.blind import EVERYTHING
from detectors.registry import DEFAULT_METHOD
from people.models import User
from series.models import Dataset, Recording, Series
from tests.analysis.drawn_figures import drawn_figure, pdf_address
from tests.analysis.trend.conftest import Nights
from tests.locks import write_lock_held
from tests.series.page_parts import values

SLOWER = [1.0] * 20 + [1.2] * 3
LIST = "/s/startup-times/data/nightly/trend/"


def read_page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_list_shows_what_needs_a_look_first(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    calm = nights([1.0] * 23, "org.example.Sort.calm")
    slower_benchmark = nights(SLOWER, "org.example.Sort.slower")

    page = read_page(as_vic, LIST)

    assert page.index(f"?b={slower_benchmark.public_id}") < page.index(f"?b={calm.public_id}")
    assert "1 benchmark has a regression of" in page
    assert "trend/machines/" not in page  # no recording names one
    assert re.search(r"\+\d+\.\d %", page)
    assert page.count("trend-small") == 2


def test_one_benchmark_has_chart_changes_and_recordings(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    benchmark = nights(SLOWER)

    page = read_page(as_vic, trend_address(benchmark))

    (row,) = trends(dataset, EVERYTHING, find_start(dataset)).rows
    assert row.trend is not None
    figure = drawn_figure(page, "trend")
    dots, steps, regressions, progressions = figure["data"]
    unit = figure["layout"]["yaxis"]["ticksuffix"].strip()
    factor = {"s": 1.0, "ms": 1e-3}[unit]
    assert dots["y"] == [dot.result / factor for dot in row.dots]
    assert dots["x"][0] == "2026-03-01 02:00"
    assert "regression, ordinary: has held" in dots["hovertext"][20]
    level = row.trend.level / factor
    assert steps["x"] == [dots["x"][0], dots["x"][19], None, dots["x"][20], dots["x"][22], None]
    assert steps["y"] == [row.trend.groups[0].mean / factor] * 2 + [None, level, level, None]
    assert (regressions["x"], regressions["marker"]["size"]) == ([dots["x"][20]], [14])
    assert progressions["x"] == []
    assert "night 21 (b21)" in page
    assert "ordinary: has held for 3" in page
    assert "at once" in page
    assert page.count('href="/s/startup-times/series/') == 23
    assert as_vic.get(pdf_address(page)).content.startswith(b"%PDF")


def test_both_are_reached_from_data_set_and_benchmark(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    benchmark = nights([1.0, 1.0])

    assert f'href="{LIST}"' in read_page(as_vic, dataset.get_absolute_url())
    series = benchmark.series.all()[0]
    assert f'href="{trend_address(benchmark)}"' in read_page(as_vic, series.get_absolute_url())


def test_a_data_set_with_one_recording_leads_to_no_trend(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    benchmark = nights([1.0])

    series = benchmark.series.all()[0]
    assert f'href="{LIST}"' not in read_page(as_vic, dataset.get_absolute_url())
    assert trend_address(benchmark) not in read_page(as_vic, series.get_absolute_url())


def test_one_recording_says_what_would_make_a_trend(
    dataset: Dataset, nights: Nights, as_vic: Client, olga: User
) -> None:
    benchmark = nights([1.0])

    list_text, benchmark_text = read_page(as_vic, LIST), read_page(as_vic, trend_address(benchmark))
    as_vic.force_login(olga)
    owner = read_page(as_vic, LIST)

    assert "has one recording, “night 1”." in list_text
    assert "One recording has a result" in benchmark_text
    assert "Import a recording" not in list_text
    assert "Import a recording" in owner


def test_one_recording_costs_no_means(dataset: Dataset, nights: Nights, as_vic: Client) -> None:
    benchmark = nights([1.0])

    read_page(as_vic, LIST)

    assert not SteadyMean.objects.exists()
    read_page(as_vic, trend_address(benchmark))
    assert SteadyMean.objects.exists()  # one benchmark's are few, and its page shows them


def test_an_address_that_asks_for_nothing_known_is_not_found(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    nights([1.0, 1.0])

    assert as_vic.get(f"{LIST}?start=georges").status_code == 404
    assert "This page shows date" in as_vic.get(f"{LIST}?order=size").content.decode()
    assert as_vic.get(f"{LIST}?start=fixed:5&order=build").status_code == 200


def test_without_dates_the_page_says_how_days_are_counted(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    benchmark = nights([1.0] * 3, dated=False)

    page = read_page(as_vic, trend_address(benchmark))

    assert "not all with a date" in page
    axis = drawn_figure(page, "trend")["layout"]["xaxis"]
    assert axis["tickvals"] == [0, 1, 2]
    assert axis["ticktext"][0].startswith("night 1")


def test_files_have_the_figures_of_the_page(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    benchmark = nights(SLOWER)
    row = trends(dataset, EVERYTHING, find_start(dataset)).rows[0]
    assert row.trend is not None

    csv_rows = rows(b"".join(as_vic.get(LIST[:-1] + ".csv")).decode())
    dots = rows(b"".join(as_vic.get(f"{benchmark.get_absolute_url()}trend.csv")).decode())

    assert float(csv_rows[0]["trend"]) == row.trend.level
    assert (csv_rows[0]["state"], csv_rows[0]["pattern"]) == ("regression", "ordinary")
    assert (csv_rows[0]["last_group"], csv_rows[0]["last_group_since"]) == ("3", "night 21")
    labels = [dot["recording"] for dot in dots]
    assert (csv_rows[0]["first_recording"], csv_rows[0]["last_recording"]) == (
        labels[0],
        labels[-1],
    )
    assert [float(dot["result"]) for dot in dots] == [dot.result for dot in row.dots]
    assert [dot["kind"] for dot in dots if dot["kind"]] == ["regression"]
    assert dots[20]["appeared_with"] == "night 21"


def test_the_command_fails_a_build_that_got_slower(
    dataset: Dataset, nights: Nights, capsys: pytest.CaptureFixture[str]
) -> None:
    nights(SLOWER)
    nights([1.0] * 23, "org.example.Sort.calm")

    with pytest.raises(SystemExit) as error_info:
        call_command("trend", "startup-times/nightly", "--fail-on-regression")
    table = capsys.readouterr()
    call_command(
        "trend", "startup-times/nightly", "--fail-on-regression", "--benchmark", "example calm"
    )

    assert error_info.value.code == 1
    assert "1 benchmark with a new regression" in table.err
    assert re.search(r"regression: Sort\.merge, \+\d+\.\d % since night 21 \(b21\)", table.out)
    assert "no regression appeared within the last week" in capsys.readouterr().out


def test_after_the_way_back_the_command_passes(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 15 + [1.3] * 2 + [1.0] * 4)

    call_command("trend", "startup-times/nightly", "--fail-on-regression", format="json")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--start", "pilot"], "no start 'pilot' in nightly"),
        (["--benchmark", "quick"], "--benchmark: found 'quick', expected words of one of: org"),
    ],
)
def test_the_command_names_what_it_does_not_know(
    options: list[str], message: str, dataset: Dataset, nights: Nights
) -> None:
    nights([1.0])

    with pytest.raises(CommandError, match=message):
        call_command("trend", "startup-times/nightly", *options)


def test_the_json_says_what_it_rests_on(
    dataset: Dataset, nights: Nights, capsys: pytest.CaptureFixture[str]
) -> None:
    nights([1.0] * 9)

    call_command("trend", "startup-times/nightly", "--start", "half", format="json")

    document = json.loads(capsys.readouterr().out)
    assert (document["start"], document["recordings"], document["days_known"]) == ("half", 9, True)
    assert document["rows"][0]["recordings"] == 9


def test_an_import_of_tonight_adds_a_recording(
    dataset: Dataset, nights: Nights, tmp_path: Path, olga: User
) -> None:
    """What a nightly job does: import with label, build and date, then look at the trend."""
    nights([1.0] * 8, unit="s", mode="")
    file = tmp_path / "tonight.csv"
    lines = ["system,benchmark,fork,unit,iteration,value"]
    lines += [f"example,org.example.Sort.merge,0,s,{i},{1.4 + i % 3 / 1000}" for i in range(60)]
    file.write_text("\n".join(lines) + "\n")

    call_command(
        "import_series",
        "startup-times/nightly",
        str(file),
        "--recording",
        "night 9",
        "--build",
        "b9",
        "--measured-at",
        "2026-03-09T02:00Z",
    )

    tonight_recording = Recording.objects.get(label="night 9")
    assert (tonight_recording.build, tonight_recording.dataset) == ("b9", dataset)
    row = trends(dataset, EVERYTHING, find_start(dataset, "half")).rows[0]
    assert [dot.recording.label for dot in row.dots][-1] == "night 9"
    assert row.state == "regression"


def test_more_methods_take_no_more_queries(
    dataset: Dataset, nights: Nights, as_vic: Client, django_assert_num_queries: Any
) -> None:
    """Each looked through all detections of the study, three times a page: 8 s with thirty."""
    nights([1.0] * 3)
    address = f"{LIST}?start=fixed"
    read_page(as_vic, address)  # the means are kept, and that she was here
    with CaptureQueriesContext(connection) as one_method:
        read_page(as_vic, address)

    for key in (f"fixed@1?iteration={first}" for first in range(21, 26)):
        Detection.objects.bulk_create(
            Detection(series=series, detector_key=key, slug="fixed", steady_start=30)
            for series in Series.objects.all()
        )

    with django_assert_num_queries(len(one_method)):
        page = read_page(as_vic, address)
        choices = page.partition('name="start"')[2].partition("</select>")[0]
        assert choices.count("<option") == 8


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite's one write lock")
def test_a_trend_is_read_while_the_database_takes_no_writes(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    benchmark = nights([1.0] * 3)

    with write_lock_held():
        page = read_page(as_vic, trend_address(benchmark))

    assert "night 3 (b3)" in page
    assert not SteadyMean.objects.exists()
    read_page(as_vic, trend_address(benchmark))
    assert SteadyMean.objects.count() == 6


def test_a_page_shows_a_past_day_and_the_precision(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    slower_benchmark = nights(SLOWER)
    address = trend_address(slower_benchmark)

    reply_today = as_vic.get(address)
    past_reply = as_vic.get(f"{address}&as_of=2026-03-20&precision=abs:5")

    assert (len(reply_today.context["row"].dots), len(past_reply.context["row"].dots)) == (23, 20)
    assert past_reply.context["command"].endswith("--as-of 2026-03-20 --precision abs:5")
    assert values(reply_today, "data-known") == [str(len(reply_today.context["late_changes"]))]
    wrong_reply = as_vic.get(f"{address}&as_of=yesterday&precision=99")
    assert len(wrong_reply.context["row"].dots) == 23
    assert len(list(wrong_reply.context["messages"])) == 2


def test_files_say_deviation_direction_day_and_precision(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    slower = nights(SLOWER, unit="pps", mode="")
    query = "?as_of=2026-03-22&precision=10"

    (row,) = rows(as_vic.get(f"/s/startup-times/data/nightly/trend.csv{query}").getvalue().decode())
    dots = rows(as_vic.get(f"{slower.get_absolute_url()}trend.csv{query}").getvalue().decode())

    assert (row["dataset"], row["dataset_name"]) == ("nightly", "Nightly")
    assert (row["better"], row["better_by"]) == ("more", "unit")
    assert (row["as_of"], row["precision"], row["recordings"]) == ("2026-03-22", "10", "22")
    assert float(row["trend_deviation"]) == float(dots[-1]["group_deviation"]) > 0
    last_results = [float(dot["result"]) for dot in dots if dot["group"] == dots[-1]["group"]]
    assert float(row["trend_deviation"]) == pytest.approx(np.std(last_results))


def test_the_command_lists_every_change_that_was_seen(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 10 + [1.3] * 5)
    output = io.StringIO()

    call_command("trend", "startup-times/nightly", what="changes", format="csv", stdout=output)

    change_rows = rows(output.getvalue())
    assert [
        (change["kind"], change["at"], change["seen_with"], change["gone_with"])
        for change in change_rows
    ] == [("regression", "night 11", "night 11", "")]


def test_a_benchmark_opens_beside_the_page_of_the_list_that_has_it(
    dataset: Dataset, nights: Nights, as_vic: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    slower, calm = nights(SLOWER, "org.example.Sort.slower"), nights([1.0] * 23, "org.example.Calm")
    monkeypatch.setattr(views, "PAGE", 1)

    moved_response = as_vic.get(f"{calm.get_absolute_url()}trend/?precision=10")
    assert moved_response.headers["Location"] == f"{LIST}?precision=10&b={calm.public_id}"
    response = as_vic.get(moved_response.headers["Location"])

    assert [row.benchmark for row, *_ in response.context["rows"]] == [calm]
    assert as_vic.get(f"{LIST}?b={slower.public_id}").context["page"].number == 1
    assert as_vic.get(f"{LIST}?b=nothing").status_code == 404


def test_the_button_opens_the_first_alarm(dataset: Dataset, nights: Nights, as_vic: Client) -> None:
    nights([1.0] * 23, "org.example.Calm")
    calm = as_vic.get(LIST).context
    slower_benchmark = nights(SLOWER, "org.example.Sort.slower")

    assert calm["first_alarm"] == ""
    assert as_vic.get(LIST).context["first_alarm"] == f"?b={slower_benchmark.public_id}"


def test_the_page_says_from_where_values_count(
    dataset: Dataset, nights: Nights, as_vic: Client, olga: User
) -> None:
    nights([1.0] * 2)

    another_method = read_page(as_vic, LIST)
    Detection.objects.update(detector_key=default_key(), slug=DEFAULT_METHOD)
    by_default = read_page(as_vic, LIST)
    Detection.objects.all().delete()
    unanswered = read_page(as_vic, LIST)
    as_vic.force_login(olga)
    owners = read_page(as_vic, LIST)

    assert "A result is the mean from the steady start on, by Fixed iteration" in another_method
    assert (
        "A result is the mean from the steady start on, by Plateau, the default method."
        in by_default
    )
    middle = "A result is the mean from the middle of each series on."
    assert f"{middle} No method has answered here yet." in unanswered
    assert "/runs/new/?dataset=nightly" not in unanswered
    assert 'yet: <a href="/s/startup-times/runs/new/?dataset=nightly">run the default' in owners
