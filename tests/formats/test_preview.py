"""What a file holds, said before anything is stored."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import formats
from formats import FormatError, Preview, measurement_files, preview
from formats.registry import ENDINGS, titles
from tests.formats.jmh_files import entry, result


def preview_of(data: bytes, name: str = "sort.csv", **options: Any) -> Preview:
    format_name = options.pop("format", "auto")
    return preview(
        io.BytesIO(data), name, format=format_name, options=formats.ReadOptions(**options)
    )


def test_a_jmh_file_is_counted_and_drawn() -> None:
    data = result(*(entry([[3, 2, 1], [5, 4]], benchmark=f"b{n}") for n in range(4)))

    file_preview = preview_of(data, "r.json")

    assert (file_preview.format, file_preview.why) == ("jmh", '"primaryMetric" found: JMH JSON')
    assert (file_preview.benchmarks, file_preview.series, file_preview.points) == (4, 8, 20)
    assert (file_preview.least_iterations, file_preview.most_iterations) == (2, 3)
    assert (file_preview.units, file_preview.modes, file_preview.median) == (
        ["s/op"],
        ["avgt"],
        0.002,
    )
    assert [m.label for m in file_preview.drawn] == [
        f"b{benchmark}||{fork}" for benchmark in range(4) for fork in (0, 1)
    ]
    assert file_preview.recording.runtime.startswith("OpenJDK")
    ((note, series),) = file_preview.notes.items()  # one for all, with the first one's command
    assert "'^b0$'" in note
    assert note.endswith("(and alike for 3 other benchmarks)")
    assert series == 8
    assert file_preview.rows[0] == ["["]
    assert (file_preview.problems, file_preview.fatal) == ([], None)


def test_a_csv_offers_its_columns() -> None:
    file_preview = preview_of(b"iteration;quick;merge\n0;9,5;1\n1;8;1\n2;7;1\n")

    assert file_preview.why == "3 columns separated by a semicolon: CSV"
    assert file_preview.rows == [["0", "9,5", "1"], ["1", "8", "1"], ["2", "7", "1"]]
    assert file_preview.choice is not None
    assert (file_preview.choice.separator, file_preview.choice.decimal) == (";", ",")
    assert (file_preview.choice.header, file_preview.choice.layout) == (True, "wide")
    assert file_preview.choice.columns == ("iteration", "quick", "merge")
    assert file_preview.choice.values == ("quick", "merge")
    assert file_preview.choice.units == ()
    assert file_preview.warnings == {"all values are the same": 1}


def test_a_long_csv_says_which_column_is_what() -> None:
    file_preview = preview_of(b"benchmark,fork,iteration,value,unit\nb,0,0,0,ms\nb,0,1,2,ms\n")

    assert file_preview.choice is not None
    assert file_preview.choice.layout == "long"
    assert file_preview.choice.roles == {
        "benchmark": "benchmark",
        "fork": "fork",
        "unit": "unit",
        "iteration": "iteration",
        "value": "value",
    }
    assert file_preview.choice.values == ()
    assert file_preview.warnings == {"a time is exactly zero": 1}


def test_problems_are_listed_and_the_rest_is_counted() -> None:
    file_preview = preview_of(result(entry([[1, 2], *[[]] * 130])), "r.json")

    assert file_preview.series == 1
    assert len(file_preview.problems) == 100
    assert file_preview.problem_count == 130
    assert file_preview.fatal is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n3,4,5\n", ("sort.csv, row 3: found 3 cells, expected at most 2, as in row 1; "
         "if the comma is a decimal sign, choose the decimal comma")),
        (b"", ("sort.csv, end of file: found an empty file, "
         f"expected {titles()}; "
         "choose the file again; it may not have been written yet")),
    ],
)  # fmt: skip
def test_what_ends_the_reading_is_told_apart(data: bytes, message: str) -> None:
    file_preview = preview_of(data)

    assert str(file_preview.fatal) == message
    assert file_preview.problems == [file_preview.fatal]
    assert file_preview.problem_count == 1


def test_a_format_chosen_by_hand() -> None:
    file_preview = preview_of(b"9,5\n8,5\n", format="text", decimal=",")

    assert (file_preview.format, file_preview.why, file_preview.series) == (
        "text",
        "chosen by hand",
        1,
    )


@pytest.mark.parametrize(
    ("data", "format", "reason"),
    [
        (b"\n# JMH version: 1.36\n", "jmh-log", "'# JMH version: 1.36' found: JMH's text log"),
        (b"[[1.5, 2]]", "replication", "a list of numbers a fork: time series in JSON"),
        (b"1\n2\n", "text", "no columns found: a number a line"),
        (b"quick\n1\n2\n", "csv", "a header above numbers: CSV"),
    ],
)
def test_why_a_file_is_taken_for_what_it_is(data: bytes, format: str, reason: str) -> None:
    file_preview = preview_of(data)

    assert (file_preview.format, file_preview.why) == (format, reason)


def test_arrays_have_no_rows_to_show() -> None:
    stream = io.BytesIO()
    np.savez(stream, quick=np.array([1.0, 2.0]))

    file_preview = preview_of(stream.getvalue(), "x.npz")

    assert (file_preview.why, file_preview.rows) == ("a zip archive of NumPy arrays: .npz", [])
    assert file_preview.series == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b'{"main": [{"keyname": "x.json_0", "value": 3}]}',
            (
                'x.json, start of the file: found a list of "keyname" and "value": marks of a '
                "replication package, expected values; "
                "give the package's folder, or import the marks into a campaign"
            ),
        ),
        (
            b'{"name": "x"}',
            (
                "x.json, start of the file: found JSON of another shape, "
                f"expected {titles()}; "
                "write its values as CSV, or one a line"
            ),
        ),
        (
            b'{"suite": "a ]}", "runs": [{"unit": "ms"}',
            (
                "x.json, end of file: found JSON that ends early: a bracket is still open, "
                "expected its closing; "
                "write or copy the file again: what is there may be the beginning of it"
            ),
        ),
    ],
)
def test_json_without_series(data: bytes, message: str) -> None:
    assert str(preview_of(data, "x.json").fatal) == message


def test_folders_give_their_measurement_files(tmp_path: Path) -> None:
    for name in ("b.csv", "a.json.gz", "sub/c.NPY", "README.md", ".git/d.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")

    files = list(measurement_files([tmp_path / "README.md", tmp_path]))

    assert [str(path.relative_to(tmp_path)) for path in files] == [
        "README.md",
        "a.json.gz",
        "b.csv",
        "sub/c.NPY",
    ]


def test_a_package_gives_its_series_only(tmp_path: Path) -> None:
    (tmp_path / "data/timeseries/all").mkdir(parents=True)
    (tmp_path / "data/timeseries/all/x.json").write_text("[[1, 2]]")
    (tmp_path / "marks.json").write_text("{}")

    assert [path.name for path in measurement_files([tmp_path])] == ["x.json"]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as error:
        list(measurement_files([tmp_path / "gone.csv"]))

    assert str(error.value).endswith(
        "gone.csv, path: found nothing there, expected a file or a folder"
    )


def test_a_folder_without_measurements_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as error:
        list(measurement_files([tmp_path]))

    assert str(error.value) == (
        f"{tmp_path}, folder: found no measurement file, expected files that end in "
        f"{', '.join(ENDINGS)} or these with .gz"
    )
