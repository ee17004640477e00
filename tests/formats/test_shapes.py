"""Files as people bring them: each is read as a person would, or refused with what to do."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import Any, TypeAlias

import pytest

import formats
from tests.formats.reading import complaint, read

Rows: TypeAlias = list[tuple[str, ...]]
# What every way of writing the same table has to give: two benchmarks in milliseconds.
CHECKOUT, SEARCH = [0.018028, 0.01875, 1.234567], [0.0361, 0.0362, 0.0363]
POINTS: Rows = [("18.028", "36.1"), ("18.750", "36.2"), ("1234.567", "36.3")]
COMMAS: Rows = [tuple(cell.replace(".", ",") for cell in row) for row in POINTS]


def table(separator: str, rows: Iterable[tuple[str, ...]], *names: str, end: str = "\n") -> str:
    return end.join(separator.join(row) for row in [names, *rows]) + end


def number_rows(rows: Rows, first: int = 0) -> Rows:
    return [(str(index), *row) for index, row in enumerate(rows, start=first)]


def quote_rows(rows: Rows) -> Rows:
    return [tuple(f'"{cell}"' for cell in row) for row in rows]


MS = ("checkout ms", "search ms")
SHAPES = {
    "Excel, decimal comma": table(";", COMMAS, *MS, end="\r\n").encode("utf-8-sig"),
    "Excel, its separator in a line": b"sep=;\r\n" + table(";", COMMAS, *MS, end="\r\n").encode(),
    "tabs": table("\t", POINTS, *MS).encode(),
    "tabs and decimal commas": table("\t", COMMAS, *MS).encode(),
    "UTF-16 with a mark": table("\t", POINTS, *MS).encode("utf-16"),
    "UTF-16 without one": table("\t", POINTS, *MS).encode("utf-16-le"),
    "UTF-16, the other order": table("\t", POINTS, *MS).encode("utf-16-be"),
    "old Macintosh": table(",", POINTS, *MS, end="\r").encode(),
    "quoted": table(",", quote_rows(POINTS), *MS).encode(),
    "quoted decimal commas": table(",", quote_rows(COMMAS), *MS).encode(),
    "blank lines and comments": b"# host x\n\n"
    + table(",", POINTS, *MS).encode()
    + b"\n \n# end\n",
    "counted from 1": table(",", number_rows(POINTS, 1), "Run", *MS).encode(),
    "counted without a name": table(",", number_rows(POINTS), "", *MS).encode(),
    "a time of day": table(
        ",", [("2026-11-22T02:00:00Z", *row) for row in POINTS], "timestamp", *MS
    ).encode(),
    "a clock that counts": table(
        ",", [("1700000000000", *row) for row in POINTS], "timestamp", *MS
    ).encode(),
    "a separator at the end": table(";", [(*row, "") for row in COMMAS], *MS, "").encode(),
    "points between thousands": table(
        ";", [("18,028", "36,1"), ("18,75", "36,2"), ("1.234,567", "36,3")], *MS
    ).encode(),
    "commas between thousands": table(
        ";", [("18.028", "36.1"), ("18.75", "36.2"), ("1,234.567", "36.3")], *MS
    ).encode(),
    "blanks between thousands": table(
        ";", [("18,028", "36,1"), ("18,75", "36,2"), ("1 234,567", "36,3")], *MS
    ).encode(),
    "narrow blanks between thousands": table(
        ";", [("18,028", "36,1"), ("18,75", "36,2"), ("1\u202f234,567", "36,3")], *MS
    ).encode(),
    "apostrophes between thousands": table(
        ";", [("18.028", "36.1"), ("18.75", "36.2"), ("1'234.567", "36.3")], *MS
    ).encode(),
    "a row a value": table(
        ",",
        [(name, row[at]) for row in POINTS for at, name in enumerate(("checkout", "search"))],
        *("name", "time_ms"),
    ).encode(),
    "a row a value with texts beside": table(
        ",",
        [
            (name, "170000", row[at], "")
            for row in POINTS
            for at, name in enumerate(("checkout", "search"))
        ],
        *("metric_name", "timestamp", "metric_value [ms]", "error"),
    ).encode(),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_one_table_written_in_many_ways(shape: str) -> None:
    series = read(SHAPES[shape], "nightly.csv")

    assert [(m.benchmark, m.unit, m.fork) for m in series] == [
        ("checkout", "s", 0),
        ("search", "s", 0),
    ]
    assert [m.values.tolist() for m in series] == [
        pytest.approx(CHECKOUT, rel=1e-15),
        pytest.approx(SEARCH, rel=1e-15),
    ]


@pytest.mark.parametrize(
    ("name", "benchmark", "unit"),
    [
        ("checkout ms", "checkout", "s"),
        ("checkout_us", "checkout", "s"),
        ("checkout-ns", "checkout", "s"),
        ("checkout, s", "checkout", "s"),
        ("checkoutMillis", "checkout", "s"),
        ("checkout (µs)", "checkout", "s"),
        ("checkout ms/op", "checkout", "s/op"),
        ("checkout ops/s", "checkout", "ops/s"),
        ("ms", "nightly", "s"),
        # Words, not units:
        ("s", "s", ""),
        ("sort_min", "sort_min", ""),
        ("items", "items", ""),
        ("class S", "class S", ""),
        ("memory MB", "memory MB", ""),
        ("Alarms", "Alarms", ""),
    ],
)
def test_units_in_headers(name: str, benchmark: str, unit: str) -> None:
    (series,) = read(f"{name}\n2.5\n2\n".encode(), "nightly.csv")

    assert (series.benchmark, series.unit) == (benchmark, unit)


def test_a_table_without_a_header_that_counts_and_one_that_names() -> None:
    (counting_series,) = read(b"1,2.5\n2,2.25\n3,2\n", "sort.csv")
    naming = read(b"quick,2.5\nmerge,3.5\nquick,2\nmerge,3\n", "sort.csv")

    assert (counting_series.benchmark, counting_series.values.tolist()) == (
        "sort",
        [2.5, 2.25, 2.0],
    )
    assert [(m.benchmark, m.values.tolist()) for m in naming] == [
        ("quick", [2.5, 2.0]),
        ("merge", [3.5, 3.0]),
    ]


def test_columns_left_out_are_named_once() -> None:
    (series,) = read(b"host,when,a\n,02:00:01,2\nx,02:00:02,1\n", "sort.csv")

    assert series.notes == ("columns that hold no measurements are left out: 'host', 'when'",)


def test_several_columns_of_numbers_beside_names_ask_which_holds_the_values() -> None:
    data = b"case,first,second\na,1,2\na,2,3\n"

    assert complaint(data, "sort.csv") == (
        "sort.csv, row 1: found columns 'case', 'first', 'second', expected a column 'value'; "
        "choose the column that holds the values"
    )
    (series,) = read(data, "sort.csv", columns={"benchmark": "case", "value": "second"})
    assert (series.benchmark, series.values.tolist()) == ("a", [2.0, 3.0])


def test_series_in_rows_are_told_to_be_columns() -> None:
    message = complaint(b"a,1,2,3\nb,2,3,4\n", "sort.csv")

    assert message.endswith("; where each row is a series, let each be a column")


# --- what a comma means -----------------------------------------------------------------------
def doubts(data: bytes, **options: Any) -> list[tuple[str, list[tuple[str, dict[str, str]]]]]:
    read_options = formats.ReadOptions(**options)
    preview = formats.preview(io.BytesIO(data), "sort.csv", options=read_options)
    return [
        (doubt.now, [(remedy.label, dict(remedy.options)) for remedy in doubt.remedies])
        for doubt in preview.doubts
        if doubt.name == "decimal"
    ]


def test_commas_before_three_digits_are_decimal_beside_semicolons_and_doubted() -> None:
    data = b"a ms;b ms\n18,028;36,104\n19,123;40,111\n"

    assert doubts(data) == [
        (
            "18,028 is read as 18.028.",
            [("No, as 18\u202f028", {"decimal": "."}), ("Use them", {"decimal": ","})],
        )
    ]
    assert doubts(data, decimal=",") == doubts(data, decimal=".") == []
    assert read(data)[0].values.tolist() == [0.018028, 0.019123]
    assert read(data, decimal=".")[0].values.tolist() == [18.028, 19.123]


def test_commas_in_quotes_before_three_digits_are_between_thousands_and_doubted() -> None:
    data = b'a,b\n"1,100",7\n"1,090",8\n'

    assert doubts(data) == [
        (
            "1,100 is read as 1\u202f100.",
            [("No, as 1.100", {"decimal": ",", "separator": ","}), ("Yes", {"decimal": "."})],
        )
    ]
    assert read(data)[0].values.tolist() == [1100.0, 1090.0]
    assert read(data, decimal=",", separator=",")[0].values.tolist() == [1.1, 1.09]


def test_a_comma_that_may_be_either_offers_both() -> None:
    data = b"9,5\n8,25\n"

    ((doubt_sentence, remedies),) = doubts(data)
    assert doubt_sentence == "9,5 may be one number or two, and is not read yet."
    assert remedies == [("One number, 9.5", {"decimal": ","}), ("Two columns", {"separator": ","})]
    assert [m.values.tolist() for m in read(data, decimal=",")] == [[9.5, 8.25]]
    assert [m.values.tolist() for m in read(data, separator=",")] == [[9, 8], [5, 25]]


@pytest.mark.parametrize("data", [b"a;b\n1,5;2,5\n", b"a;b\n1.5;2\n", b"a;b\n1;2\n", b"1\n2\n"])
def test_numbers_that_say_it_are_not_doubted(data: bytes) -> None:
    assert doubts(data) == []


def test_a_missing_unit_is_one_doubt_for_all_series_and_settled_by_an_option() -> None:
    data = b"a,b\n1.5,2\n2.5,3\n"
    preview = formats.preview(io.BytesIO(data), "sort.csv")
    (unit_doubt,) = preview.doubts

    assert unit_doubt.now == "The file names none; the median of its first series is 2."
    assert [dict(remedy.options) for remedy in unit_doubt.remedies] == [
        {"unit": "s"},
        {"unit": "ms"},
        {"unit": "us"},
        {"unit": "ns"},
        {"better": "more"},
        {"better": "less"},
    ]
    chosen_options = formats.ReadOptions(unit=unit_doubt.remedies[1].options["unit"])
    second_preview = formats.preview(io.BytesIO(data), "sort.csv", options=chosen_options)
    assert (second_preview.doubts, second_preview.units) == ([], ["s"])
    undoubted_preview = formats.preview(
        io.BytesIO(data), "sort.csv", options=formats.ReadOptions(better="more")
    )
    assert (
        undoubted_preview.doubts,
        undoubted_preview.units,
        undoubted_preview.drawn[0].better,
    ) == ([], [""], "more")


# --- other tools ------------------------------------------------------------------------------
JSON_OF = {"criterion's estimates.json": {"mean": {"point_estimate": 1.0}}}
TEXT_OF = {
    "hyperfine's CSV": "command,mean,stddev,median,user\nsleep 1,1,0.1,1,0\n",
    "JMH's CSV": '"Benchmark","Mode","Threads","Samples","Score"\n"a.B","avgt",1,5,1.5\n',
    "BenchmarkDotNet's report": "Method;Job;Mean;Error;StdDev\nSleep;x;15.4 ms;0.1 ms;0.2 ms\n",
    "BenchmarkDotNet's measurements": "Measurement_IterationStage,Measurement_Value\nActual,9\n",
    "a web page or XML": "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n",
}
FOREIGN = {title: json.dumps(whole, indent=1) for title, whole in JSON_OF.items()} | TEXT_OF


@pytest.mark.parametrize("title", FOREIGN)
def test_files_of_other_tools_are_named_with_what_to_do(title: str) -> None:
    with pytest.raises(formats.FormatError) as error_info:
        read(FOREIGN[title].encode(), "other.json")

    assert error_info.value.found.startswith(f"{title}, which ")
    assert error_info.value.hint


@pytest.mark.parametrize(
    ("data", "found_text"),
    [
        (b"PK\x03\x04\x14\0[Content_Types].xml", "an Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook"),
        (b"PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
         "an OpenDocument spreadsheet"),
    ],
)  # fmt: skip
def test_workbooks_are_told_to_be_saved_as_csv(data: bytes, found_text: str) -> None:
    with pytest.raises(formats.FormatError) as error_info:
        read(data, "times.xlsx")

    assert error_info.value.found == found_text
    assert error_info.value.hint == "save the sheet as CSV and give that file"
