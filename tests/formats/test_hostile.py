"""Hostile files: a sentence with a place, whatever a file holds, and never a traceback."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import formats
from formats import FormatError, Measurement, ReadLimits, ReadOptions, answers, marks
from formats.answers import AnswerRow
from formats.marks import MarkRow
from formats.names import first_flaw, flaw
from formats.options import Format
from formats.registry import FORMATS
from tests.every_case import EVERY_CASE
from tests.formats import hostile
from tests.formats.reading import complaint, values

SMALL = ReadLimits(file_bytes=2_000_000, series=1_000, points_per_series=50_000, memory=20_000_000)


def read_all(data: bytes, name: str, format: Format) -> tuple[list[Measurement], list[FormatError]]:
    """What an import that leaves problems out would take, and all its problems."""
    problems: list[FormatError] = []
    options = ReadOptions(limits=SMALL)
    measurements: list[Measurement] = []
    try:
        stream = io.BytesIO(data)
        series = formats.read_series_of_file(
            stream, name, format=format, options=options, on_problem=problems.append
        )
        measurements.extend(series)
    except FormatError as fatal:
        problems.append(fatal)
    return measurements, problems


def check(data: bytes, name: str, format: Format) -> None:
    """Something was read or something was said; and all of it can be stored and printed."""
    series, problems = read_all(data, name, format)
    file_preview = formats.preview(
        io.BytesIO(data), name, format=format, options=ReadOptions(limits=SMALL)
    )

    assert series or file_preview.problems
    assert [first_flaw(m) for m in series] == [None] * len(series)
    texts = [
        *map(str, problems),
        *map(str, file_preview.problems),
        *file_preview.notes,
        *(cell for row in file_preview.rows for cell in row),
    ]
    assert "\0" not in "".join(texts)
    assert all(text.encode() is not None for text in texts)
    assert file_preview.series == len(series)
    json.dumps(file_preview.median, allow_nan=False)


@pytest.mark.parametrize("name", hostile.MEASUREMENTS)
def test_a_hostile_file_is_refused_with_a_place_or_read(name: str) -> None:
    check(hostile.MEASUREMENTS[name], name, "auto")


@pytest.mark.parametrize("format", [each for each in FORMATS if each != "auto"])
def test_also_by_a_reader_that_a_person_chose(format: Format) -> None:
    """In `make test` each reader gets every second file, and the next reader the others."""
    files = list(hostile.MEASUREMENTS.items())
    for name, data in files if EVERY_CASE else files[FORMATS.index(format) % 2 :: 2]:
        with name_case(name):
            check(data, name, format)


@pytest.mark.parametrize("name", hostile.TABLES)
def test_a_hostile_table_of_marks_is_refused_or_read(name: str) -> None:
    rows: list[MarkRow] = []
    problems: list[FormatError] = []
    with collect_problems(problems):
        rows.extend(marks.read_marks(io.BytesIO(hostile.TABLES[name]), name))

    assert rows or problems or hostile.is_bare(name)
    assert all(flaw(f"{row.annotator}{row.note}{row.benchmark}") is None for row in rows)


@pytest.mark.parametrize("name", hostile.TABLES)
def test_a_hostile_table_of_answers_is_refused_or_read(name: str) -> None:
    data = hostile.TABLES[name].replace(b"annotator,answer,", b"dataset,answer,")
    rows: list[AnswerRow] = []
    problems: list[FormatError] = []
    with collect_problems(problems):
        rows.extend(answers.read_answers(io.BytesIO(data), name, on_problem=problems.append).rows)

    assert rows or problems or hostile.is_bare(name)
    assert all(flaw(row.name) is None for row in rows)


@contextmanager
def name_case(case: str) -> Iterator[None]:
    """A failure names its case: two thousand tests would take longer to begin than to run."""
    try:
        yield
    except Exception as error:
        error.add_note(f"of the file “{case}”")
        raise


@contextmanager
def collect_problems(problems: list[FormatError]) -> Iterator[None]:
    try:
        yield
    except FormatError as fatal:
        problems.append(fatal)


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (
            hostile.jmh(warmupIterations="five"),
            "x.json",
            "x.json, benchmark b, warmupIterations: found 'five', expected a whole number",
        ),
        (
            hostile.jmh(benchmark="a\ud800"),
            "x.json",
            (
                "x.json, series a\\ud800||0, benchmark: found 'a\\ud800', "
                "expected text without halves of characters (lone surrogates)"
            ),
        ),
        (
            hostile.jmh(params={"a": "\0"}),
            "x.json",
            (
                "x.json, series b|a=\\x00|0, params: found 'a=\\x00', "
                "expected text without NUL characters"
            ),
        ),
        (
            hostile.jmh(params={"a": [1]}),
            "x.json",
            "x.json, benchmark b, params, a: found [1], expected text, a number or true or false",
        ),
        (
            hostile.MEASUREMENTS["twice.json"],
            "x.json",
            (
                "x.json, element that starts in line 1: found 'benchmark' twice in one object, "
                "expected every name once"
            ),
        ),
        (
            hostile.jmh(mode="m" * 41),
            "x.json",
            "x.json, series b||0, mode: found 41 characters, expected at most 40",
        ),
        (
            hostile.MEASUREMENTS["fork-too-large.csv"],
            "x.csv",
            (
                "x.csv, series b||4294967296, fork: found 4294967296, "
                "expected a whole number from 0 to 2,147,483,647"
            ),
        ),
        (
            hostile.MEASUREMENTS["digits.log"],
            "x.log",
            "x.log, line 1: found '# Fork: " + "9" * 52 + "', expected a fork's number",
        ),
        (
            hostile.many_rows(100_001),
            "x.npz",
            "x.npz, array 'rows': found 100,001 rows, expected at most 100,000 series",
        ),
        (
            hostile.MEASUREMENTS["deep.json"],
            "x.json",
            (
                "x.json, element that starts in line 1: found lists in lists in lists without end, "
                "expected measurements"
            ),
        ),
    ],
)
def test_what_the_sentence_says(data: bytes, name: str, sentence: str) -> None:
    reader: Format = "jmh" if name.endswith(".json") else "auto"

    assert complaint(data, name, format=reader) == sentence


def test_a_cell_beyond_what_csv_takes_is_named_in_marks() -> None:
    with pytest.raises(FormatError) as error:
        list(marks.read_marks(io.BytesIO(hostile.TABLES["cell.csv"]), "marks.csv"))

    assert str(error.value) == (
        "marks.csv, row 2: found a cell that cannot be read (field larger than field limit "
        "(131072)), expected CSV; a quote before it may lack its end"
    )


def test_a_configured_number_in_another_spelling_is_read() -> None:
    series = formats.read_series_of_file(
        io.BytesIO(hostile.jmh(warmupIterations="5", forks=2.0, threads=None)), "x.json"
    )

    assert next(series).settings["warmup_iterations"] == 5


@pytest.mark.parametrize("count", [0, 1, 2])
def test_rows_are_counted_before_any_is_made(count: int) -> None:
    """Of an array with more rows than the limit no byte is read: here there is none."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({1_000 + count}, 5)}}"

    message = complaint(hostile.header(text.encode()), "x.npy", limits=SMALL)

    expected = "0 of 40,000 bytes" if count == 0 else f"{1_000 + count:,} rows"
    assert f"found {expected}" in message


