"""Figures in small: whole pixels on their axes, a path for each line and each colour of bars."""

from __future__ import annotations

from typing import Any

from analysis.web.figures import line_trace
from analysis.web.heat_map import HeatCell, heat_layout, heat_trace
from analysis.web.thumbnails import HEIGHT, WIDTH, ThumbnailPath, thumbnail

SQUARE: dict[str, Any] = {"xaxis": {"range": [0, 10]}, "yaxis": {"range": [0, 1]}}


def small_drawing(trace: Any, layout: Any) -> list[ThumbnailPath]:
    return thumbnail([trace.to_plotly_json()], layout)


def test_a_line_goes_from_corner_to_corner_and_lifts_its_pen_at_a_gap() -> None:
    line = line_trace([0, 10, None, 10], [0, 1, None, 0], {"color": "var(--ink)"})

    (path,) = small_drawing(line, SQUARE)

    assert path == ThumbnailPath("M2 42L70 2M70 42", "var(--ink)", 1)
    assert (path.slot, path.stroke) == ("", "var(--ink)")


def test_steps_are_steps_on_a_logarithmic_axis() -> None:
    axes = {"xaxis": {"type": "log", "range": [0, 2]}, "yaxis": {"range": [0, 1]}}
    steps = line_trace([1, 10, 100], [0, 0, 1], {"color": "var(--slot-3)", "shape": "hv"})

    (path,) = small_drawing(steps, axes)

    assert path.data == f"M2 42H{WIDTH // 2}V42H70V2"
    assert (path.slot, path.stroke) == ("slot-3", "var(--slot-colour)")


def test_an_axis_without_extent_has_every_line_at_its_beginning() -> None:
    axes = {"xaxis": {"range": [0, 10]}, "yaxis": {"range": [0.5, 0.5]}}

    (path,) = small_drawing(line_trace([0, 10], [0.5, 0.5], {"color": "var(--ink)"}), axes)

    assert path.data == "M2 42L70 42"


def test_lines_to_labels_are_left_out() -> None:
    lead = line_trace([0, 1], [0, 1], {"color": "var(--rule)"}, meta={"leads": ["kelly"]})

    assert small_drawing(lead, SQUARE) == []


def test_cells_of_one_shade_are_one_path() -> None:
    cells = [[HeatCell(None), HeatCell(0.5)], [HeatCell(0.5), HeatCell(None)]]

    (path,) = small_drawing(heat_trace(["a", "b"], cells), heat_layout(["a", "b"]))

    assert path.colour == "var(--heat-5)"
    assert path.data.count("M") == 2
    assert HEIGHT / 3 < path.width < HEIGHT / 2
