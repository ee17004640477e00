"""The table of detections on a terminal."""

from __future__ import annotations

import pytest

from detectors.detection_rows import aligned

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
