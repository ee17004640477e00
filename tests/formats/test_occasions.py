"""Many builds in one table: which rows are one recording, and what is not understood is named."""

from __future__ import annotations

import io

import pytest

import formats
from formats import RecordingHint
from formats.occasions import EXPECTED_TIME
from tests.formats.reading import complaint, read

AS_BEFORE = "'b1', as in the rows before"


def recording_rows(text: str) -> list[tuple[str, float, str, str, str]]:
    """Benchmark, first value, and label, build and time of the recording of each series."""
    series = read(text.encode(), "all.csv")
    return [
        (m.benchmark, m.values[0], m.recording.label, m.recording.build,
         m.recording.measured_at) for m in series
    ]  # fmt: skip


def test_each_build_is_a_recording_at_its_earliest_time() -> None:
    rows = recording_rows(
        "build,measured_at,benchmark,unit,value\n"
        "b1,2026-03-01T02:30,ip4,pps,10\nb1,2026-03-01T02:00,ip6,pps,20\n"
        "b2,2026-03-02T02:00,ip4,pps,11\n"
    )

    assert rows == [
        ("ip4", 10, "b1", "b1", "2026-03-01T02:00"),
        ("ip6", 20, "b1", "b1", "2026-03-01T02:00"),
        ("ip4", 11, "b2", "b2", "2026-03-02T02:00"),
    ]


def test_a_build_that_was_measured_again_is_a_recording_each_time() -> None:
    rows = recording_rows(
        "commit,measured_at,benchmark,value\n"
        "b1,2026-03-01,ip4,10\nb1,2026-03-02,ip4,11\nb1,2026-03-01,ip6,20\nb2,2026-03-03,ip4,12\n"
    )

    assert [row[2:] for row in rows] == [
        ("b1, 2026-03-01", "b1", "2026-03-01"),
        ("b1, 2026-03-02", "b1", "2026-03-02"),
        ("b1, 2026-03-01", "b1", "2026-03-01"),
        ("b2", "b2", "2026-03-03"),
    ]


def test_without_builds_each_time_is_a_recording() -> None:
    rows = recording_rows("measured_at,benchmark,value\n2026-03-01,ip4,10\n2026-03-02,ip4,11\n")

    assert [row[2:] for row in rows] == [
        ("2026-03-01", "", "2026-03-01"),
        ("2026-03-02", "", "2026-03-02"),
    ]


def test_iterations_of_a_build_may_differ_in_time() -> None:
    rows = "b1,2026-03-01T02:00,0,10\nb1,2026-03-01T02:01,1,11\n"
    (series,) = read(f"build,measured_at,iteration,value\n{rows}".encode(), "ip4.csv")

    assert series.values.tolist() == [10, 11]
    assert series.recording == RecordingHint(label="b1", build="b1", measured_at="2026-03-01T02:00")


def test_a_column_recording_names_them_and_build_and_time_are_kept() -> None:
    rows = recording_rows(
        "recording,build,measured_at,benchmark,value\n"
        "night,b1,2026-03-01T03:00,ip4,10\nnight,,2026-03-01T02:00+01:00,ip6,11\n"
    )

    time = "2026-03-01T02:00+01:00"  # an hour before the other, by its zone
    assert [row[2:] for row in rows] == [("night", "b1", time)] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "build,measured_at,benchmark,value\nb1,yesterday,ip4,10\n",
            f"row 2, column 'measured_at': found 'yesterday', expected {EXPECTED_TIME}",
        ),
        (
            "recording,build,benchmark,value\nn,b1,ip4,10\nn,b2,ip6,10\n",
            f"row 3, column 'build': found 'b2' of recording n, expected {AS_BEFORE}",
        ),
    ],
)
def test_what_contradicts_itself_is_named(text: str, message: str) -> None:
    assert complaint(text.encode(), "all.csv") == f"all.csv, {message}"


