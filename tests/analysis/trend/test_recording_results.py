"""Results of recordings are kept, and equal at any time what is computed from the series."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client
from scipy import stats

from analysis.removal import services as removal
from analysis.review import services as review
from analysis.runs.models import Detection
from analysis.trend.models import SteadyMean, TrendSummary
from analysis.trend.query import TrendQuery
from analysis.trend.recording_results import computed_results
from analysis.trend.starts import find_start
from analysis.trend.table import DatasetTrends, trends
from annotate.blind import EVERYTHING
from annotate.models import Assignment, Campaign, Task
from detectors.intervals.steady_interval import steady_interval
from people.models import User
from series.models import Benchmark, Dataset, Recording, Series
from series.models.series import SeriesQuerySet
from tests.analysis.trend.conftest import FIRST, WARM_UP, Nights, store
from tests.replayed_rows import replayed
from tests.series.page_parts import parts

NIGHTS, NAMES = 3, ("org.example.Sort.merge", "org.example.Sort.quick")
World = tuple[Dataset, User]
Written = dict[str, list[tuple[str, float, int, int, str]]]


@pytest.fixture
@replayed
def dataset_and_olga(dataset: Dataset, nights: Nights, olga: User) -> World:
    """Three nights of two benchmarks of two forks, whose results are kept."""
    for name in NAMES:
        nights([1.0, 1.1, 1.2], name)
    written_rows(trends(dataset, EVERYTHING, find_start(dataset, "fixed")))
    assert TrendSummary.objects.count() == NIGHTS
    return dataset, olga


def written_rows(dataset_trends: DatasetTrends) -> Written:
    return {
        row.benchmark.name: [
            (dot.recording.label, dot.result, dot.fork_count, dot.recorded_count, dot.series)
            for dot in row.dots
        ]
        for row in dataset_trends.rows
    }


def computed_rows(dataset: Dataset, code: str = "fixed") -> Written:
    """Rows computed from the series of each benchmark; nothing that is kept is read."""
    start = find_start(dataset, code)
    benchmark_trends = [
        trends(dataset, EVERYTHING, start, benchmarks=[benchmark])
        for benchmark in dataset.benchmarks.all()
    ]
    return {
        name: dots
        for benchmark_trend in benchmark_trends
        for name, dots in written_rows(benchmark_trend).items()
    }


def second_night_series(**filters: int) -> Series:
    return Series.objects.get(recording__label="night 2", benchmark__name=NAMES[0], **filters)


def another_answer(_: World) -> None:
    Detection.objects.filter(series=second_night_series(fork=1)).update(steady_start=0)


def two_answers_are_exchanged(_: World) -> None:
    """Their number and their sum are what they were."""
    Detection.objects.filter(series=second_night_series(fork=0)).update(steady_start=WARM_UP - 20)
    Detection.objects.filter(series=second_night_series(fork=1)).update(steady_start=WARM_UP + 20)
    trends(_[0], EVERYTHING, find_start(_[0], "fixed"))
    Detection.objects.filter(series=second_night_series(fork=0)).update(steady_start=WARM_UP + 20)
    Detection.objects.filter(series=second_night_series(fork=1)).update(steady_start=WARM_UP - 20)


def no_answer(_: World) -> None:
    Detection.objects.filter(series=second_night_series(fork=0)).delete()


def never(_: World) -> None:
    Detection.objects.filter(series=second_night_series(fork=0)).update(steady_start=-1)


def one_more_fork(_: World) -> None:
    series_row = second_night_series(fork=0)
    store(series_row.benchmark, series_row.recording, 2, 1.7, seed=77)


def one_fork_less(_: World) -> None:
    second_night_series(fork=1).delete()


def another_benchmark(_: World) -> None:
    """As a removal moves series to a copy of their benchmark."""
    benchmark = Benchmark.objects.get(name=NAMES[1])
    Series.objects.filter(pk=second_night_series(fork=1).pk).update(benchmark=benchmark, fork=9)


def exclude_series(world: World) -> None:
    spoilt, owner = second_night_series(fork=1), world[1]
    review.decide(spoilt, None, kind="exclude", user=owner, client_id=uuid4(), text="disk full")


def remove_recording(world: World) -> None:
    removal.remove_from_study(Recording.objects.get(label="night 2"), user=world[1])


def restore_recording(world: World) -> None:
    removed_recording = removal.remove_from_study(
        Recording.objects.get(label="night 2"), user=world[1]
    )
    removal.restore_removal(removed_recording, user=world[1])


@pytest.mark.parametrize(
    "change",
    [
        another_answer,
        two_answers_are_exchanged,
        no_answer,
        never,
        one_more_fork,
        one_fork_less,
        another_benchmark,
        exclude_series,
        remove_recording,
        restore_recording,
    ],
)
def test_whatever_changes_the_trend_is_what_the_series_say(
    dataset_and_olga: World, change: Callable[[World], None]
) -> None:
    rows_before = computed_rows(dataset_and_olga[0])
    change(dataset_and_olga)

    dataset_trends = trends(
        dataset_and_olga[0], EVERYTHING, find_start(dataset_and_olga[0], "fixed")
    )

    assert written_rows(dataset_trends) == computed_rows(dataset_and_olga[0])
    assert (written_rows(dataset_trends) == rows_before) == (change is restore_recording)


def test_only_the_recording_that_changed_is_read_again(
    dataset_and_olga: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, _ = dataset_and_olga
    keys_before = dict(TrendSummary.objects.values_list("recording__label", "key"))
    another_answer(dataset_and_olga)
    recording_pks: list[int] = []

    def noted(series: SeriesQuerySet, *more: Any) -> Any:
        recording_pks.extend(series.order_by().values_list("recording", flat=True).distinct())
        return computed_results(series, *more)

    monkeypatch.setattr("analysis.trend.recording_results.computed_results", noted)
    for _ in range(2):
        trends(dataset, EVERYTHING, find_start(dataset, "fixed"))

    assert recording_pks == [second_night_series(fork=0).recording_id]
    keys_by_recording = dict(TrendSummary.objects.values_list("recording__label", "key"))
    assert {
        label for label in keys_by_recording if keys_by_recording[label] != keys_before[label]
    } == {"night 2"}


def test_what_is_incomplete_is_not_kept(dataset: Dataset, nights: Nights) -> None:
    nights([1.0, 1.1])
    start = find_start(dataset, "half")

    first = trends(dataset, EVERYTHING, start, most_trends=3)
    labels = list(TrendSummary.objects.values_list("recording__label", flat=True))
    second = trends(dataset, EVERYTHING, start, most_trends=3)

    # The newest recording first: what is waited for is the past.
    assert (first.waiting_count, labels, second.waiting_count) == (1, ["night 2"], 0)
    assert written_rows(second) == computed_rows(dataset, "half")


def test_a_summary_without_series_is_none(dataset: Dataset, nights: Nights) -> None:
    nights([1.0])
    Recording.objects.create(dataset=dataset, label="empty", measured_at=FIRST)

    dataset_trends = trends(dataset, EVERYTHING, find_start(dataset, "fixed"))

    assert (dataset_trends.read_count, len(dataset_trends.rows[0].dots)) == (2, 1)
    assert TrendSummary.objects.count() == 1


def test_who_is_blind_reads_no_summary_and_leaves_none(
    dataset_and_olga: World, ana: User, vic: User, campaign: Campaign
) -> None:
    dataset, _ = dataset_and_olga
    start = find_start(dataset, "fixed")
    TrendSummary.objects.all().delete()

    blind_trends = trends(dataset, ana, start)
    trends_of_stranger = trends(dataset, User.objects.create(username="nobody"), start)
    trend_summary_count = TrendSummary.objects.count()
    visible_trends = trends(dataset, vic, start)

    assert (written_rows(blind_trends), written_rows(trends_of_stranger)) == (
        {name: [] for name in NAMES},
    ) * 2
    assert (trend_summary_count, TrendSummary.objects.count()) == (0, NIGHTS)
    assert written_rows(visible_trends) == computed_rows(dataset)


def test_who_is_blind_to_one_night_reads_summaries_of_the_others(
    dataset_and_olga: World, vic: User, campaign: Campaign, make_task: Callable[[Series], Task]
) -> None:
    dataset, _ = dataset_and_olga
    start = find_start(dataset, "fixed")
    asked_series = second_night_series(fork=0)
    Assignment.objects.create(task=make_task(asked_series), user=vic, order=0)
    stored_keys = dict(TrendSummary.objects.values_list("recording__label", "key"))
    TrendSummary.objects.filter(recording__label="night 3").update(rows=b"")

    rows = written_rows(trends(dataset, vic, start))

    expected = computed_rows(dataset)
    label, _, _, fork_count, _ = rows[NAMES[0]][1]
    assert (label, fork_count) == ("night 2", 1)
    assert rows[NAMES[0]][0] == expected[NAMES[0]][0]
    assert rows[NAMES[1]] == expected[NAMES[1]][:2]  # the emptied summary of night 3 was read
    assert dict(TrendSummary.objects.values_list("recording__label", "key")) == stored_keys


def test_answers_of_people_are_read_each_time(dataset: Dataset, nights: Nights) -> None:
    nights([1.0, 1.1])
    Series.objects.update(known_start=WARM_UP)
    known_start = find_start(dataset, "known")

    table_before = written_rows(trends(dataset, EVERYTHING, known_start))
    Series.objects.filter(recording__label="night 2").update(known_start=0)

    table_after = written_rows(trends(dataset, EVERYTHING, known_start))
    assert not TrendSummary.objects.exists()
    assert table_before != table_after == computed_rows(dataset, "known")


def test_the_newest_recordings_are_read_and_no_others(
    dataset: Dataset, nights: Nights, as_vic: Client
) -> None:
    nights([1.0 + 0.1 * night for night in range(4)])

    dataset_trends = trends(
        dataset, EVERYTHING, find_start(dataset, "half"), query=TrendQuery(window=2)
    )

    assert [label for label, *_ in written_rows(dataset_trends)[NAMES[0]]] == ["night 3", "night 4"]
    assert (dataset_trends.read_count, dataset_trends.recording_count) == (2, 4)
    # Nothing of what came before was looked at: no mean, no summary.
    assert SteadyMean.objects.filter(series__recording__label="night 2").count() == 0
    assert TrendSummary.objects.count() == 2

    response = as_vic.get("/s/startup-times/data/nightly/trend/?window=2")
    assert "The newest 2 of 4 recordings" in " ".join(response.content.decode().split())
    assert parts(response, "data-every") == [("?window=4", "all")]


def test_as_of_a_day_the_window_ends_there(dataset: Dataset, nights: Nights) -> None:
    nights([1.0, 1.1, 1.2])
    day = (FIRST + timedelta(days=1)).date()

    trend_query = TrendQuery(window=1, as_of=day)

    dataset_trends = trends(dataset, EVERYTHING, find_start(dataset, "half"), query=trend_query)
    assert [label for label, *_ in written_rows(dataset_trends)[NAMES[0]]] == ["night 2"]


def test_a_result_has_the_interval_of_its_forks_or_of_its_only_fork(
    dataset_and_olga: World,
) -> None:
    first = second_night_series(fork=0)
    forks = [series.array()[WARM_UP:] for series in (first, second_night_series(fork=1))]
    means = [fork.mean() for fork in forks]
    two_fork_half = stats.t.ppf(0.975, 1) * np.std(means, ddof=1) / math.sqrt(2)

    def half() -> float | None:
        (row,) = (
            row
            for row in trends(
                dataset_and_olga[0], EVERYTHING, find_start(dataset_and_olga[0], "fixed")
            ).rows
            if row.benchmark.name == NAMES[0]
        )
        return row.dots[1].half_width

    half_before = half()
    Detection.objects.filter(series=second_night_series(fork=1)).delete()

    assert half_before == pytest.approx(two_fork_half)
    assert half() == pytest.approx(steady_interval(forks[0]).half)
