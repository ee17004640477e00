"""Alarms: what people say of a regression, where it is read, and which builds it fails."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.site.reads import activity
from analysis.trend import ci_reports
from analysis.trend.alarms import TrendAlarm, known_alarms
from analysis.trend.models import RegressionAlarm, RegressionNotice
from analysis.trend.query import TrendQuery, trend_address
from analysis.trend.services import judge_alarm
from analysis.trend.starts import find_start
from analysis.trend.table import BenchmarkTrend, trends
from annotate.blind import EVERYTHING, Reader
from detectors.trends.trend_groups import Kind, KnownChange
from people.models import User
from series.models import Benchmark, Dataset
from tests.analysis.trend.conftest import Nights
from tests.replayed_rows import replayed

SLOWER = [1.0] * 9 + [1.2] * 3
RETURNED = [1.0] * 9 + [1.2] * 3 + [1.0] * 4
ACCEPTED = ["explained", "ignored"]


@pytest.fixture
@replayed
def slower_benchmark(dataset: Dataset, nights: Nights) -> Benchmark:
    return nights(SLOWER, "org.example.Slower.run")


def row_of(
    benchmark: Benchmark, reader: Reader = EVERYTHING, **query_fields: Any
) -> BenchmarkTrend:
    start = find_start(benchmark.dataset, "half")
    return trends(
        benchmark.dataset, reader, start, query=TrendQuery(**query_fields), benchmarks=[benchmark]
    ).rows[0]


def alarm_of(benchmark: Benchmark, reader: Reader = EVERYTHING) -> TrendAlarm:
    alarm = row_of(benchmark, reader).alarm
    assert alarm is not None
    return alarm


def say(benchmark: Benchmark, by: User, state: str, **fields: Any) -> RegressionAlarm:
    return judge_alarm(
        benchmark, recording=alarm_of(benchmark).first_recording, judge=by, state=state, **fields
    )


def address(benchmark: Benchmark) -> str:
    return reverse(
        "trend-alarms",
        args=[benchmark.dataset.study.slug, benchmark.dataset.slug, benchmark.public_id],
    )


def alarm_form(benchmark: Benchmark, **fields: Any) -> dict[str, Any]:
    return {"recording": alarm_of(benchmark).first_recording.pk, "state": "confirmed", **fields}


# --- what there is --------------------------------------------------------------------------------
def test_a_regression_is_new_until_somebody_says_otherwise(
    slower_benchmark: Benchmark, olga: User
) -> None:
    alarm = alarm_of(slower_benchmark)
    assert (alarm.state, alarm.first_recording.label, alarm.stored_alarm) == (
        "new",
        "night 10",
        None,
    )

    say(slower_benchmark, olga, "confirmed", assignee=olga, note="Since the new allocator.")

    alarm = alarm_of(slower_benchmark)
    assert alarm.stored_alarm is not None
    assert (alarm.state, alarm.stored_alarm.assignee, alarm.stored_alarm.by) == (
        "confirmed",
        olga,
        olga,
    )


@pytest.mark.parametrize("levels", [[1.0], [1.0, 1.0], [1.0] * 9 + [0.8] * 3])
def test_without_a_regression_there_is_no_alarm(
    dataset: Dataset, nights: Nights, levels: list[float]
) -> None:
    assert row_of(nights(levels)).alarm is None


def test_a_new_regression_of_the_benchmark_is_a_new_alarm(
    dataset: Dataset, nights: Nights, olga: User
) -> None:
    say(first := nights(SLOWER), olga, "ignored")
    second = nights([*SLOWER, 1.2, 1.2, 1.6, 1.6, 1.6], "org.example.Second.run")
    RegressionAlarm.objects.update(benchmark=second)

    alarm = alarm_of(second)

    assert (alarm.state, alarm.first_recording.label) == ("new", "night 15")
    assert row_of(second).fails
    assert alarm_of(first).state == "new"


def test_what_returned_is_proposed_to_be_fixed_and_not_set(
    dataset: Dataset, nights: Nights, olga: User
) -> None:
    benchmark = nights(RETURNED)
    assert row_of(benchmark).alarm is None  # nobody was told, and it is over
    tenth = benchmark.dataset.recordings.get(label="night 10")
    RegressionNotice.objects.create(benchmark=benchmark, recording=tenth, share=0.2)

    alarm = alarm_of(benchmark)
    assert (alarm.state, alarm.looks_fixed) == ("new", True)

    say(benchmark, olga, "fixed")
    assert (alarm_of(benchmark).state, alarm_of(benchmark).looks_fixed) == ("fixed", False)


@pytest.mark.parametrize(("kind", "state"), [("regression", "ignored"), ("progression", "new")])
def test_an_alarm_follows_its_change_when_later_nights_move_it(
    slower_benchmark: Benchmark, olga: User, kind: Kind, state: str
) -> None:
    row = row_of(slower_benchmark)
    assert row.trend is not None
    recordings = [dot.recording for dot in row.dots]
    judge_alarm(slower_benchmark, recording=recordings[8], judge=olga, state="ignored")
    moved_change = KnownChange(at=8, kind=kind, share=0.2, seen=9, gone=10, moved=9)

    trend = replace(row.trend, known=(*row.trend.known, moved_change))
    alarm = known_alarms(slower_benchmark.dataset, EVERYTHING).alarm(
        slower_benchmark.pk, trend, recordings.__getitem__
    )

    assert alarm is not None
    assert alarm.state == state


def test_all_that_was_said_is_kept_and_shown_the_last_word_first(
    slower_benchmark: Benchmark, client: Client, olga: User, ana: User
) -> None:
    client.force_login(olga)
    address = trend_address(slower_benchmark)
    say(slower_benchmark, ana, "confirmed", assignee=olga, note="Since the allocator.")
    assert "data-alarm-history" not in client.get(address).text  # one word is no history
    for _ in range(2):  # the same once more is nothing new
        alarm = say(slower_benchmark, olga, "fixed", note="<b>")

    entries = alarm.entries.values_list("state", "by__username", "assignee__username", "note")
    assert list(entries) == [
        ("fixed", "olga", None, "<b>"),
        ("confirmed", "ana", "olga", "Since the allocator."),
    ]
    history_html = client.get(address).text.partition("data-alarm-history")[2]
    assert 0 < history_html.index("&lt;b&gt;") < history_html.index("Since the allocator.")
    with pytest.raises(TypeError, match="append-only"):
        alarm.entries.all()[0].save()


# --- who may say it -------------------------------------------------------------------------------
def test_an_owner_sets_it_on_the_page(
    slower_benchmark: Benchmark, client: Client, olga: User
) -> None:
    client.force_login(olga)
    form_data = {"state": "explained", "assignee": olga.pk, "note": "Safer parser."}

    answer = client.post(
        address(slower_benchmark),
        alarm_form(slower_benchmark, **form_data, commit="https://git.example.org/c/4f2c91a"),
    )

    assert answer.status_code == 302
    page = client.get(answer["Location"]).content.decode()
    assert 'data-alarm="explained"' in page
    assert 'href="https://git.example.org/c/4f2c91a"' in page
    assert "Safer parser." in page


@pytest.mark.parametrize(
    "wrong_fields",
    [
        {"state": "gone"},
        {"commit": "javascript:alert(1)"},
        {"assignee": 10**6},
        {"note": "x" * 501},
        {"recording": ""},
        {"recording": "x"},
        {"recording": 10**9},
    ],
)
def test_what_is_no_state_person_or_address_is_refused(
    slower_benchmark: Benchmark, client: Client, olga: User, wrong_fields: dict[str, Any]
) -> None:
    client.force_login(olga)

    answer = client.post(
        address(slower_benchmark), alarm_form(slower_benchmark, **wrong_fields), follow=True
    )

    assert [message.level_tag for message in answer.context["messages"]] == ["bad"]
    assert not RegressionAlarm.objects.exists()


def test_a_viewer_and_a_blind_annotator_may_not(
    slower_benchmark: Benchmark, client: Client, olga: User, vic: User, ana: User
) -> None:
    """Ana was never asked for these series, so a campaign of tomorrow may ask her."""
    say(slower_benchmark, olga, "explained", note="Steady from 20 on.")

    for person in (vic, ana):
        client.force_login(person)
        assert (
            client.post(
                address(slower_benchmark), alarm_form(slower_benchmark, state="fixed")
            ).status_code
            == 403
        )
    response = client.get(trend_address(slower_benchmark))

    assert response.status_code == 200
    assert "Steady from 20 on." not in response.content.decode()
    assert alarm_of(slower_benchmark, ana).state == "explained"
    assert alarm_of(slower_benchmark, ana).stored_alarm is None
    assert alarm_of(slower_benchmark, vic).stored_alarm is not None


# --- where it is read -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("state", "filters"),
    [
        ("new", {"any", "open", "new"}),
        ("confirmed", {"any", "open", "confirmed"}),
        ("explained", {"any", "explained"}),
        ("fixed", {"any", "fixed"}),
        ("ignored", {"any", "ignored"}),
    ],
)
def test_the_list_shows_the_alarms_that_are_asked_for(
    slower_benchmark: Benchmark, nights: Nights, olga: User, state: str, filters: set[str]
) -> None:
    nights([1.0] * 12, "org.example.Level.run")
    say(slower_benchmark, olga, state)
    start = find_start(slower_benchmark.dataset, "half")

    counts = {
        alarm_filter: len(
            trends(
                slower_benchmark.dataset, EVERYTHING, start, query=TrendQuery(alarm=alarm_filter)
            ).rows
        )
        for alarm_filter in ("any", "open", "new", "confirmed", "explained", "fixed", "ignored")
    }

    assert counts.pop("any") == 2
    assert {alarm_filter for alarm_filter, count in counts.items() if count} == filters - {"any"}


def test_the_page_has_a_column_and_a_filter(
    slower_benchmark: Benchmark, client: Client, vic: User
) -> None:
    client.force_login(vic)
    list_address = reverse(
        "trends", args=[slower_benchmark.dataset.study.slug, slower_benchmark.dataset.slug]
    )

    assert 'data-alarm="new"' in client.get(list_address).content.decode()
    assert 'data-alarm="new"' not in client.get(f"{list_address}?alarm=fixed").content.decode()


def test_files_have_it(slower_benchmark: Benchmark, client: Client, olga: User) -> None:
    say(slower_benchmark, olga, "ignored", assignee=olga, note="Known.", commit="https://x.org/c/1")
    client.force_login(olga)
    args = [slower_benchmark.dataset.study.slug, slower_benchmark.dataset.slug]
    text = b"".join(client.get(reverse("trends-file", args=args)).streaming_content).decode()  # type: ignore[attr-defined]
    output = io.StringIO()
    call_command(
        "trend", "startup-times/nightly", "--start", "half", "--format=json", stdout=output
    )

    (row,) = csv.DictReader(io.StringIO(text))
    document = json.loads(output.getvalue())

    names = ("alarm", "alarm_since", "assignee", "note", "commit", "alarm_looks_fixed")
    expected_cells = ["ignored", "night 10", olga.name, "Known.", "https://x.org/c/1", ""]
    assert [row[name] for name in names] == expected_cells
    assert [document["rows"][0][name] for name in names] == expected_cells
    assert (document["regressions"], document["failing"]) == (1, 0)


@pytest.mark.parametrize("state", ["new", "confirmed", "fixed", *ACCEPTED])
def test_what_is_explained_or_ignored_fails_no_build(
    slower_benchmark: Benchmark, olga: User, capsys: pytest.CaptureFixture[str], state: str
) -> None:
    say(slower_benchmark, olga, state, note="Safer parser.")
    dataset_trends = trends(
        slower_benchmark.dataset, EVERYTHING, find_start(slower_benchmark.dataset, "half")
    )
    command = ("trend", "startup-times/nightly", "--start", "half", "--fail-on-regression")

    report, comment = ci_reports.junit(dataset_trends), ci_reports.markdown(dataset_trends)

    reason = f"{state} by {olga.name}: Safer parser."
    if state in ACCEPTED:
        call_command(*command)
        assert "<failure" not in report
        assert reason in report
        assert reason in comment
        assert comment.partition("\n")[0].count("1 more explained or ignored,") == 1
        assert reason in capsys.readouterr().out
    else:
        with pytest.raises(SystemExit):
            call_command(*command)
        assert "<failure" in report
        assert reason not in report


def test_the_activity_of_the_study_has_it_without_the_note(
    slower_benchmark: Benchmark, olga: User
) -> None:
    say(slower_benchmark, olga, "explained", note="Secret.")

    line = activity(slower_benchmark.dataset.study)[0]

    assert line.person == olga.name
    assert line.event == "set the regression of Slower.run since night 10 to explained"
    assert line.url.endswith(f"/trend/?b={slower_benchmark.public_id}")


def test_one_query_more_for_any_number_of_benchmarks(
    slower_benchmark: Benchmark,
    nights: Nights,
    olga: User,
    django_assert_max_num_queries: Callable[..., Any],
) -> None:
    other_benchmarks = [nights(SLOWER, f"org.example.B{number}.run") for number in range(5)]
    for benchmark in other_benchmarks:
        say(benchmark, olga, "confirmed", assignee=olga)
    start = find_start(slower_benchmark.dataset, "half")
    trends(slower_benchmark.dataset, EVERYTHING, start)

    with django_assert_max_num_queries(8):
        dataset_trends = trends(slower_benchmark.dataset, EVERYTHING, start)
        assert [row.alarm.reason for row in dataset_trends.rows if row.alarm] != []
