"""CSV, wide and long: what is found without being told, what can be told, what is wrong."""

from __future__ import annotations

import codecs
import gzip
import io
from typing import Any

import pytest

import formats
from tests.formats.reading import CORRECT_IT, NO_GAPS, complaint, read, values

LONG = b"""\
recording,system,benchmark,params,fork,unit,iteration,value
monday,app,sort,size=10,0,ms/op,0,9.5
monday,app,sort,size=10,0,ms/op,1,8
monday,app,sort,size=10,1,ms/op,0,7
monday,app,sort,size=10,1,ms/op,1,6
tuesday,app,sort,size=10,0,ms/op,0,5
tuesday,app,sort,size=10,0,ms/op,1,4
"""


def test_a_column_is_a_series_and_shorter_columns_end_in_empty_cells() -> None:
    first, second = read(b"fork 0,fork 1\n9.5,4\n8,3\n7,\n", "sort.csv")

    assert first.values.tolist() == [9.5, 8.0, 7.0]
    assert second.values.tolist() == [4.0, 3.0]
    assert (second.benchmark, second.fork, second.label) == ("sort", 1, "fork 1")
    assert second.unit == ""


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("org.Sort|b=2&a=1|3,org.Sort|b=2&a=1|4", [("org.Sort", "a=1&b=2", 3)]),
        ("merge fork 2,merge fork 3", [("merge", "", 2)]),
        ("Fork_7,Fork_8", [("sort", "", 7)]),
        ("quick,merge", [("quick", "", 0)]),
        ("quick (ms),merge (ms)", [("quick", "", 0)]),
        ('",0",merge', [(",0", "", 0)]),
    ],
)
def test_a_columns_name_says_benchmark_and_fork(
    header: str, expected: list[tuple[str, str, int]]
) -> None:
    series = read(f"{header}\n1,2\n3,4\n".encode(), "sort.csv")

    assert [(m.benchmark, m.params, m.fork) for m in series[:1]] == expected


def test_numbers_in_the_header_are_forks_where_the_first_column_counts() -> None:
    series = read(b",0,1\n0,9,8\n1,7,6\n", "sort.csv")

    assert [(m.fork, m.values.tolist()) for m in series] == [(0, [9.0, 7.0]), (1, [8.0, 6.0])]


@pytest.mark.parametrize("name", ["iteration", "Index", "#"])
def test_a_column_that_counts_is_no_series(name: str) -> None:
    assert values(f"{name},fork 0\n0,9\n1,8\n".encode(), "sort.csv") == [[9.0, 8.0]]


def test_a_unit_in_the_header_is_used() -> None:
    first, second = read(b"quick [us/op],rate (ops/ms)\n9,1\n8,2\n", "sort.csv")

    assert (first.unit, first.values.tolist()) == ("s/op", [9e-6, 8e-6])
    assert (second.unit, second.values.tolist()) == ("ops/ms", [1.0, 2.0])


def test_without_a_header_columns_are_forks_of_one_benchmark() -> None:
    first, second = read(b"9.5,4\n8.5,3\n", "sort.csv", unit="ms")

    assert (first.benchmark, first.fork, second.fork) == ("sort", 0, 1)
    assert (first.label, second.label) == ("column 1", "column 2")
    assert (first.unit, first.values.tolist()) == ("s", [0.0095, 0.0085])


def test_a_chosen_benchmark_takes_the_columns_as_its_forks() -> None:
    series = read(b"t,quick,merge\n1,2,3\n4,5,6\n", "x.csv", benchmark="sort", system="app",
                 series_columns=("merge", "quick"))  # fmt: skip

    assert [(m.system, m.benchmark, m.fork, m.label) for m in series] == [
        ("app", "sort", 0, "merge"),
        ("app", "sort", 1, "quick"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a;b\n9,5;4\n8,25;3\n",
        "a\tb\n9.5\t4\n8.25\t3\n",
        "a|b\n9.5|4\n8.25|3\n",
        "# recorded on Monday\na,b\n9.5,4\n\n8.25,3\n",
        '"a","b"\r\n"9.5"," 4"\r\n"8.25","3"\r\n',
        "9,5;4\n8,25;3\n",
    ],
)
def test_separator_decimal_sign_and_header_are_found(text: str) -> None:
    assert values(text.encode(), "sort.csv") == [[9.5, 8.25], [4.0, 3.0]]


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + b"a;b\n9,5;4\n8,25;3\n",
        "a;b\n9,5;4\n8,25;3\n".encode("utf-16"),
        gzip.compress(b"a;b\n9,5;4\n8,25;3\n"),
    ],
    ids=["byte order mark", "UTF-16", "gzip"],
)
def test_marks_and_packing_make_no_difference(data: bytes) -> None:
    assert values(data, "sort.csv.gz") == [[9.5, 8.25], [4.0, 3.0]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"decimal": ",", "separator": ";"}, [[9.5, 8.1]]),
        ({"separator": ","}, [[9.0, 8.0], [5.0, 1.0]]),
        ({"decimal": ","}, [[9.5, 8.1]]),
        ({"decimal": ",", "format": "text"}, [[9.5, 8.1]]),
    ],
)
def test_what_is_said_decides(options: dict[str, Any], expected: list[list[float]]) -> None:
    assert values(b"9,5\n8,1\n", "sort.csv", **options) == expected


