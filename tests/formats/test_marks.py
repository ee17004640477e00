"""Marks CSV: columns that may be missing, complaints, and a round trip to the byte."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, strategies as st

from formats import FormatError, marks
from formats.marks import MarkRow

HEADER = "benchmark,fork,annotator,answer,steady_start\n"
names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=8)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)
steady = st.tuples(st.just("steady"), st.integers(0, 10**6))
answers = st.one_of(steady, st.just(("never", -1)), st.just(("unclear", None)))
rows = st.builds(
    lambda answered, **fields: MarkRow(answer=answered[0], steady_start=answered[1], **fields),
    answers,
    dataset=texts,
    recording=texts,
    system=texts,
    benchmark=names,
    params=st.sampled_from(["", "a=1", "a=1&b=2", "=x"]),
    fork=st.integers(0, 99),
    annotator=names,
    unsure=st.booleans(),
    revision=st.none() | st.integers(1, 9),
    seconds=st.none() | st.floats(0, 1e6),
    note=texts,
    when=st.sampled_from(["", "2025-03-12T14:02:00+00:00"]),
    series_digest=texts,
    difficulty=st.none() | st.integers(1, 5),
)


def read(text: str) -> list[MarkRow]:
    return list(marks.read_marks(io.BytesIO(text.encode()), "marks.csv"))


@given(st.lists(rows, max_size=4))
def test_marks_written_and_read_and_written_are_the_same_bytes(given_rows: list[MarkRow]) -> None:
    text = "".join(marks.marks_text(given_rows))

    series = read(text)

    assert series == given_rows
    assert "".join(marks.marks_text(series)) == text


def test_the_columns_are_those_of_the_contract() -> None:
    assert "".join(marks.marks_text([])) == (
        "dataset,dataset_name,recording,system,benchmark,params,fork,annotator,answer,"
        "steady_start,unsure,revision,seconds,note,when,series_digest,difficulty,changes\n"
    )


def test_the_required_columns_are_enough_in_any_order_and_with_any_separator() -> None:
    text = "\ufeffanswer;Fork;benchmark;annotator;steady_start;extra\nsteady;3;sort;a1;322;x\n"

    assert read(text) == [
        MarkRow(benchmark="sort", fork=3, annotator="a1", answer="steady", steady_start=322)
    ]


def test_never_is_minus_one_and_unclear_is_empty() -> None:
    series = read(f"{HEADER}b,0,a1,never,-1\nb,0,a2,never,\n\nb,0,a3,unclear,\n")

    assert [row.steady_start for row in series] == [-1, -1, None]


def test_params_are_canonical() -> None:
    text = "benchmark,params,fork,annotator,answer,steady_start\nb,z=1&a=2,0,a1,never,-1\n"

    assert read(text)[0].params == "a=2&z=1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            (
                "marks.csv, row 1: found an empty file, "
                "expected also 'benchmark', 'fork', 'annotator', 'answer', 'steady_start'"
            ),
        ),
        (
            "benchmark,fork,who\n",
            (
                "marks.csv, row 1: found columns 'benchmark', 'fork', 'who', "
                "expected also 'annotator', 'answer', 'steady_start'"
            ),
        ),
        (
            f"{HEADER}b,0,a1,maybe,3\n",
            (
                "marks.csv, row 2, column 'answer': found 'maybe', "
                "expected steady, never, unclear or changes"
            ),
        ),
        (
            f"{HEADER}b,0,a1,steady,\n",
            (
                "marks.csv, row 2, column 'steady_start': found an empty cell, "
                "expected a whole number from 0"
            ),
        ),
        (
            f"{HEADER}b,0,a1,steady,-1\n",
            "marks.csv, row 2, column 'steady_start': found '-1', expected a whole number from 0",
        ),
        (
            f"{HEADER}b,0,a1,steady,3.0\n",
            "marks.csv, row 2, column 'steady_start': found '3.0', expected a whole number from 0",
        ),
        (
            f"{HEADER}b,0,a1,never,3\n",
            (
                "marks.csv, row 2, column 'steady_start': found '3', "
                "expected -1 or an empty cell, since the answer is never"
            ),
        ),
        (
            f"{HEADER}b,0,a1,unclear,-1\n",
            (
                "marks.csv, row 2, column 'steady_start': found '-1', "
                "expected an empty cell, since the answer is unclear"
            ),
        ),
        (
            f"{HEADER}b,,a1,never,-1\n",
            "marks.csv, row 2, column 'fork': found an empty cell, expected a whole number from 0",
        ),
        (
            f"{HEADER}b,0,,never,-1\n",
            (
                "marks.csv, row 2, column 'annotator': found an empty cell, "
                "expected an annotator's name"
            ),
        ),
        (
            f"{HEADER.strip()},unsure,seconds\nb,0,a1,never,-1,perhaps,\n",
            "marks.csv, row 2, column 'unsure': found 'perhaps', expected 1, 0 or an empty cell",
        ),
        (
            f"{HEADER.strip()},unsure,seconds\nb,0,a1,never,-1,1,-2\n",
            ("marks.csv, row 2, column 'seconds': found '-2', expected a number of seconds from 0"),
        ),
    ],
)
def test_complaint_names_row_and_column(text: str, message: str) -> None:
    with pytest.raises(FormatError) as complaint:
        read(text)

    assert str(complaint.value) == message
