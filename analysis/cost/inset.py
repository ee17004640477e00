"""Where symbols of a scatter lie close together: the place to magnify, and where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analysis.cost.point_labels import Box, LabelledPoint, boxes_meet

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