def test_long_rows_make_series_by_recording_system_benchmark_params_and_fork() -> None:
    first, second, third = read(LONG, "all.csv")

    assert first.values.tolist() == [0.0095, 0.008]
    assert (first.system, first.benchmark, first.params) == ("app", "sort", "size=10")
    assert (first.unit, first.label) == ("s/op", "sort|size=10|0")
    assert (second.fork, second.recording.label) == (1, "monday")
    assert (third.fork, third.recording.label) == (0, "tuesday")


def test_long_rows_may_come_in_any_order_and_without_the_columns_that_may_be_missing() -> None:
    data = b"value,iteration,fork,benchmark\n1,1,0,b\n2,0,0,b\n3,0,1,b\n4,2,0,b\n5,1,1,b\n"

    assert values(data, "all.csv") == [[2.0, 1.0, 4.0], [3.0, 5.0]]


def test_iterations_may_be_numbered_from_1() -> None:
    (series,) = read(b"benchmark,fork,iteration,value\nb,0,2,10\nb,0,1,20\n", "all.csv")

    assert series.values.tolist() == [20.0, 10.0]
    assert series.notes == (
        "iterations are numbered from 1 in this file; its iteration 1 is iteration 0 here",
    )


def test_columns_can_be_chosen() -> None:
    data = b"test,time,junk\nb,10,x\nb,20,y\n"

    (series,) = read(data, "all.csv", columns={"benchmark": "test", "value": "time"}, unit="us")

    assert (series.benchmark, series.fork, series.values.tolist()) == ("b", 0, [1e-5, 2e-5])


def test_the_guard_against_formulas_is_taken_off_names() -> None:
    (series,) = read(b"benchmark,fork,iteration,value\n'=b,0,0,1\n'=b,0,1,2\n", "all.csv")

    assert series.benchmark == "=b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a,b\n1,2\n3,x\n",
            "sort.csv, row 3, column 'b': found 'x', expected a finite number" + CORRECT_IT,
        ),
        (
            "fork 0;fork 1\n1;2.5\n3;8,5\n",
            ("sort.csv, row 3, column 'fork 1': found '8,5', expected a finite number; "
            "choose the decimal comma"),
        ),
        (
            "9,5\n8,1\n",
            ("sort.csv, row 1: found '9,5', expected either a decimal comma or two columns; "
            "choose the decimal comma, or the comma as separator"),
        ),
        (
            "9,5\n8\n7,25\n",
            ("sort.csv, row 1: found '9,5', expected either a decimal comma or two columns; "
            "choose the decimal comma, or the comma as separator"),
        ),
        (
            "a,b\n1,2\n9,5,4\n3,4\n",
            ("sort.csv, row 3: found 3 cells, expected at most 2, as in row 1; "
            "if the comma is a decimal sign, choose the decimal comma"),
        ),
        (
            "a,b\n1,2\n,3\n4,5\n",
            ("sort.csv, row 3, column 'a': found an empty cell, "
            "expected a value, as other rows below have one"),
        ),
        ("a,b\n1,nan\n", ("sort.csv, row 2, column 'b': found 'nan', "
         "expected a finite number" + NO_GAPS)),
        ("a,b\n1,1e999\n", ("sort.csv, row 2, column 'b': found '1e999', "
         "expected a finite number" + CORRECT_IT)),
        ("a,b\n1,2\n1_0,1\n", ("sort.csv, row 3, column 'a': found '1_0', "
         "expected a finite number" + CORRECT_IT)),
        (
            "a (ms),b\n-1,2\n",
            "sort.csv, row 2, column 'a (ms)': found '-1', expected a time of zero or more",
        ),
        ("a,a\n1,2\n3,4\n", ("sort.csv, row 1, column 2: found a second column 'a', "
         "expected every name once; rename it, as in 'a fork 2'")),
        (
            "fork 0,0\n1,2\n3,4\n",
            ("sort.csv, series 0: found fork 0 of benchmark sort a second time, "
            "expected every benchmark, parameters and fork once; "
            "runs on another occasion belong in another file"),
        ),
    ],
)  # fmt: skip
def test_complaint_on_a_wide_table_names_row_and_column(text: str, message: str) -> None:
    assert complaint(text.encode(), "sort.csv") == message


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "b,0,0,1\nb,0,1,x\n",
            ("all.csv, row 3, column 'value', benchmark b, fork 0: "
            "found 'x', expected a finite number" + CORRECT_IT),
        ),
        (
            "b,0,0,1\nb,0,1,\n",
            ("all.csv, row 3, column 'value', benchmark b, fork 0: "
            "found an empty cell, expected a finite number" + NO_GAPS),
        ),
        (
            "b,0,0,1\nb,0,1.5,2\n",
            ("all.csv, row 3, column 'iteration', benchmark b, fork 0: "
            "found '1.5', expected a whole number from 0"),
        ),
        (
            "b,one,0,1\n",
            "all.csv, row 2, column 'fork': found 'one', expected a whole number from 0",
        ),
        (",0,0,1\n", ("all.csv, row 2, column 'benchmark': found an empty cell, "
         "expected a benchmark's name")),
        (
            "b,0,0,1\nb,0,0,2\n",
            ("all.csv, benchmark b, fork 0: found iteration 0 twice, expected every "
             "iteration once; "
            "rows of several recordings need a column 'recording', 'build' or 'measured_at'"),
        ),
        (
            "b,0,0,1\nb,0,2,2\n",
            ("all.csv, benchmark b, fork 0: found iteration 2 where 1 is missing, "
            "expected iterations without a gap, numbered from 0 or from 1"),
        ),
        (
            "b,0,5,1\nb,0,6,2\n",
            ("all.csv, benchmark b, fork 0: found iteration 5 where 1 is missing, "
            "expected iterations without a gap, numbered from 0 or from 1"),
        ),
    ],
)  # fmt: skip
def test_complaint_on_a_long_table_names_row_column_and_series(rows: str, message: str) -> None:
    text = f"benchmark,fork,iteration,value\n{rows}"

    assert complaint(text.encode(), "all.csv") == message


