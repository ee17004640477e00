"""Labels of points: on which side each is written, so that none covers another or a symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LETTER: Final = 8.0  # px, of a code in 12 px
HEIGHT: Final = 14.0
SYMBOL: Final = 6.0  # px from its middle to its edge
GAP: Final = 8.0  # px from the middle of a symbol to its label
SIDES: Final = ("middle right", "middle left", "top center", "bottom center")
BESIDE_STEPS: Final = ("middle left", "bottom center", "middle right", "top center")
"""Of points on the front: its line comes from above, and goes on to the right."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class LabelledPoint:
    """A symbol in pixels from the top left corner of a plot, and its label."""

    x: float
    y: float
    text: str
    first: bool  # on the front: labelled before the others, and always


def label_sides(points: Sequence[LabelledPoint], plot: tuple[float, float]) -> list[str]:
    """Of each point a side, the first that is free; empty where its text has no room, or is."""
    taken: list[Box] = []
    found = [""] * len(points)
    named = [at for at, point in enumerate(points) if point.text]
    for at in sorted(named, key=lambda at: not points[at].first):
        symbols = [_symbol(each) for place, each in enumerate(points) if place != at]
        side = _side(points[at], [*taken, *symbols], plot)
        found[at] = side or (BESIDE_STEPS[0] if points[at].first else "")
        if found[at]:
            taken.append(_box(points[at], found[at]))
    return found


def _side(point: LabelledPoint, taken: Sequence[Box], plot: tuple[float, float]) -> str:
    for side in BESIDE_STEPS if point.first else SIDES:
        box = _box(point, side)
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= plot[0] and box[3] <= plot[1]
        if inside and not any(boxes_meet(box, each) for each in taken):
            return side
    return ""


def _symbol(point: LabelledPoint) -> Box:
    return point.x - SYMBOL, point.y - SYMBOL, point.x + SYMBOL, point.y + SYMBOL


def _box(point: LabelledPoint, side: str) -> Box:
    width, half = LETTER * len(point.text), HEIGHT / 2
    left = {
        "middle right": point.x + GAP,
        "middle left": point.x - GAP - width,
    }.get(side, point.x - width / 2)
    middle = {
        "top center": point.y - GAP - half,
        "bottom center": point.y + GAP + half,
    }.get(side, point.y)
    return left, middle - half, left + width, middle + half


def boxes_meet(one: Box, other: Box) -> bool:
    """Whether two rectangles share any area."""
    apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    return not apart
