"""CSV that a spreadsheet opens as it is meant, and that reads back as it was."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import pytest
from hypothesis import example, given, strategies as st

from formats import tables

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


def test_a_row_is_picked_by_the_names_of_its_columns() -> None:
    first, second = SimpleNamespace(n=3, title="Georges"), SimpleNamespace(n=4, end=None)

    assert tables.attribute_row(("title", "n", "end", "p"), first, second, p=0.5) == (
        "Georges",
        3,
        None,
        0.5,
    )
    with pytest.raises(AttributeError, match="other"):
        tables.attribute_row(("n", "other"), first, second)


def test_rows_end_in_a_line_feed_and_are_quoted_where_needed() -> None:
    rows: list[tuple[tables.Cell, ...]] = [("a,b", 'say "x"', "two\nlines"), (None, True, 0.1)]

    assert "".join(tables.table_text(["one", "two", "three"], rows)) == (
        'one,two,three\n"a,b","say ""x""","two\nlines"\n,1,0.1\n'
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("-1", "-1"),
        ("-1.5e-9", "-1.5e-9"),
        ("+3", "+3"),
        ("a=b", "a=b"),
        ("'tis", "'tis"),
        ("'=x", "''=x"),
        (-1, "-1"),
        (1e-9, "1e-09"),
        (False, "0"),
        (None, ""),
    ],
)
def test_a_cell_that_would_run_is_guarded_and_numbers_are_not(cell: tables.Cell, text: str) -> None:
    assert tables.as_text(cell) == text


@given(st.text(st.sampled_from("'=+-@\t\r1a.e"), max_size=6))
def test_the_guard_comes_off_again(text: str) -> None:
    guarded_text = tables.guard_cell(text)

    assert tables.unguard_cell(guarded_text) == text
    assert not guarded_text.startswith(("=", "@", "\t", "\r"))


@given(st.lists(st.tuples(cells, cells), max_size=6))
@example([("=1", "'"), ("\r\n", '"')])
def test_what_is_written_is_read(rows: list[tuple[str, str]]) -> None:
    text = "".join(tables.table_text(["a", "b"], rows))

    read_rows = list(csv.reader(io.StringIO(text, newline="")))[1:]

    assert [tuple(map(tables.unguard_cell, row)) for row in read_rows] == rows


def test_a_large_table_comes_in_pieces() -> None:
    pieces = list(tables.table_text(["n"], ((number,) for number in range(50_000))))

    assert len(pieces) > 3
    assert "".join(pieces).count("\n") == 50_001


def test_a_row_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="a row has 1 cells, the table 2 columns"):
        list(tables.table_text(["a", "b"], [("x",)]))
