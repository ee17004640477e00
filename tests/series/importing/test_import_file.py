"""Importing a file: once is enough, all or nothing, and what is stored never changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from formats import FormatError, ReadOptions
from people.models import User
from series.importing import services
from series.importing.import_plan import RecordingDetails, parse_moment
from series.importing.services import SeriesImportResult, import_file
from series.models import Benchmark, Dataset, Import, Recording, Samples, Series
from series.reading.file_readers import FileToRead


def jmh(*forks: list[float], name: str = "org.example.Sort.merge", **more: Any) -> bytes:
    metric = {"scoreUnit": "ms/op", "rawData": forks}
    run = {"benchmark": name, "mode": "avgt", "primaryMetric": metric, **more}
    return json.dumps([run]).encode()


def store(
    dataset: Dataset, data: bytes, name: str = "sort.json", **more: Any
) -> SeriesImportResult:
    return import_file(dataset, FileToRead(name, data=data), **more)


def row_counts() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Benchmark, Recording, Series, Import))


def test_stores_each_fork_with_its_values_in_seconds(dataset: Dataset, olga: User) -> None:
    result = store(dataset, jmh([2.0, 1.0, 1.0], [4.0, 3.0, 3.0]), by=olga)

    assert (result.stored, result.known, result.benchmarks) == (2, 0, 1)
    first, second = Series.objects.order_by("fork")
    assert first.array().tolist() == [0.002, 0.001, 0.001]
    assert second.array().tolist() == [0.004, 0.003, 0.003]
    assert (first.n, first.benchmark.unit, first.recording.label) == (3, "s/op", "sort")
    assert first.median_last_half == 0.001
    assert Import.objects.get().by == olga


def test_the_same_file_twice_writes_nothing(dataset: Dataset) -> None:
    store(dataset, jmh([2.0, 1.0]))
    counts_before = row_counts()

    second_result = store(dataset, jmh([2.0, 1.0]))

    assert (second_result.stored, second_result.known) == (0, 1)
    assert row_counts() == counts_before


def test_the_same_file_under_another_name_is_still_the_same(dataset: Dataset) -> None:
    store(dataset, jmh([2.0, 1.0]), "monday.json")

    result = store(dataset, jmh([2.0, 1.0]), "copy of monday.json")

    assert (result.stored, result.known, result.recordings) == (0, 1, ("monday",))


def test_other_values_for_a_stored_series_are_refused_with_what_to_do(dataset: Dataset) -> None:
    store(dataset, jmh([2.0, 1.0]))

    with pytest.raises(FormatError) as error:
        store(dataset, jmh([2.0, 1.5]))

    assert str(error.value) == (
        "sort.json, org.example.Sort.merge||0: found other values than are stored, expected "
        "those of recording “sort”, or a new recording; values never change: import the file as "
        "another recording, such as --recording LABEL or the import page's field Recording"
    )
    assert Series.objects.get().array().tolist() == [0.002, 0.001]


def test_tomorrows_run_of_the_same_benchmarks_is_another_recording(dataset: Dataset) -> None:
    store(dataset, jmh([2.0, 1.0]), occasion=RecordingDetails(label="monday", build="a1"))

    store(dataset, jmh([2.0, 1.5]), occasion=RecordingDetails(label="tuesday", build="a2"))

    assert Benchmark.objects.count() == 1
    assert list(Recording.objects.order_by("label").values_list("label", "build")) == [
        ("monday", "a1"),
        ("tuesday", "a2"),
    ]
    shown_series = Benchmark.objects.get().shown
    assert shown_series is not None
    assert shown_series.recording.label == "tuesday"  # lists show the newest


def test_lists_show_the_newest_recording_in_whatever_order_they_come(dataset: Dataset) -> None:
    for day in (2, 1, 3):
        occasion = RecordingDetails(label=str(day), measured_at=datetime(2026, 3, day, tzinfo=UTC))
        store(dataset, jmh([2.0, 1.0 + day]), occasion=occasion)
        fork_shown = Benchmark.objects.get().shown
        assert fork_shown is not None
        assert fork_shown.recording.label == str(max(day, 2))


def test_a_file_with_one_broken_series_stores_nothing(dataset: Dataset) -> None:
    data = jmh([2.0, 1.0], [1.0, float("nan")])

    with pytest.raises(FormatError):
        store(dataset, data)

    assert row_counts() == (0, 0, 0, 0)


def test_broken_series_can_be_left_out(dataset: Dataset) -> None:
    data = jmh([2.0, 1.0], [1.0, float("nan")])

    result = store(dataset, data, on_problems="leave-out")

    assert (result.stored, result.problem_count) == (1, 1)
    assert [s.fork for s in Series.objects.all()] == [0]


def test_a_dry_run_tells_and_writes_nothing(dataset: Dataset) -> None:
    result = store(dataset, jmh([2.0, 1.0], [3.0, 2.0]), dry_run=True)

    assert (result.stored, result.known, result.shortest, result.longest) == (2, 0, 2, 2)
    assert row_counts() == (0, 0, 0, 0)


def test_new_forks_of_a_known_recording_are_added(dataset: Dataset) -> None:
    store(dataset, jmh([2.0, 1.0]))

    result = store(dataset, jmh([2.0, 1.0], [3.0, 1.0]))

    assert (result.stored, result.known) == (1, 1)


def test_one_benchmark_in_two_units_is_refused(dataset: Dataset) -> None:
    store(dataset, jmh([2.0, 1.0]))
    rates = json.loads(jmh([2.0, 1.0]))
    rates[0]["mode"], rates[0]["primaryMetric"]["scoreUnit"] = "thrpt", "ops/s"

    with pytest.raises(FormatError, match="values in ops/s, expected s/op, in which this"):
        store(dataset, json.dumps(rates).encode(), occasion=RecordingDetails(label="other"))


def test_settings_and_samples_are_kept(dataset: Dataset) -> None:
    metric = {"scoreUnit": "us/op", "rawDataHistogram": [[[[1.0, 3], [2.0, 1]], [[1.5, 2]]]]}
    run = {
        "benchmark": "a.B.c",
        "mode": "sample",
        "warmupIterations": 5,
        "warmupTime": "10 s",
        "primaryMetric": metric,
    }

    store(dataset, json.dumps([run]).encode())

    series = Series.objects.get()
    assert series.settings["warmup_iterations"] == 5
    assert series.settings["warmup_seconds"] == 10
    samples = Samples.objects.get(series=series)
    assert np.frombuffer(samples.offsets, "<i8").tolist() == [0, 2, 3]
    assert np.frombuffer(samples.values, "<f8").tolist() == pytest.approx([1e-6, 2e-6, 1.5e-6])
    assert np.frombuffer(samples.counts, "<i8").tolist() == [3, 1, 2]


def test_a_file_beyond_the_limit_is_refused(dataset: Dataset, settings: Any) -> None:
    settings.IMPORT_MAX_FILE_BYTES = 50

    with pytest.raises(FormatError, match="at most 50 bytes"):
        store(dataset, jmh([2.0, 1.0]))


def test_more_series_than_the_limit_are_refused(dataset: Dataset, settings: Any) -> None:
    settings.IMPORT_MAX_SERIES = 1

    with pytest.raises(FormatError, match="1 series"):
        store(dataset, jmh([2.0, 1.0], [2.0, 1.0]))


def test_a_file_of_a_night_of_50_000_series_is_within_the_limits(settings: Any) -> None:
    """Once the size of a file is: 150 million values are at least 600 MB of text."""
    settings.IMPORT_MAX_FILE_BYTES = 1_500_000_000

    limits = services.within_limits(ReadOptions()).limits

    assert limits.series >= 50_000
    assert limits.points >= 50_000 * 3_000


def test_recordings_of_a_file_are_taken_from_its_column(dataset: Dataset) -> None:
    head = b"recording,benchmark,fork,iteration,value\n"
    data = b"mon,b,0,0,1\nmon,b,0,1,2\ntue,b,0,0,1\ntue,b,0,1,3\n"

    result = store(dataset, head + data, "both.csv")

    assert result.stored == 2
    assert sorted(result.recordings) == ["mon", "tue"]


def test_the_answer_of_a_measured_series_cannot_be_stated(series: Series) -> None:
    with pytest.raises(ValueError, match="is not known"):
        services.state_answer(series, start=3, reason="guessed")


def test_many_series_cost_few_queries(dataset: Dataset, django_assert_max_num_queries: Any) -> None:
    data = jmh(*[[float(fork + 1), 1.0, 1.0] for fork in range(150)])

    with django_assert_max_num_queries(31):
        store(dataset, data)


@pytest.mark.parametrize(
    ("sizes", "parts"),
    [
        ([], []),
        ([9], [[9]]),
        ([4, 4], [[4, 4]]),
        ([4, 4, 1], [[4, 4], [1]]),
        ([1, 20, 1], [[1], [20], [1]]),
        ([0] * 101, [[0] * 100, [0]]),
    ],
)
def test_values_are_written_in_parts_of_so_many_bytes(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], parts: list[list[int]]
) -> None:
    """Or the values of a whole file would be in memory at once."""
    monkeypatch.setattr(services, "PART_BYTES", 8)
    new_rows: Any = [(SimpleNamespace(stored_bytes=size), None, None) for size in sizes]

    byte_counts = [
        [series.stored_bytes for series, *_ in batch] for batch in services._parts(new_rows)
    ]

    assert byte_counts == parts


@pytest.mark.parametrize(
    "text",
    [
        *("2026-02-30T10:00Z", "9999-12-31T23:59:59-12:00", "\ud800", ""),
        *("0001-01-01", "0001-01-01T00:00+14:00", "9999-12-31T23:59:59"),
    ],
)
def test_a_moment_that_is_none_is_left_out(text: str) -> None:
    assert parse_moment(text) is None
