"""Recordings become dots by a start, dots a trend, and trends a list of what needs a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import numpy as np
import pytest

from analysis.review import services
from analysis.runs.models import Detection
from analysis.trend import ci_reports, sentences, table
from analysis.trend.models import SteadyMean
from analysis.trend.query import TrendQuery
from analysis.trend.recording_history import TrendHistory
from analysis.trend.recording_results import RESULT
from analysis.trend.starts import UnknownStart, find_start, starts
from analysis.trend.table import BenchmarkTrend, trends
from analysis.web.latest_used import LatestUsed
from annotate.answering.services import save_mark
from annotate.blind import EVERYTHING
from annotate.models import Campaign, Task
from detectors.trends.trend import trend_of
from detectors.trends.trend_groups import TrendPrecision
from people.models import User
from series.models import Benchmark, Dataset, Recording, Series
from tests.analysis.trend.conftest import FIRST, WARM_UP, Nights, store

DAY = timedelta(days=1)
SLOWER = [1.0] * 20 + [1.2] * 3


def row_of(dataset: Dataset, start: str = "", **query: Any) -> BenchmarkTrend:
    (row,) = trends(dataset, EVERYTHING, find_start(dataset, start), query=TrendQuery(**query)).rows
    return row


def test_a_dot_is_the_mean_over_forks_of_their_steady_means(
    dataset: Dataset, nights: Nights
) -> None:
    nights([1.0, 1.5])

    row = row_of(dataset)

    forks = [
        series_row.array()[WARM_UP:].mean()
        for series_row in Series.objects.filter(recording__label="night 2")
    ]
    assert row.dots[1].result == pytest.approx(np.mean(forks), rel=1e-15)
    assert (row.dots[1].fork_count, row.dots[1].recorded_count) == (2, 2)
    assert [dot.recording.label for dot in row.dots] == ["night 1", "night 2"]


def test_means_are_computed_once_and_kept(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 3)
    start = find_start(dataset)

    first = trends(dataset, EVERYTHING, start)
    steady_mean_count = SteadyMean.objects.count()
    second_trends = trends(dataset, EVERYTHING, start)

    assert (steady_mean_count, SteadyMean.objects.count()) == (6, 6)
    assert list(second_trends.rows[0].dots) == list(first.rows[0].dots)


def test_a_trend_is_grouped_once_for_each_result_and_setting(
    dataset: Dataset, nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights([1.0] * 3)
    mock = Mock(side_effect=trend_of)
    monkeypatch.setattr(table, "_kept", LatestUsed(2))
    monkeypatch.setattr(table, "trend_of", mock)

    trends_found = [row_of(dataset, least=count).trend for count in (1, 1, 2, 2, 1, 3, 2)]

    least_counts = [call.kwargs["least_builds"] for call in mock.call_args_list]
    assert least_counts == [1, 2, 3, 2]  # the one unused for longest makes room for the third
    assert trends_found[2] == trends_found[-1]


def test_results_of_a_benchmark_are_searched_in_a_column_of_their_own() -> None:
    rows = np.zeros(5, RESULT)
    rows["benchmark"], rows["result"] = [3, 3, 7, 9, 9], np.arange(5.0)
    recording_indices = np.array([0, 1, 1, 0, 2], np.int32)
    history = TrendHistory(
        TrendQuery(), [], 3, np.arange(3.0), False, recording_indices, rows, 0, 0, Counter()
    )

    dots_by_benchmark = {pk: history.of_benchmark(pk) for pk in (3, 7, 8, 9)}

    assert [indices.tolist() for indices, _ in dots_by_benchmark.values()] == [
        [0, 1],
        [1],
        [],
        [0, 2],
    ]
    assert [dots["result"].tolist() for _, dots in dots_by_benchmark.values()] == [
        [0, 1],
        [2],
        [],
        [3, 4],
    ]
    assert history.benchmarks.flags.c_contiguous  # else every search copies all of it


def test_what_is_not_computed_yet_is_said_and_follows(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 4)

    first = trends(dataset, EVERYTHING, find_start(dataset), most_trends=3)
    second = trends(dataset, EVERYTHING, find_start(dataset), most_trends=3)
    third = trends(dataset, EVERYTHING, find_start(dataset), most_trends=3)

    assert (first.waiting_count, second.waiting_count, third.waiting_count) == (5, 2, 0)


def test_the_start_changes_the_result(dataset: Dataset, nights: Nights) -> None:
    nights([1.0, 1.0])

    fixed_row, zero_row, half_row = (row_of(dataset, code) for code in ("fixed", "fixed:0", "half"))

    assert fixed_row.dots[0].result == pytest.approx(1.0, abs=0.005)
    assert zero_row.dots[0].result == pytest.approx(4 / 3, abs=0.005)
    assert half_row.dots[0].result == pytest.approx(1.0, abs=0.005)


def test_starts_begin_with_the_method_that_answered_most(dataset: Dataset, nights: Nights) -> None:
    nights([1.0, 1.0])
    series = Series.objects.first()
    assert series is not None
    Detection.objects.create(
        series=series, detector_key="georges@1?k=30", slug="georges", steady_start=3
    )

    codes = [start.code for start in starts(dataset)]

    # A method before a baseline, however few its answers.
    assert codes[0].startswith("method:georges")
    assert codes[1:3] == ["half", "fixed:50"]
    assert any(code.startswith("method:fixed") for code in codes)


def test_an_unknown_start_says_what_there_is(dataset: Dataset, nights: Nights) -> None:
    nights([1.0])

    with pytest.raises(UnknownStart, match=r"no start 'pilot' in nightly; there are: .*half"):
        find_start(dataset, "pilot")


def test_ground_truth_is_a_start(
    dataset: Dataset, nights: Nights, make_task: Callable[[Series], Task], ana: User, ben: User
) -> None:
    nights([1.0, 1.0])
    series = Series.objects.get(recording__label="night 2", fork=1)

    with pytest.raises(UnknownStart):
        find_start(dataset, "ground-truth")  # nobody has answered yet
    task = make_task(series)
    for person in (ana, ben):
        save_mark(task, by=person, client_id=uuid4(), digest=series.digest, kind="steady", index=10)
    row = row_of(dataset, "ground-truth")

    assert [(dot.recording.label, dot.fork_count, dot.recorded_count) for dot in row.dots] == [
        ("night 2", 1, 2)
    ]
    assert row.dots[0].result == pytest.approx(series.array()[10:].mean())
    assert "campaign:first-look" in [start.code for start in starts(dataset)]


def test_never_and_no_answer_leave_a_fork_out_and_the_recording_without_a_dot(
    dataset: Dataset, nights: Nights
) -> None:
    nights([1.0, 1.0, 1.0])
    second_detections = Detection.objects.filter(series__recording__label="night 2")
    second_detections.filter(series__fork=0).update(steady_start=-1)
    Detection.objects.filter(series__recording__label="night 3").delete()

    row = row_of(dataset)

    assert [(dot.recording.label, dot.fork_count, dot.recorded_count) for dot in row.dots] == [
        ("night 1", 2, 2),
        ("night 2", 1, 2),
    ]
    assert row.empty_count == 1


def test_a_regression_of_the_last_week_comes_first(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 23, "org.example.Sort.calm")
    nights(SLOWER, "org.example.Sort.slower")
    nights([1.0] * 8 + [1.5] * 15, "org.example.Sort.lost")
    nights([1.0] * 20 + [0.7] * 3, "org.example.Sort.faster")

    dataset_trends = trends(dataset, EVERYTHING, find_start(dataset))

    assert [(row.benchmark.short_name, row.state) for row in dataset_trends.rows] == [
        ("Sort.slower", "regression"),
        ("Sort.lost", "below"),
        ("Sort.faster", "progression"),
        ("Sort.calm", "level"),
    ]
    assert [row.benchmark.short_name for row in dataset_trends.regressions] == ["Sort.slower"]
    assert dataset_trends.is_dated


def test_of_throughput_more_is_better(dataset: Dataset, nights: Nights) -> None:
    nights(SLOWER, unit="op/s", mode="thrpt")

    row = row_of(dataset)

    assert (row.direction.more, row.state) == (True, "progression")
    assert row.newest is not None
    assert row.newest.kind == "progression"


@pytest.mark.parametrize(
    ("unit", "mode", "is_more"),
    [
        ("s/op", "avgt", False),
        ("s/op", "", False),
        ("s", "", False),
        ("op/s", "", True),
        ("op/s", "thrpt", True),
        ("MB/s", "", True),
        ("bytes", "", False),
        ("", "", False),
        ("", "thrpt", True),
    ],
)
def test_mode_and_unit_say_which_way_is_better(unit: str, mode: str, is_more: bool) -> None:  # noqa: FBT001
    assert Benchmark(unit=unit, mode=mode).direction.more is is_more


def test_a_change_says_what_became_of_it_and_when_it_showed(
    dataset: Dataset, nights: Nights
) -> None:
    nights([1.0] * 10 + [1.3] * 3 + [1.0] * 8)

    row = row_of(dataset)

    assert row.trend is not None
    rise, fall = row.trend.jumps
    assert sentences.pattern(row, rise) == "reverted with night 14 (b14)"
    assert sentences.pattern(row, fall) == "reverts the change of night 11 (b11)"
    assert sentences.appearance_words(row, rise) == "at once"
    level_sentence, *_, best_sentence = sentences.trend_sentences(row)
    assert level_sentence.startswith("The trend is at 1.00")
    assert "It is no worse than 1 % off the best of the long term" in best_sentence


def test_builds_are_ordered_by_their_numbers(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 12)
    for number, label in ((9, "night 12"), (10, "night 1")):
        Recording.objects.filter(label=label).update(build=f"c{number}")

    row = row_of(dataset, order="build")

    builds = [dot.recording.build for dot in row.dots]
    assert builds == [*(f"b{n}" for n in range(2, 12)), "c9", "c10"]


def test_without_dates_a_recording_counts_as_a_day(dataset: Dataset, nights: Nights) -> None:
    nights(SLOWER, dated=False)

    dataset_trends = trends(dataset, EVERYTHING, find_start(dataset))

    assert not dataset_trends.is_dated
    assert dataset_trends.rows[0].state == "regression"
    assert dataset_trends.rows[0].trend is not None
    assert dataset_trends.rows[0].trend.best_at == 15


def test_dates_decide_what_was_a_week_ago(dataset: Dataset, nights: Nights) -> None:
    nights(SLOWER)
    for night in range(23):  # ten days apart instead of one
        Recording.objects.filter(label=f"night {night + 1}").update(
            measured_at=FIRST + timedelta(days=10 * night)
        )

    row = row_of(dataset)

    assert row.trend is not None
    assert (row.state, row.trend.fresh_regression) == ("below", None)


def test_a_recording_of_tonight_makes_one_more_dot(dataset: Dataset, nights: Nights) -> None:
    benchmark = nights([1.0] * 8)
    count_before = len(row_of(dataset).dots)

    tonight_recording = Recording.objects.create(
        dataset=dataset, label="tonight", measured_at=FIRST + timedelta(days=8)
    )
    store(benchmark, tonight_recording, 0, 1.4, seed=99)

    row = row_of(dataset)
    assert len(row.dots) == count_before + 1
    assert row.state == "regression"
    assert row.newest is not None
    assert sentences.pattern(row, row.newest) == "one recording so far"


def test_who_has_yet_to_answer_sees_no_dot_by_answers(
    dataset: Dataset, nights: Nights, ana: User, vic: User, campaign: Campaign
) -> None:
    nights([1.0] * 3)
    method, half_start = find_start(dataset), find_start(dataset, "half")

    blind_trends, open_trends, rule_trends = (
        trends(dataset, ana, method),
        trends(dataset, vic, method),
        trends(dataset, ana, half_start),
    )

    assert (blind_trends.hidden_count, len(blind_trends.rows[0].dots)) == (6, 0)
    assert (open_trends.hidden_count, len(open_trends.rows[0].dots)) == (0, 3)
    assert (rule_trends.hidden_count, len(rule_trends.rows[0].dots)) == (0, 3)


def test_an_excluded_fork_is_in_no_dot_and_is_counted(
    dataset: Dataset, nights: Nights, olga: User, make_person: Callable[..., User]
) -> None:
    nights([1.0, 1.0, 1.0])
    bad_fork = Series.objects.get(recording__label="night 2", fork=1)
    services.decide(bad_fork, None, kind="exclude", user=olga, client_id=uuid4(), text="disk full")
    half_start = find_start(dataset, "half")

    full_trends = trends(dataset, EVERYTHING, half_start)
    owner_trends = trends(dataset, olga, half_start)
    blind_trends = trends(dataset, make_person("cleo", "annotator"), half_start)

    for dataset_trends in (full_trends, owner_trends):
        assert (dataset_trends.excluded_count, dataset_trends.rows[0].excluded_count) == (1, 1)
        assert [(dot.fork_count, dot.recorded_count) for dot in dataset_trends.rows[0].dots] == [
            (2, 2),
            (1, 1),
            (2, 2),
        ]
    # What was decided of a series that its reader is blind to is no news.
    assert blind_trends.excluded_count == 0
    assert [dot.fork_count for dot in blind_trends.rows[0].dots] == [2, 2, 2]
    assert "1 left out by a decision" in next(iter(ci_reports.trend_report_lines(full_trends)))

    services.decide(bad_fork, None, kind="undo", user=olga, client_id=uuid4())
    assert trends(dataset, olga, half_start).excluded_count == 0


def test_as_of_a_past_day_is_what_was_known_then(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 10 + [1.3] * 5)
    day = (FIRST + timedelta(days=9)).date()  # of the last night before it got slower

    past_row, next_row, row_today = (
        row_of(dataset, as_of=day),
        row_of(dataset, as_of=day + DAY),
        row_of(dataset),
    )

    assert [len(row.dots) for row in (past_row, next_row, row_today)] == [10, 11, 15]
    assert [row.state for row in (past_row, next_row, row_today)] == [
        "level",
        "regression",
        "regression",
    ]
    assert next_row.trend is not None
    assert next_row.trend.jumps[0].pattern == "unconfirmed"
    trends_before = trends(
        dataset, EVERYTHING, find_start(dataset), query=TrendQuery(as_of=FIRST.date() - DAY)
    )
    assert (trends_before.read_count, trends_before.rows[0].state) == (0, "none")


def test_what_was_known_on_a_day_is_what_the_list_of_changes_says(
    dataset: Dataset, nights: Nights
) -> None:
    """The list tells of each change when it was seen: the trend of that day has it too."""
    levels = [1.0, 1.001, 1.02, 1.0, 1.03, 1.0, 1.03, 1.04, 1.03, 1.03, 1.5, 1.04, 1.03, 1.02, 1.03]
    nights(levels)
    row = row_of(dataset)
    assert row.trend is not None
    assert row.trend.late_changes

    for day in range(len(levels)):
        past_row = row_of(dataset, as_of=(FIRST + timedelta(days=day)).date())
        assert past_row.trend is not None
        known_changes = {
            (change.at, change.kind)
            for change in row.trend.known
            if change.seen <= day and (change.gone is None or change.gone > day)
        }
        assert {(jump.at, jump.kind) for jump in past_row.trend.jumps} == known_changes


def test_a_coarse_precision_sees_less(dataset: Dataset, nights: Nights) -> None:
    nights([1.0] * 10 + [1.01] * 10)

    fine_row = row_of(dataset)
    coarse_row = row_of(dataset, precision=TrendPrecision.from_text("5"))

    assert [len(row.trend.jumps) for row in (fine_row, coarse_row) if row.trend] == [1, 0]
