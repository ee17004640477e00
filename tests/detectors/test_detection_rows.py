"""Detections as rows: their answers, failures and times, as files and on a terminal."""

from __future__ import annotations

import csv
import io
import json
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.contract import NEVER, Context, Detection, Values, as_series
from detectors.detection_rows import (
    SeriesInFile,
    aligned,
    answers,
    write_csv,
    write_jsonl,
    write_table,
)
from detectors.intervals.steady_interval import steady_interval
from detectors.methods.fixed import Fixed
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.plateau import Plateau

HEADS = ("series", "flags", "error")


@pytest.mark.parametrize(
    ("rows", "table"),
    [
        ([], "series  flags  error\n"),
        ([("a", "", "")], "series\na\n"),
        (
            [("a", "capped", ""), ("longer name", "", "")],
            "series       flags\na            capped\nlonger name\n",
        ),
        ([("a", "", ""), ("b", "", "too short")], "series  error\na\nb       too short\n"),
    ],
    ids=["heads alone", "no cell", "cell of the first row", "cell of the last row"],
)
def test_columns_without_a_cell_are_left_out_unless_there_is_no_row(
    rows: list[tuple[str, ...]], table: str
) -> None:
    assert aligned([HEADS, *rows]) == table


FILE_SERIES = SeriesInFile(
    "größe.csv", "b", as_series(np.r_[np.full(20, 2.0), np.ones(80)]), Context()
)


class FallingDetector(Fixed):
    slug = "falling"

    def detect(self, values: Values, context: Context) -> Detection:
        raise ZeroDivisionError("no luck")


def test_a_row_has_the_answer_and_its_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([2.0, 2.25])
    monkeypatch.setattr(
        "detectors.detection_rows.time", SimpleNamespace(perf_counter=lambda: next(clock))
    )

    [(row, shown_items)] = answers([Fixed(iteration=30)], FILE_SERIES)

    assert (row.file, row.series, row.n, row.method) == ("größe.csv", "b", 100, "fixed")
    assert (row.steady_start, row.milliseconds, row.error) == (30, 250.0, "")
    assert shown_items == ()


def test_a_detector_that_fails_leaves_the_other_rows() -> None:
    rows = [row for row, _ in answers([FallingDetector(), Fixed(iteration=30)], FILE_SERIES)]
    [(short_row, _)] = answers([KbKssd()], FILE_SERIES)

    assert rows[0].error == "failed: ZeroDivisionError: no luck"
    assert (rows[0].steady_start, rows[0].milliseconds) == (None, None)
    assert (rows[1].steady_start, rows[1].error) == (30, "")
    assert short_row.error.startswith("too short")


@pytest.mark.parametrize("as_written", [True, False])
def test_a_row_of_few_has_no_time_where_kernels_ran_as_written(
    monkeypatch: pytest.MonkeyPatch, *, as_written: bool
) -> None:
    use = nullcontext(SimpleNamespace(as_written=as_written))
    monkeypatch.setattr("detectors.detection_rows.compile_when_hot", lambda: use)

    [(few_row, _)] = answers([Fixed(iteration=30)], FILE_SERIES, are_few=True)
    [(table, _)] = answers([Fixed(iteration=30)], FILE_SERIES)

    assert (few_row.milliseconds is None) is as_written
    assert (few_row.steady_start, table.milliseconds is None) == (30, False)


def test_the_table_for_people_has_the_steady_mean_and_why() -> None:
    noise = np.random.default_rng(1).normal(1, 0.01, 600)
    stepped = SeriesInFile("a.csv", "b", as_series(noise + (np.arange(600) < 200)), Context())
    [(row, _)] = answers([Plateau()], stepped)
    steady_part = steady_interval(stepped.values[row.steady_start :])
    table = io.StringIO()

    list(write_table([(row, ())], table))

    assert (row.mean, row.mean_low, row.mean_high) == (
        steady_part.mean,
        steady_part.low,
        steady_part.high,
    )
    assert f"{row.mean:.4g} {steady_part.precision_words}" in table.getvalue()
    assert f"  one step at {row.steady_start}, " in table.getvalue()


def test_a_row_without_a_start_has_no_mean() -> None:
    [(never_row, _)] = answers([Fixed(iteration=100)], FILE_SERIES)
    [(alike_row, _)] = answers([Fixed(iteration=30)], FILE_SERIES)

    assert (never_row.steady_start, never_row.mean, never_row.reason) == (NEVER, None, "")
    assert (alike_row.mean, alike_row.mean_low) == (1.0, None)


def test_an_interval_beyond_the_largest_number_leaves_its_cells_empty() -> None:
    values = np.full(200, np.finfo(np.float64).max)
    values[50:56] = 0
    file_series = SeriesInFile("a.csv", "b", as_series(values), Context())
    [(row, _)] = answers([Fixed(iteration=0)], file_series)
    lines = io.StringIO()

    list(write_jsonl([(row, ())], lines))

    assert row.mean is not None
    assert (row.mean_low is None or row.mean_low < row.mean, row.mean_high) == (True, None)
    assert json.loads(lines.getvalue())["mean_high"] is None


def test_files_have_empty_cells_and_names_as_they_are() -> None:
    rows = answers([FallingDetector(), Fixed(iteration=30)], FILE_SERIES)
    comma, lines, table = io.StringIO(), io.StringIO(), io.StringIO()

    written_counts = [
        list(write(rows, stream)) for write, stream in ((write_csv, comma), (write_jsonl, lines))
    ]
    list(write_table([(rows[1][0]._replace(steady_start=NEVER), ())], table))

    failed_row, row = csv.DictReader(io.StringIO(comma.getvalue()))
    assert (failed_row["steady_start"], row["steady_start"], row["decided_at"]) == ("", "30", "29")
    records = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [record["steady_start"] for record in records] == [None, 30]
    assert "größe.csv" in lines.getvalue()
    assert written_counts == [[row for row, _ in rows]] * 2
    assert table.getvalue().splitlines()[1].split()[4] == "never"
