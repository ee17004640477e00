"""A figure as vector PDF, drawn from the same document as on the page.

Drawn are lines, symbols and bars with their text, axes, shapes, annotations and a legend, in the
colours of the light theme. The same figure gives the same bytes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import Any, Final, NamedTuple

from analysis.web.figures import WHOLE_PAGE, WIDTH, Ends, Part, WebFigure, round_step, tick_text
from analysis.web.pdf_sheet import (
    LACKING,
    NOTE_HEIGHT,
    Across,
    PdfSheet,
    Point,
    day_number,
    day_ticks,
    text_width,
)

LEGEND_ROW: Final = 19
SYMBOL_WIDTH: Final = 30  # px of a legend's line
MARGIN: Final = 0.05  # share of the extent of points before and behind them
SMALLEST_TEXT: Final = 9  # px of text in a bar; a bar without room for it has none
SMALLEST_LABEL: Final = 5  # px of a label that is longer than the room beside its axis
OPPOSITE: Final[dict[str, Across]] = {"left": "right", "center": "center", "right": "left"}
_drawing = Lock()  # Matplotlib is not made for threads


def figure_pdf(figure: WebFigure) -> bytes:
    """One page of the figure's size; half a page of 1280 px wide where the page has all of it."""
    document = {**figure.document, "data": list(map(_with_all_x, figure.document["data"]))}
    template = document["layout"]["template"]["layout"]
    layout = _merge_settings(template, document["layout"])
    width = WIDTH if figure.most_width == WHOLE_PAGE else figure.most_width
    with _drawing:
        rows = _legend_rows(document["data"], layout, width)
        margin = layout["margin"]
        legend_height = max(LEGEND_ROW * len(rows) + 4 - margin["t"], 0) if rows else 0
        top = margin["t"] + legend_height
        plot = PlotArea(
            Axis(layout["xaxis"], document["data"], "x", margin["l"], width - margin["r"]),
            Axis(
                layout["yaxis"],
                document["data"],
                "y",
                figure.height + legend_height - margin["b"],
                top,
            ),
        )
        height = figure.height + legend_height
        for note_height in (0, NOTE_HEIGHT):
            sheet = PdfSheet(width, height + note_height, plot.corners)
            _draw_parts(sheet, plot, document["data"], layout)
            _draw_legend(sheet, plot, rows)
            if not sheet.has_codes:
                break
        else:
            note_point, font = (2.0, height + NOTE_HEIGHT / 2), {**layout["font"], "size": 10}
            sheet.text(note_point, LACKING, font, horizontal_anchor="left")
        return sheet.pdf(figure.label)


def _with_all_x(trace: Part) -> Part:
    """The trace with all its places along the axis, where it only says the first and a step."""
    if trace.get("x") is not None or "x0" not in trace:
        return trace
    return {**trace, "x": [trace["x0"] + trace["dx"] * index for index in range(len(trace["y"]))]}


def _merge_settings(default_part: Part, part: Part) -> dict[str, Any]:
    """Settings of `part`, completed by those of `default_part`."""
    return {
        **default_part,
        **{
            name: _merge_settings(default_part[name], value)
            if isinstance(value, Mapping) and isinstance(default_part.get(name), Mapping)
            else value
            for name, value in part.items()
        },
    }


