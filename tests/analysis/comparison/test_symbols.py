"""Drawings of the server use the shapes of the chart."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.methods.symbols import SHAPES, is_open, shape

ROOT = Path(__file__).resolve().parents[3]


def test_server_and_chart_draw_the_same_shapes() -> None:
    text = (ROOT / "static/js/chart/symbols.js").read_text(encoding="utf-8")
    shapes_text = text.partition("SHAPES = [")[2].partition("]\n")[0]

    assert tuple(re.findall(r'"(M[^"]+)"', shapes_text)) == SHAPES


def test_the_second_ten_slots_are_open() -> None:
    assert [is_open(slot) for slot in (0, 9, 10, 19, 20)] == [False, False, True, True, False]
    assert shape(13) == shape(3)
