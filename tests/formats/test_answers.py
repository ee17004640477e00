"""Answers CSV: conventions, what other tools write, and every complaint."""

from __future__ import annotations

import io

import pytest

from formats import FormatError
from formats.answers import COLUMNS, NEVER, AnswerRow, Convention, read_answers

DIGEST = "ab" * 32


def rows(text: str, convention: Convention = "steady-start") -> list[AnswerRow]:
    return list(read_answers(io.BytesIO(text.encode()), "mine.csv", convention=convention).rows)


def start(cell: str, convention: Convention, answer: str = "") -> tuple[int | None, int | None]:
    """What one cell means: steady start and published index."""
    column = "steady_start" if convention == "steady-start" else "published_index"
    text = f"benchmark,fork,{column},answer\nsort,0,{cell},{answer}\n"
    (row,) = rows(text, convention)
    return row.steady_start, row.published_index


@pytest.mark.parametrize(
    ("convention", "cell", "answer", "expected"),
    [
        ("steady-start", "41", "", (41, None)),
        ("steady-start", "-1", "", (NEVER, None)),
        ("steady-start", "", "", (None, None)),
        ("steady-start", "", "never", (NEVER, None)),
        ("steady-start", "7", "never", (7, None)),
        ("first", "41", "", (41, 41)),
        ("first", "-1", "", (NEVER, NEVER)),
        ("first-from-1", "42", "", (41, 42)),
        ("first-from-1", "1", "", (0, 1)),
        ("first-from-1", "-1", "", (NEVER, NEVER)),
        ("first-from-1", "", "never", (NEVER, NEVER)),
        ("last-warm-up", "40", "", (41, 40)),
        ("last-warm-up", "-1", "steady", (0, -1)),
        ("last-warm-up", "-1", "never", (NEVER, -1)),
        ("last-warm-up", "", "", (None, None)),
    ],
)
def test_an_index_counts_as_its_convention_says(
    convention: Convention, cell: str, answer: str, expected: tuple[int | None, int | None]
) -> None:
    assert start(cell, convention, answer) == expected


def test_an_answer_that_the_index_contradicts_is_noticed_and_does_not_count() -> None:
    text = "benchmark,fork,steady_start,answer\nsort,0,7,never\nsort,1,-1,steady\nsort,2,5,steady\n"

    assert [(row.steady_start, row.contradicted) for row in rows(text)] == [
        (7, True),
        (NEVER, True),
        (5, False),
    ]


@pytest.mark.parametrize("cell", ["", "NA", "NaN", "null", "None"])
def test_no_answer_is_written_in_many_ways(cell: str) -> None:
    assert start(cell, "steady-start") == (None, None)


def test_a_spreadsheets_file_is_read() -> None:
    text = (
        "\ufeffSeries_Digest;Benchmark;Fork;Steady_Start;decided_at;seconds;mine\r\n"
        f"{DIGEST.upper()};'=sort;0;322,0;330.0;0,25;x\r\n;;;;;;\r\n"
    )
    (row,) = rows(text)

    assert (row.series_digest, row.benchmark, row.fork) == (DIGEST, "=sort", 0)
    assert (row.steady_start, row.decided_at, row.seconds) == (322, 330, 0.25)


def test_columns_that_are_not_known_are_named() -> None:
    table = read_answers(io.BytesIO(b"benchmark,fork,steady_start,a1,recipe\n"), "mine.csv")

    assert (table.read, table.unread) == (("benchmark", "fork", "steady_start"), ("a1", "recipe"))
    assert list(table.rows) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "row 1: found an empty file, expected also 'benchmark', 'fork', 'steady_start'"),
        ("benchmark,fork\n", "expected also 'steady_start'"),
        ("benchmark,fork,published_index\n", "say how published_index counts"),
        ("benchmark,fork,fork,steady_start\n", "row 1: found 'fork' twice"),
        ("benchmark,fork,steady_start\n,0,1\n", "row 2, column 'benchmark': found an empty cell"),
        ("benchmark,fork,steady_start\na,x,1\n", "row 2, column 'fork': found 'x'"),
        ("benchmark,fork,steady_start\na,0,-2\n", "column 'steady_start': found '-2'"),
        ("benchmark,fork,steady_start\na,0,1.5\n", "column 'steady_start': found '1.5'"),
        ("benchmark;fork;steady_start\na;0;1.000\n", "column 'steady_start': found '1.000'"),
        ("benchmark,fork,steady_start\na,0,1,2\n", "row 2: found 4 cells, expected 3"),
        ('benchmark,fork,steady_start,seconds\na,0,1,"0,5"\n', "found '0,5', expected a number"),
        ("benchmark,fork,steady_start,seconds\na,0,1,-1\n", "found '-1', expected a number"),
        ("benchmark,fork,steady_start,seconds\na,0,1,1e999\n", "found '1e999', expected a number"),
        ("benchmark,fork,steady_start,method_params\na,0,1,fast\n", "expected name=value"),
        ("series_digest,steady_start\nabc,1\n", "expected 64 hexadecimal digits"),
        ('benchmark,fork,steady_start\n"a' + "b" * 140_000, "expected CSV"),
    ],
)
def test_a_wrong_file_says_where_and_what_to_do(text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=r"mine\.csv") as error_info:
        rows(text)

    assert sentence in str(error_info.value)


@pytest.mark.parametrize(
    ("convention", "cell", "sentence"),
    [
        ("first-from-1", "0", "found '0', expected an iteration counted from 1"),
        ("last-warm-up", "-1", "expected steady or never in the column 'answer'"),
    ],
)
def test_what_a_convention_cannot_say_is_asked_for(
    convention: Convention, cell: str, sentence: str
) -> None:
    with pytest.raises(FormatError) as error_info:
        start(cell, convention)

    assert sentence in str(error_info.value)


def test_problems_of_rows_are_collected_and_the_others_read() -> None:
    problems: list[FormatError] = []
    text = b"benchmark,fork,steady_start\na,0,x\nb,0,1\nc,0,y\n"
    table = read_answers(io.BytesIO(text), "mine.csv", on_problem=problems.append)

    assert [row.benchmark for row in table.rows] == ["b"]
    assert [problem.where for problem in problems] == [
        "row 2, column 'steady_start'",
        "row 4, column 'steady_start'",
    ]


def test_every_column_is_explained() -> None:
    assert all(COLUMNS.values())
