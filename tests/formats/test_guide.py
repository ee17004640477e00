"""The examples of the guide are files: each is read."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

import formats
from formats import marks
from series.importing import services

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "file-formats.md"
EXAMPLE = re.compile(
    r"^```(?:json|text|csv) (?P<name>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
EXAMPLES = dict(EXAMPLE.findall(GUIDE.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("name", "format", "shape"),
    [
        ("jmh-result.json", "jmh", [3, 3]),
        ("run.log", "jmh-log", [2]),
        ("sort.csv", "csv", [3, 2]),
        ("all.csv", "csv", [2, 2]),
        ("sort.txt", "text", [3]),
        ("app__sort#org.Sort.quick#size=10.json", "replication", [3, 3]),
    ],
)
def test_an_example_is_read_as_the_guide_says(name: str, format: str, shape: list[int]) -> None:
    preview = formats.preview(io.BytesIO(EXAMPLES[name].encode()), name)

    assert (preview.format, preview.problems) == (format, [])
    assert [m.values.size for m in preview.drawn] == shape


def test_the_example_of_marks_is_read() -> None:
    mark_rows = list(marks.read_marks(io.BytesIO(EXAMPLES["marks.csv"].encode()), "marks.csv"))

    assert [mark.answer for mark in mark_rows] == ["steady", "never", "unclear"]


def test_no_example_is_left_out() -> None:
    assert len(EXAMPLES) == 8


def test_the_guide_names_the_limits() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    limits = services.within_limits(formats.ReadOptions()).limits

    assert f"{limits.file_bytes // 10**6} MB a file" in text
    assert f"{limits.series:,} series, {limits.points_per_series:,} values a series" in text
