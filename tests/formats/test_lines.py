"""Plain text: a value a line."""

from __future__ import annotations

import pytest

from formats.registry import titles
from tests.formats.reading import EVERY_VALUE, complaint, read, values

GAP = "; a series has no gaps: take the line out"
WORDS = "; a line of words is left out if it begins with #"


def test_a_value_a_line_with_comments_and_empty_lines() -> None:
    (series,) = read(b"# recorded by hand\n9.5\n\n8 # a pause\n7e-1\n", "runs/sort.txt")

    assert series.values.tolist() == [9.5, 8.0, 0.7]
    assert (series.benchmark, series.label, series.fork, series.unit) == ("sort", "sort", 0, "")


def test_standard_input_has_a_name() -> None:
    assert read(b"1\n2\n", "-")[0].label == "stdin"


def test_what_the_file_does_not_say_can_be_said() -> None:
    (series,) = read(
        b"9,5\n8\n", decimal=",", unit="ms", system="app", benchmark="sort", params="b=1&a=2"
    )

    assert series.values.tolist() == [0.0095, 0.008]
    assert (series.system, series.benchmark, series.params, series.unit) == (
        "app",
        "sort",
        "a=2&b=1",
        "s",
    )


def test_a_column_below_a_name_is_that_benchmark() -> None:
    assert read(b"quick\n1\n2\n")[0].benchmark == "quick"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"",
            (
                "sort.txt, end of file: found an empty file, "
                f"expected {titles()}; "
                "choose the file again; it may not have been written yet"
            ),
        ),
        (b"# nothing 1\n", "sort.txt, end of file: found no value, " + EVERY_VALUE),
        (
            b"Dear all,\nno figures here.\n",
            (
                "sort.txt, start of the file: found text without a number, "
                f"expected {titles()}; "
                "write its values as CSV, or one a line"
            ),
        ),
        (
            b"9.5\n8,0\n",
            "sort.txt, line 2: found '8,0', expected a finite number; choose the decimal comma",
        ),
        (b"nan\n2\n", "sort.txt, line 1: found 'nan', expected a finite number" + GAP),
        (b"1\n-inf\n", "sort.txt, line 2: found '-inf', expected a finite number" + GAP),
        (
            b"1\n\xff\xfe\n",
            (
                "sort.txt, line 2: found '\ufffd\ufffd', expected a finite number; "
                "save the file as UTF-8"
            ),
        ),
        (
            b"18.0 ms\n18.1 ms\n",
            (
                "sort.txt, line 1: found '18.0 ms', expected a finite number; "
                "give the numbers alone, or a table with a comma or a tab between its cells"
            ),
        ),
        (
            b"Dear all\nthe numbers\n1\n",
            "sort.txt, line 1: found 'Dear all', expected a finite number" + WORDS,
        ),
        (
            b"a,b\n18,0,18,1\n18,2,18,3\n",
            (
                "sort.txt, line 1: found 'a,b', expected a finite number; a table has as many "
                "cells in every row; beside decimal commas, separate by semicolons"
            ),
        ),
        (
            b"\x89PNG\r\n",
            (
                "sort.txt, first bytes: found a PNG picture, "
                f"expected {titles()}; "
                "write its values as CSV, or one a line"
            ),
        ),
        (
            b"\x01\x02\x00\x04junk",
            (
                "sort.txt, first bytes: found binary data (01 02 00 04), "
                f"expected {titles()}; "
                "write its values as CSV, or one a line"
            ),
        ),
    ],
)
def test_complaint_names_file_place_and_remedy(data: bytes, message: str) -> None:
    assert complaint(data) == message


def test_a_negative_time_is_refused() -> None:
    assert complaint(b"1\n-2\n", unit="ms") == (
        "sort.txt, line 2: found '-2', expected a time of zero or more"
    )


def test_without_a_unit_nothing_is_known_to_be_a_time() -> None:
    assert values(b"1\n-2\n") == [[1.0, -2.0]]