def test_a_column_that_is_not_understood_is_named() -> None:
    data = b"build,operator,benchmark,value,room\nb1,ann,ip4,10,4\nb2,ann,ip4,11,4\n"
    file_preview = formats.preview(io.BytesIO(data), "all.csv")

    assert list(file_preview.notes) == [
        "columns that are not understood are left out: 'operator', 'room'"
    ]
    assert (file_preview.series, file_preview.recordings) == (2, {"b1", "b2"})
    assert (file_preview.recording.label, file_preview.recording.build) == ("", "")


@pytest.mark.parametrize("header", ["build,measured_at,mrr", "measured_at,build,test"])
def test_a_single_column_of_numbers_beside_builds_is_the_value(header: str) -> None:
    row = {"build": "117", "measured_at": "2026-03-01", "mrr": "9.5", "test": "9.5"}
    line = ",".join(row[name] for name in header.split(","))
    (series,) = read(f"{header}\n{line}\n".encode(), "ip4.csv")

    assert (series.values.tolist(), series.recording.build) == ([9.5], "117")


OTAVA = b"""time,commit,branch,host,checkout ms,size
2024.01.01 3:00:00 +0100,aaa0,main,x,1500,10.5
2024.01.02 3:00:00 +0100,aaa1,main,x,,10.25
2024-01-03 16:40,aaa2,next,y,1600,
"""


def test_several_columns_of_numbers_beside_builds_are_benchmarks_of_each_build() -> None:
    expected_series = [
        ("117", "ip4", [1.5]),
        ("117", "ip6", [2.5]),
        ("118", "ip4", [3]),
        ("118", "ip6", [4]),
    ]
    series = read(b"build,ip4,ip6\n117,1.5,2.5\n118,3,4\n", "wide.csv")
    assert [(m.recording.build, m.benchmark, m.values.tolist()) for m in series] == expected_series

    otava = read(OTAVA, "otava.csv")
    assert [
        (m.recording.build, m.benchmark, m.params, m.unit, m.values.tolist()) for m in otava
    ] == [
        ("aaa0", "checkout", "branch=main", "s", [1.5]),
        ("aaa0", "size", "branch=main", "", [10.5]),
        ("aaa1", "size", "branch=main", "", [10.25]),
        ("aaa2", "checkout", "branch=next", "s", [1.6]),
    ]
    times = ["2024-01-01T03:00:00+01:00", "2024-01-02T03:00:00+01:00", "2024-01-03 16:40"]
    assert sorted({m.recording.measured_at for m in otava}) == times
    assert {note for m in otava for note in m.notes} == {
        "columns that are not understood are left out: 'host'"
    }


def test_chosen_columns_of_a_table_of_builds_are_no_benchmarks() -> None:
    table = b"build,ip4,ip6\n117,1.5,2.5\n118,3,4\n"
    chosen_series = read(table, "b.csv", columns={"build": "build", "value": "ip6"})
    assert [(m.recording.build, m.benchmark) for m in chosen_series] == [("117", "b"), ("118", "b")]
    wide_series = read(table, "b.csv", layout="wide")
    assert [m.values.tolist() for m in wide_series] == [[1.5, 3.0], [2.5, 4.0]]


@pytest.mark.parametrize("moment", ["1704300000", "1704300000000"])
def test_builds_have_unix_times(moment: str) -> None:
    first_series, second_series = read(
        f"time,commit,time_a,b\n{moment},aaa0,2.5,3\n".encode(), "own.csv"
    )

    assert (
        first_series.recording.measured_at
        == second_series.recording.measured_at
        == "2024-01-03T16:40:00+00:00"
    )
    assert (first_series.benchmark, second_series.benchmark) == ("time_a", "b")
    assert len(read(b"commit,time,memory\na,1.5,2\n", "own.csv")) == 2  # here a benchmark


def test_unix_seconds_called_time_are_no_series() -> None:
    (series,) = read(b"time,size\n1609466400,154023\n1609552800,138455\n", "own.csv")

    assert series.notes == ("columns that hold no measurements are left out: 'time'",)
