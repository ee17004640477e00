"""A figure in small: lines and bars of its traces as a few paths of SVG."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from analysis.web.figures import Part

WIDTH: Final = 72
HEIGHT: Final = 44
EDGE: Final = 1.5  # px around the drawing
THINNEST: Final = 1.0  # least px of a bar
Scale = Callable[[float], int]


SLOT: Final = re.compile(r"var\(--(slot-\d+)\)")


class ThumbnailPath(NamedTuple):
    """One path: its data in whole pixels; colour token, width and opacity of its stroke."""

    data: str
    colour: str
    width: float
    opacity: float = 1

    @property
    def slot(self) -> str:
        """Class of a method's slot, which holds its colour; empty for any other colour."""
        slot = SLOT.fullmatch(self.colour)
        return slot[1] if slot else ""

    @property
    def stroke(self) -> str:
        """Token of the stroke; that of a slot is what its class says."""
        return "var(--slot-colour)" if self.slot else self.colour


def thumbnail(traces: Sequence[Part], layout: Part) -> list[ThumbnailPath]:
    """Paths of the lines and bars of a figure, scaled to its axes; symbols and words are left out.

    Bars of one colour are one path, so that a map of 57 × 57 cells has eleven.
    """
    x_scale = _scale(layout["xaxis"], EDGE, WIDTH - EDGE)
    y_scale = _scale(layout["yaxis"], HEIGHT - EDGE, EDGE)
    row = abs(y_scale(1) - y_scale(0)) if "range" in layout["yaxis"] else 1
    paths: list[ThumbnailPath] = []
    for trace in traces:
        if trace["type"] == "bar" and "base" in trace:
            paths += _bars(trace, x_scale, y_scale, row)
        elif trace.get("mode") == "lines" and "leads" not in trace.get("meta", {}):
            data = _line(trace, x_scale, y_scale)
            paths.append(ThumbnailPath(data, trace["line"]["color"], 1))
    return paths


def _scale(axis: Mapping[str, Any], start: float, end: float) -> Scale:
    """Pixel of a value on an axis; on a logarithmic one the range is one of powers of ten."""
    low, high = axis["range"]
    extent = high - low or 1.0  # the extent is 0 where no bar lies
    is_log = axis.get("type") == "log"

    def pixel(value: float) -> int:
        axis_value = math.log10(max(value, 1e-9)) if is_log else value
        share = min(max((axis_value - low) / extent, 0), 1)
        return round(start + share * (end - start))

    return pixel


def _line(trace: Part, x_scale: Scale, y_scale: Scale) -> str:
    """Data of a line, or of its steps; points on the pixel of the one before are left out."""
    is_stepped = trace["line"].get("shape") == "hv"
    data, last_pixel = [], None
    for x, y in zip(trace["x"], trace["y"], strict=True):
        if x is None or y is None:
            last_pixel = None
            continue
        pixel = (x_scale(x), y_scale(y))
        if last_pixel is None:
            data.append(f"M{pixel[0]} {pixel[1]}")
        elif pixel != last_pixel:
            data.append(f"H{pixel[0]}V{pixel[1]}" if is_stepped else f"L{pixel[0]} {pixel[1]}")
        last_pixel = pixel
    return "".join(data)


def _bars(trace: Part, x_scale: Scale, y_scale: Scale, row: float) -> Iterator[ThumbnailPath]:
    """Level bars as thick lines, those of one colour in one path."""
    width = round(max(THINNEST, trace["width"] * row), 1)
    colours = trace["marker"]["color"]
    data: dict[str, list[str]] = {}
    for x, base, y, colour in zip(trace["x"], trace["base"], trace["y"], colours, strict=True):
        if x is not None:
            line = f"M{x_scale(base)} {y_scale(y)}H{x_scale(base + x)}"
            data.setdefault(colour, []).append(line)
    opacity = trace["marker"].get("opacity", 1)
    for colour, lines in data.items():
        yield ThumbnailPath("".join(lines), colour, width, opacity)
