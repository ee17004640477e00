"""Places on a scatter: the side of each label, and the crowd that an inset magnifies."""

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


# --- the inset --------------------------------------------------------------------------------
NEAR: Final = 24.0  # px
CROWD: Final = 5  # symbols that lie as near to one of them
ROOM: Final = 8.0  # px around the outermost symbols of the frame
SIZE: Final = (300.0, 178.0)  # px of the inset, at the widest
EDGE: Final = 8.0  # px between the inset and the edge of the plot


@dataclass(frozen=True, slots=True)
class Inset:
    """A part of the plot that is drawn larger: which points, their frame, and its own place."""

    members: tuple[int, ...]
    frame: Box
    place: Box

    @property
    def guides(self) -> tuple[Box, Box]:
        """Two lines between corners of frame and place: from x, y to x, y."""
        left, top, right, bottom = self.frame
        to_left, to_top, to_right, to_bottom = self.place
        if abs(to_left + to_right - left - right) > abs(to_top + to_bottom - top - bottom):
            here, there = (right, to_left) if to_left > right else (left, to_right)
            return (here, top, there, to_top), (here, bottom, there, to_bottom)
        up, down = (top, to_bottom) if to_bottom < top else (bottom, to_top)
        return (left, up, to_left, down), (right, up, to_right, down)


def inset_of(points: Sequence[LabelledPoint], plot: tuple[float, float]) -> Inset | None:
    """The largest crowd, and the corner with the fewest symbols; None without a crowd."""
    members = _crowd(points)
    if not members:
        return None
    xs, ys = ([getattr(points[at], name) for at in members] for name in ("x", "y"))
    frame = (
        max(0.0, min(xs) - ROOM),
        max(0.0, min(ys) - ROOM),
        min(plot[0], max(xs) + ROOM),
        min(plot[1], max(ys) + ROOM),
    )
    place = _emptiest(points, frame, plot)
    return Inset(members, frame, place) if place else None


def _crowd(points: Sequence[LabelledPoint]) -> tuple[int, ...]:
    """Points around those that have CROWD within NEAR, counted with themselves."""
    near = [
        {at for at, other in enumerate(points) if _distance(one, other) <= NEAR} for one in points
    ]
    crowds = [each for each in near if len(each) >= CROWD]
    joined: list[set[int]] = []
    for each in crowds:
        touching = [found for found in joined if found & each]
        joined = [found for found in joined if not found & each]
        joined.append(each.union(*touching))
    joined.sort(key=lambda found: (-len(found), min(found)))
    return tuple(sorted(joined[0])) if joined else ()


def _distance(one: LabelledPoint, other: LabelledPoint) -> float:
    return float(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5)


def _emptiest(points: Sequence[LabelledPoint], frame: Box, plot: tuple[float, float]) -> Box | None:
    """The corner with the fewest symbols that does not meet the frame; top right of equals."""
    width, height = SIZE
    right, bottom = plot[0] - width - EDGE, plot[1] - height - EDGE
    corners = [(right, EDGE), (EDGE, bottom), (EDGE, EDGE), (right, bottom)]
    boxes = [(x, y, x + width, y + height) for x, y in corners]
    free = [box for box in boxes if not boxes_meet(box, frame)]
    return min(free, key=lambda box: sum(_is_in(each, box) for each in points), default=None)


def _is_in(point: LabelledPoint, box: Box) -> bool:
    return box[0] <= point.x <= box[2] and box[1] <= point.y <= box[3]