def test_a_series_has_one_unit_and_is_left_out_otherwise() -> None:
    text = b"benchmark,fork,iteration,value,unit\nb,0,0,1,ms\nb,0,1,2,ms\nb,0,2,2,us\n"
    problems: list[formats.FormatError] = []

    assert complaint(text, "all.csv") == (
        "all.csv, row 4, column 'unit': found 'us' within benchmark b, fork 0, expected 'ms'"
    )
    assert (
        list(formats.read_series_of_file(io.BytesIO(text), "all.csv", on_problem=problems.append))
        == []
    )
    assert len(problems) == 1


def test_a_negative_time_is_refused_and_a_negative_rate_is_not() -> None:
    text = "benchmark,fork,iteration,value,unit\nb,0,0,-1,{0}\nb,0,1,2,{0}\n"

    assert complaint(text.format("ns").encode(), "all.csv") == (
        "all.csv, row 2, column 'value', benchmark b, fork 0: "
        "found '-1', expected a time of zero or more"
    )
    assert values(text.format("degrees").encode(), "all.csv") == [[-1.0, 2.0]]


def test_a_chosen_column_must_be_there() -> None:
    assert complaint(b"a,b\n1,2\n", "x.csv", columns={"value": "c"}) == (
        "x.csv, row 1: found columns 'a', 'b', expected a column 'c'"
    )
    assert complaint(b"a,b\n1,2\n", "x.csv", series_columns=("d",)) == (
        "x.csv, row 1: found columns 'a', 'b', expected a column 'd'"
    )
    assert complaint(b"a,b\n1,2\n", "x.csv", layout="long") == (
        "x.csv, row 1: found columns 'a', 'b', expected a column 'value'; "
        "choose the column that holds the values"
    )


def test_names_that_are_not_utf8_are_refused() -> None:
    assert complaint(b"M\xfcnchen,b\n1,2\n3,4\n", "x.csv", encoding="utf-8") == (
        "x.csv, row 1, column 1: found 'M\ufffdnchen', expected text in UTF-8; "
        "save the file as UTF-8 (in Excel: CSV UTF-8)"
    )
    assert complaint(b"benchmark,fork,iteration,value\n\xfc,0,0,1\n", "x.csv") == (
        "x.csv, row 2, column 'benchmark': found '\ufffd', expected text in UTF-8; "
        "save the file as UTF-8 (in Excel: CSV UTF-8)"
    )


def test_a_table_of_thousands_of_columns() -> None:
    names = ",".join(f"org.sample.some.rather.Long.name fork {fork}" for fork in range(3000))
    row = ",".join(["1.5"] * 3000)

    series = read(f"{names}\n{row}\n{row}\n".encode(), "x.csv")

    assert len(series) == 3000
    assert series[-1].fork == 2999


@pytest.mark.parametrize("name", ["render [ms] fork 1", "render fork 1 [ms]", "render(ms) fork-1"])
def test_a_unit_may_stand_before_the_fork_or_after_it(name: str) -> None:
    (series,) = read(f"iteration,{name}\n0,9\n1,8\n".encode(), "sort.csv")

    assert (series.benchmark, series.fork, series.unit) == ("render", 1, "s")
    assert series.values.tolist() == [0.009, 0.008]