def test_what_json_would_take_is_estimated_before_it_is_built() -> None:
    message = complaint(b"[[1, 1], " + b"[]," * 400_000, "x.json", limits=SMALL)

    assert message == (
        "x.json, the whole file: found lists and numbers that take 38,400,192 bytes, "
        "expected at most 20,000,000 bytes"
    )


@pytest.mark.parametrize(("text", "series"), [(500 + 2, 0), (2 * (500 + 2), 1), (3 * 502, 2)])
def test_names_of_many_series_are_bounded_together(text: int, series: int) -> None:
    """Each series counts 500 characters and its own: here two, its name and its label."""
    measurements: list[Measurement] = []
    options = ReadOptions(limits=ReadLimits(text=text - 1))
    with pytest.raises(FormatError, match="more names and settings, expected at most"):
        measurements.extend(
            formats.read_series_of_file(
                io.BytesIO(b"a,b,c\n1,2,3\n4,5,6\n"), "x.csv", options=options
            )
        )

    assert len(measurements) == series


def test_a_name_of_a_file_that_is_no_text_still_names_its_series() -> None:
    series = next(formats.read_series_of_file(io.BytesIO(b"1\n2\n"), "caf\udce9\0.txt"))

    assert (series.benchmark, series.label) == ("caf__", "caf__")


def test_the_largest_values_have_a_median_that_can_be_stored() -> None:
    assert values(hostile.MEASUREMENTS["largest.csv"], "x.csv") == [[1.7e308, 1.7e308, -1.7e308]]
    file_preview = formats.preview(io.BytesIO(b"a (ops/s)\n1.7e308\n1.7e308\n"), "x.csv")

    assert file_preview.median == 1.7e308


# --- whatever else a file may hold --------------------------------------------------------------
TEXT = st.sampled_from(["", "a", "\0", "\ud800", "10 s", "nan s", "µ", "x" * 2_000, "/", "1/0"])
NUMBERS = st.sampled_from([0, -1, 5.0, "5", 10**400, 2**63, float("nan"), float("inf")])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXT
LISTS = st.lists(SCALARS, max_size=3)
THINGS = SCALARS | LISTS | st.lists(LISTS, max_size=3) | st.dictionaries(TEXT, SCALARS, max_size=3)
FIELDS = st.sampled_from(
    [
        "benchmark",
        "mode",
        "params",
        "forks",
        "warmupIterations",
        "warmupTime",
        "measurementTime",
        "jvmArgs",
        "jvm",
        "vmName",
        "recording",
        "threads",
    ]
)
METRIC_FIELDS = st.sampled_from(["scoreUnit", "rawData", "rawDataHistogram"])


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(FIELDS, THINGS, max_size=4), st.dictionaries(METRIC_FIELDS, THINGS, max_size=2)
)
def test_any_json_in_the_fields_of_jmh(changed: dict[str, Any], measured: dict[str, Any]) -> None:
    data = hostile.jmh(**{"primaryMetric": hostile.metric(**measured), **changed})

    check(data, "x.json", "jmh")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(FORMATS))
def test_any_bytes(data: bytes, format: Format) -> None:
    check(data, "x", format)


CELLS = st.sampled_from(["1", "2", "-1", "0,5", "", "b", "a\0b", "\ud800", "#", '"', "1e999", "²"])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(CELLS, max_size=6), max_size=6),
    st.sampled_from(["", "a,b\n", hostile.LONG, "value,fork,unit,params,system,recording\n"]),
    st.sampled_from(["utf-8", "utf-16", "latin-1"]),
)
def test_any_table(rows: list[list[str]], head: str, encoding: str) -> None:
    text = head + "\n".join(map(",".join, rows))
    data = text.encode(encoding, "replace")

    check(data, "x.csv", "csv")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=4))
def test_an_archive_with_changed_bytes(at: int, change: bytes) -> None:
    npz = hostile.npz(a=np.arange(30.0).reshape(3, 10), b=np.arange(5))
    check(npz[:at] + change + npz[at + len(change) :], "x.npz", "npy")
