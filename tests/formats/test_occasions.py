"""Many builds in one table: which rows are one recording, and what is not understood is named."""

from __future__ import annotations

import io

import pytest

import formats
from formats import RecordingHint
from formats.occasions import EXPECTED_TIME
from tests.formats.reading import complaint, read

AS_BEFORE = "'b1', as in the rows before"


def hints(text: str) -> list[tuple[str, float, str, str, str]]:
    """Benchmark, first value, and label, build and time of the recording of each series."""
    found = read(text.encode(), "all.csv")
    return [
        (one.benchmark, one.values[0], one.recording.label, one.recording.build,
         one.recording.measured_at) for one in found
    ]  # fmt: skip


def test_each_build_is_a_recording_at_its_earliest_time() -> None:
    found = hints(
        "build,measured_at,benchmark,unit,value\n"
        "b1,2026-03-01T02:30,ip4,pps,10\nb1,2026-03-01T02:00,ip6,pps,20\n"
        "b2,2026-03-02T02:00,ip4,pps,11\n"
    )

    assert found == [
        ("ip4", 10, "b1", "b1", "2026-03-01T02:00"),
        ("ip6", 20, "b1", "b1", "2026-03-01T02:00"),
        ("ip4", 11, "b2", "b2", "2026-03-02T02:00"),
    ]


def test_a_build_that_was_measured_again_is_a_recording_each_time() -> None:
    found = hints(
        "commit,measured_at,benchmark,value\n"
        "b1,2026-03-01,ip4,10\nb1,2026-03-02,ip4,11\nb1,2026-03-01,ip6,20\nb2,2026-03-03,ip4,12\n"
    )

    assert [each[2:] for each in found] == [
        ("b1, 2026-03-01", "b1", "2026-03-01"),
        ("b1, 2026-03-02", "b1", "2026-03-02"),
        ("b1, 2026-03-01", "b1", "2026-03-01"),
        ("b2", "b2", "2026-03-03"),
    ]


def test_without_builds_each_time_is_a_recording() -> None:
    found = hints("measured_at,benchmark,value\n2026-03-01,ip4,10\n2026-03-02,ip4,11\n")

    assert [each[2:] for each in found] == [
        ("2026-03-01", "", "2026-03-01"),
        ("2026-03-02", "", "2026-03-02"),
    ]


def test_iterations_of_a_build_may_differ_in_time() -> None:
    rows = "b1,2026-03-01T02:00,0,10\nb1,2026-03-01T02:01,1,11\n"
    (one,) = read(f"build,measured_at,iteration,value\n{rows}".encode(), "ip4.csv")

    assert one.values.tolist() == [10, 11]
    assert one.recording == RecordingHint(label="b1", build="b1", measured_at="2026-03-01T02:00")


def test_a_column_recording_names_them_and_build_and_time_are_kept() -> None:
    found = hints(
        "recording,build,measured_at,benchmark,value\n"
        "night,b1,2026-03-01T03:00,ip4,10\nnight,,2026-03-01T02:00+01:00,ip6,11\n"
    )

    time = "2026-03-01T02:00+01:00"  # an hour before the other, by its zone
    assert [each[2:] for each in found] == [("night", "b1", time)] * 2


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
    found = formats.preview(io.BytesIO(data), "all.csv")

    assert list(found.notes) == ["columns that are not understood are left out: 'operator', 'room'"]
    assert (found.series, found.recordings) == (2, {"b1", "b2"})
    assert (found.recording.label, found.recording.build) == ("", "")


@pytest.mark.parametrize("header", ["build,measured_at,mrr", "measured_at,build,test"])
def test_a_single_column_of_numbers_beside_builds_is_the_value(header: str) -> None:
    row = {"build": "117", "measured_at": "2026-03-01", "mrr": "9.5", "test": "9.5"}
    line = ",".join(row[name] for name in header.split(","))
    (one,) = read(f"{header}\n{line}\n".encode(), "ip4.csv")

    assert (one.values.tolist(), one.recording.build) == ([9.5], "117")


def test_builds_beside_several_columns_of_numbers_are_no_series() -> None:
    data = b"build,ip4,ip6\n117,1.5,2.5\n118,3,4\n"
    found = formats.preview(io.BytesIO(data), "wide.csv")

    assert [one.label for one in found.drawn] == ["ip4", "ip6"]
    assert list(found.notes) == ["columns that hold no measurements are left out: 'build'"]