# --- places -----------------------------------------------------------------------------------
class Axis:
    """Pixels of values, from `start` to `end`; on a logarithmic axis the range is of powers.

    On an axis of dates, written as texts, numbers are days.
    """

    def __init__(
        self, setting: Part, traces: Sequence[Part], letter: str, start: float, end: float
    ) -> None:
        self.setting, self.start, self.end = setting, start, end
        self.is_log = setting.get("type") == "log"
        self.is_date = setting.get("type") == "date"
        ends: Ends = setting.get("range") or self._data_ends(traces, letter)
        self.low, self.high = ends

    def _data_ends(self, traces: Sequence[Part], letter: str) -> Ends:
        """Ends of an axis without a range: of its stacked bars, or of its points with a margin."""
        if any(trace["type"] == "bar" for trace in traces):
            return 0, _longest_stack(traces, letter) / 0.95
        numbers = [
            self._number(place) for trace in traces for place in trace[letter] if place is not None
        ]
        low, high = min(numbers, default=0.0), max(numbers, default=1.0)
        margin = MARGIN * (high - low) or 0.5
        if self.setting.get("rangemode") == "tozero":
            return 0, high + margin
        return low - margin, high + margin

    def _number(self, place: float | str) -> float:
        return place if isinstance(place, int | float) else day_number(place)

    def pixel_of_power(self, value: float) -> float:
        extent = self.high - self.low or 1.0
        return self.start + (value - self.low) / extent * (self.end - self.start)

    def pixel_of(self, place: float | str) -> float:
        number = self._number(place)
        return self.pixel_of_power(math.log10(max(number, 1e-9)) if self.is_log else number)

    def pixel_of_share(self, share: float) -> float:
        """Pixel of a place between the ends, 0 to 1."""
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Pixels and texts of the ticks in view."""
        setting = self.setting
        if setting.get("tickmode") == "array":
            values_and_texts = list(zip(setting["tickvals"], setting["ticktext"], strict=True))
        elif self.is_date:
            values_and_texts = day_ticks(self.low, self.high, setting["nticks"])
        else:
            step = round_step(self.high - self.low or 1, setting.get("nticks") or 6)
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            values = [step * number for number in range(first, last + 1)]
            values_and_texts = [(value, tick_text(value)) for value in values]
            if values and "ticksuffix" in setting:
                values_and_texts[-1] = (values[-1], tick_text(values[-1]) + setting["ticksuffix"])
        low, high = sorted((self.start, self.end))
        places = [(self.pixel_of(value), text) for value, text in values_and_texts]
        return [place for place in places if low - 0.5 <= place[0] <= high + 0.5]


def _longest_stack(traces: Sequence[Part], letter: str) -> float:
    """Greatest sum of the bars at one place, for an axis without a range."""
    other_letter = "y" if letter == "x" else "x"
    sums: defaultdict[float, float] = defaultdict(float)
    for trace in traces:
        for position, length in zip(trace[other_letter], trace[letter], strict=True):
            sums[position] += length or 0
    return max(sums.values(), default=0) or 1


@dataclass(frozen=True, slots=True)
class PlotArea:
    """The two axes of a figure."""

    x: Axis
    y: Axis

    @property
    def corners(self) -> list[Point]:
        x, y = self.x, self.y
        return [(x.start, y.start), (x.end, y.start), (x.end, y.end), (x.start, y.end)]


# --- parts of a figure ------------------------------------------------------------------------
def _draw_parts(sheet: PdfSheet, plot: PlotArea, traces: Sequence[Part], layout: Part) -> None:
    """Draw all parts in the order in which Plotly lays them over one another."""
    shapes = layout.get("shapes", ())
    _draw_shapes(sheet, plot, [shape for shape in shapes if shape.get("layer") == "below"])
    _draw_grid(sheet, plot)
    _draw_bars(sheet, plot, [trace for trace in traces if trace["type"] == "bar"], layout)
    _draw_axis(sheet, plot, plot.x, layout["font"])
    _draw_axis(sheet, plot, plot.y, layout["font"])
    for trace in (trace for trace in traces if trace["type"] == "scatter"):
        _draw_scatter(sheet, plot, trace, layout["font"])
    _draw_shapes(sheet, plot, [shape for shape in shapes if shape.get("layer") != "below"])
    for annotation in layout.get("annotations", ()):
        _draw_annotation(
            sheet, plot, _merge_settings(layout["annotationdefaults"], annotation), layout["font"]
        )


def _draw_grid(sheet: PdfSheet, plot: PlotArea) -> None:
    setting = plot.y.setting
    if setting["showgrid"] and setting.get("visible", True):
        for y, _ in plot.y.ticks:
            line = {"color": setting["gridcolor"], "width": 1}
            sheet.line([(plot.x.start, y), (plot.x.end, y)], line)


def _draw_axis(sheet: PdfSheet, plot: PlotArea, axis: Axis, font: Part) -> None:
    setting, is_across = axis.setting, axis is plot.x
    if not setting.get("visible", True):
        return
    is_above = is_across and setting.get("side") == "top"
    direction = -1 if is_above else 1
    edge_y = plot.y.pixel_of_share(1 if is_above else 0)
    if setting.get("showline"):
        line = {"color": setting["linecolor"], "width": 1}
        sheet.line([(axis.start, edge_y), (axis.end, edge_y)], line)
    ticks_length = setting.get("ticklen", 4) if setting.get("ticks") else 0
    label_distance = ticks_length + setting.get("ticklabelstandoff", 0) + 3
    for pixel, text in axis.ticks:
        if ticks_length:
            line = {"color": setting["tickcolor"], "width": 1}
            sheet.line([(pixel, edge_y), (pixel, edge_y + direction * ticks_length)], line)
        if not setting.get("showticklabels", True):
            continue
        if is_across:
            vertical_anchor = "bottom" if is_above else "top"
            is_lying = setting.get("tickangle") == -90
            label_place = (pixel, edge_y + direction * label_distance)
            sheet.text(
                label_place,
                text,
                font,
                vertical_anchor="middle" if is_lying else vertical_anchor,
                is_lying=is_lying,
            )
        else:
            label_room = plot.x.start - label_distance - 1
            font_scale = min(1, label_room / (text_width(text, font["size"]) or 1))
            fitting_font = {**font, "size": max(font["size"] * font_scale, SMALLEST_LABEL)}
            label_place = (plot.x.start - label_distance, pixel)
            sheet.text(label_place, text, fitting_font, horizontal_anchor="right")


class BarText(NamedTuple):
    """Text in a bar, at a place, with so many pixels of room."""

    center: Point
    room: float
    text: str
    font: Part
    horizontal_anchor: Across

    @property
    def size(self) -> float:
        """Size in which the text fits, at most that of its font."""
        size: float = self.font["size"]
        return min(size, size * self.room / text_width(self.text, size))


def _draw_bars(sheet: PdfSheet, plot: PlotArea, traces: Sequence[Part], layout: Part) -> None:
    """Draw bars, then their texts in one size; text without room in its bar is left out."""
    texts: list[BarText] = []
    stack_ends: defaultdict[float, float] | None = None
    if layout.get("barmode") == "stack":
        stack_ends = defaultdict(float)
    for trace in traces:
        font = _merge_settings(layout["font"], trace.get("textfont", {}))
        for index, (first, last) in _bar_corners(plot, trace, stack_ends):
            marker = _point_properties(trace["marker"], index)
            edge = _point_properties(marker.get("line", {}), index)
            sheet.rectangle(
                first,
                last,
                marker["color"],
                edge=edge.get("color"),
                edge_width=edge.get("width", 0),
                opacity=marker.get("opacity"),
            )
            if text := _value_at(trace.get("text", ""), index):
                is_first = trace.get("insidetextanchor") == "start"
                x = first[0] + 3 if is_first else (first[0] + last[0]) / 2
                center, text_room = (x, (first[1] + last[1]) / 2), abs(last[0] - first[0]) - 6
                horizontal_anchor: Across = "left" if is_first else "center"
                texts.append(
                    BarText(
                        center, text_room, text, _point_properties(font, index), horizontal_anchor
                    )
                )
    fitting_texts = [text for text in texts if text.size >= SMALLEST_TEXT]
    size = min((text.size for text in fitting_texts), default=SMALLEST_TEXT)
    for text in fitting_texts:
        sheet.text(
            text.center,
            text.text,
            {**text.font, "size": size},
            horizontal_anchor=text.horizontal_anchor,
        )


def _bar_corners(
    plot: PlotArea, trace: Part, stack_ends: defaultdict[float, float] | None
) -> Iterator[tuple[int, tuple[Point, Point]]]:
    """Index and opposite corners of each bar; `stack_ends` are those of the bars of a stack so
    far.
    """
    is_level = trace.get("orientation") == "h"
    length_axis, other_axis = (plot.x, plot.y) if is_level else (plot.y, plot.x)
    lengths, places = (trace["x"], trace["y"]) if is_level else (trace["y"], trace["x"])
    for index, (length, position) in enumerate(zip(lengths, places, strict=True)):
        if not length:
            continue
        base = (
            _value_at(trace.get("base", 0), index) if stack_ends is None else stack_ends[position]
        )
        if stack_ends is not None:
            stack_ends[position] += length
        half_width = _value_at(trace["width"], index) / 2
        start, end = length_axis.pixel_of(base), length_axis.pixel_of(base + length)
        low, high = (
            other_axis.pixel_of(position - half_width),
            other_axis.pixel_of(position + half_width),
        )
        yield index, ((start, low), (end, high)) if is_level else ((low, start), (high, end))


def _draw_scatter(sheet: PdfSheet, plot: PlotArea, trace: Part, font: Part) -> None:
    pixel_points = [
        None if x is None or y is None else (plot.x.pixel_of(x), plot.y.pixel_of(y))
        for x, y in zip(trace["x"], trace["y"], strict=True)
    ]
    _draw_intervals(sheet, plot, trace, pixel_points)
    mode = trace["mode"]
    if "lines" in mode:
        is_clipped = trace.get("cliponaxis", True)
        for run in _line_runs(pixel_points):
            steps = _step_points(run) if trace["line"].get("shape") == "hv" else run
            if trace.get("fill") == "tozeroy":
                zero = plot.y.pixel_of(0)
                base = [(steps[-1][0], zero), (steps[0][0], zero)]
                sheet.area([*steps, *base], trace["fillcolor"])
            sheet.line(steps, trace["line"], is_clipped=is_clipped)
    for index, point in enumerate(pixel_points):
        if point is None:
            continue
        size = 0.0
        if "markers" in mode:
            marker = _point_properties(trace["marker"], index)
            size, edge = marker.get("size", 6), _point_properties(marker.get("line", {}), index)
            sheet.symbol(
                point,
                marker.get("symbol", "circle"),
                size,
                marker.get("color") or trace["line"]["color"],
                edge=edge.get("color"),
                edge_width=edge.get("width", 0),
                opacity=marker.get("opacity"),
            )
        if "text" in mode:
            vertical_anchor, horizontal_anchor = _value_at(
                trace.get("textposition", "middle center"), index
            ).split()
            offset_x = {"left": -1, "center": 0, "right": 1}[horizontal_anchor] * (size / 2 + 3)
            offset_y = {"top": -1, "middle": 0, "bottom": 1}[vertical_anchor] * (size / 2 + 3)
            sheet.text(
                (point[0] + offset_x, point[1] + offset_y),
                trace["text"][index],
                _point_properties(_merge_settings(font, trace.get("textfont", {})), index),
                horizontal_anchor=OPPOSITE[horizontal_anchor],
                vertical_anchor={"top": "bottom", "middle": "middle", "bottom": "top"}[
                    vertical_anchor
                ],
            )


def _draw_intervals(
    sheet: PdfSheet, plot: PlotArea, trace: Part, pixel_points: Sequence[Point | None]
) -> None:
    """Draw a line from below to above each point that has an interval."""
    interval = trace.get("error_y", {"array": ()})
    for point, y, length in zip(pixel_points, trace["y"], interval["array"], strict=False):
        if point is not None and length:
            ends = [(point[0], plot.y.pixel_of(end)) for end in (y - length, y + length)]
            sheet.line(ends, {**interval, "width": interval["thickness"]}, is_clipped=True)


def _line_runs(pixel_points: Sequence[Point | None]) -> Iterator[list[Point]]:
    """Places between gaps, those of one line each."""
    run: list[Point] = []
    for point in [*pixel_points, None]:
        if point is not None:
            run.append(point)
        elif run:
            yield run
            run = []


def _step_points(line_points: Sequence[Point]) -> list[Point]:
    """Places of a line that goes across first, and then up or down."""
    corners = [
        (point_after[0], point_before[1]) for point_before, point_after in pairwise(line_points)
    ]
    return [
        line_points[0],
        *(corner for pair in zip(corners, line_points[1:], strict=True) for corner in pair),
    ]


def _draw_shapes(sheet: PdfSheet, plot: PlotArea, shapes: Sequence[Part]) -> None:
    for shape in shapes:
        x = plot.x.pixel_of_share if shape.get("xref") == "paper" else plot.x.pixel_of
        y = plot.y.pixel_of_share if shape.get("yref") == "paper" else plot.y.pixel_of
        first, last = (x(shape["x0"]), y(shape["y0"])), (x(shape["x1"]), y(shape["y1"]))
        if shape["type"] == "rect":
            sheet.rectangle(first, last, shape["fillcolor"])
        else:
            sheet.line([first, last], {"width": 1, **shape["line"]}, is_clipped=True)


def _draw_annotation(sheet: PdfSheet, plot: PlotArea, annotation: Part, font: Part) -> None:
    """Words; on a logarithmic axis their place is a power of ten."""
    x, y = (
        (axis.pixel_of_share if annotation.get(f"{letter}ref") == "paper" else axis.pixel_of_power)(
            annotation[letter]
        )
        for letter, axis in (("x", plot.x), ("y", plot.y))
    )
    point = (x + annotation.get("xshift", 0), y - annotation.get("yshift", 0))
    words_font = _merge_settings(font, annotation.get("font", {}))
    horizontal_anchor, vertical_anchor = annotation["xanchor"], annotation["yanchor"]
    sheet.text(
        point,
        annotation["text"],
        words_font,
        horizontal_anchor=horizontal_anchor,
        vertical_anchor=vertical_anchor,
    )


# --- legend -----------------------------------------------------------------------------------
LegendEntry = tuple[float, Part, Part]
"""Place from the left, trace and font."""


def _legend_rows(traces: Sequence[Part], layout: Part, width: float) -> list[list[LegendEntry]]:
    """Entries of the traces that have one, as many in a row as fit."""
    if not layout["showlegend"]:
        return []
    rows: list[list[LegendEntry]] = [[]]
    x, row_width = 0.0, width - layout["margin"]["l"] - layout["margin"]["r"]
    for trace in traces:
        if not trace.get("showlegend", True):
            continue
        entry_width = SYMBOL_WIDTH + text_width(trace["name"], layout["font"]["size"]) + 22
        if rows[-1] and x + entry_width > row_width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, trace, layout["font"]))
        x += entry_width
    return rows


def _draw_legend(sheet: PdfSheet, plot: PlotArea, rows: Sequence[Sequence[LegendEntry]]) -> None:
    for row_index, row in enumerate(reversed(rows)):
        y = plot.y.end - LEGEND_ROW * (row_index + 0.5) - 2
        for offset, trace, font in row:
            x = plot.x.start + offset
            if trace["type"] == "bar":
                sheet.symbol(
                    (x + 8, y), "square", 12, trace["marker"]["color"], **_edge_settings(trace)
                )
                sheet.text((x + 20, y), trace["name"], font, horizontal_anchor="left")
            else:
                sheet.line([(x, y), (x + SYMBOL_WIDTH, y)], trace["line"])
                sheet.text((x + SYMBOL_WIDTH + 5, y), trace["name"], font, horizontal_anchor="left")


def _edge_settings(trace: Part) -> Part:
    edge = trace["marker"].get("line", {})
    return {"edge": edge.get("color"), "edge_width": edge.get("width", 0)}


def _value_at(value: Any, index: int) -> Any:
    """The value of one point, where a property is a list of them."""
    return value[index] if isinstance(value, list | tuple) else value


def _point_properties(properties: Part, index: int) -> dict[str, Any]:
    """All properties of one point."""
    return {name: _value_at(value, index) for name, value in properties.items()}
