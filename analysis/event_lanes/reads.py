"""Lanes of a series with the iterations of their events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from analysis.event_lanes.placement import (
    BEFORE,
    Iterations,
    merged_spans,
    place_iterations,
    place_times,
    shifted_boundaries,
)
from analysis.references.iteration_seconds import seconds_until
from analysis.statistics.answers import Floats
from people.templatetags.writing import grouped
from series.models import Series, StoredEventLane

MOST_DRAWN: Final = 12_000  # spans and points of all lanes: more are drawn as cells of iterations
LEAST_DRAWN: Final = 200  # of each lane, however many there are


KNOWN_KINDS: Final = (
    *("gc-pause", "gc-concurrent"),
    *("compilation", "deoptimisation", "invalidation"),
)


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """One event; `first` and `last` are its iterations, -1 or n where it lies outside.

    start, end  as its file says, by the clock of the lane
    """

    lane: PlacedLane
    first: int
    last: int
    start: float
    end: float
    name: str
    detail: str
    value: float | None

    @property
    def place(self) -> str:
        """Its iterations as pages write them: `741`, `110–247`, `before 0–3`, `2999–end`."""
        first_text = "before 0" if self.first == BEFORE else grouped(self.first)
        last_text = "end" if self.last == self.lane.n else grouped(self.last)
        return first_text if self.last == self.first else f"{first_text}–{last_text}"


@dataclass(frozen=True, slots=True)
class PlacedLane:
    """One lane of a series of `n` iterations; entry i of each list is of event i."""

    stored: StoredEventLane
    n: int
    first: Iterations
    last: Iterations

    @property
    def events(self) -> dict[str, list[Any]]:
        lists: dict[str, list[Any]] = self.stored.events
        return lists

    @property
    def is_metric(self) -> bool:
        """True for a figure of each iteration, which is drawn as a curve."""
        is_single = self.stored.clock == StoredEventLane.Clock.ITERATIONS and self.n > 1
        covers = self.first.size == self.n and bool((self.first == np.arange(self.n)).all())
        return is_single and covers and None not in self.events["value"]

    @property
    def outside(self) -> tuple[int, int]:
        """Number of events that end before the first iteration, and that begin behind the last."""
        return int((self.last == BEFORE).sum()), int((self.first == self.n).sum())

    def event(self, index: int) -> PlacedEvent:
        """The event of that number."""
        lists, texts = self.events, self.events["texts"]
        return PlacedEvent(
            lane=self,
            first=int(self.first[index]),
            last=int(self.last[index]),
            start=lists["start"][index],
            end=lists["end"][index],
            name=texts[lists["name"][index]],
            detail=texts[lists["detail"][index]],
            value=lists["value"][index],
        )

    def within(self, begin: int, end: int) -> list[PlacedEvent]:
        """Events of which any part lies in the iterations from `begin` to `end`, both included."""
        indices = np.flatnonzero((self.last >= begin) & (self.first <= end))
        return [self.event(int(index)) for index in indices]

    def drawing(self, lane_count: int) -> dict[str, Any]:
        """Drawing for js/chart/event-lanes.js: spans of iterations, or a curve of a metric.

        `lane_count`: lanes that are drawn together, and share what a page may weigh.
        """
        cell = -(-self.n // max(MOST_DRAWN // lane_count, LEAST_DRAWN))

        fields = {"label": self.stored.title, "unit": self.stored.unit, "count": self.stored.count}
        cells = f"drawn in cells of {grouped(cell)} iterations" if cell > 1 else ""
        if self.is_metric:
            values = np.array(self.events["value"], dtype=np.float64)
            begins = np.arange(0, self.n, cell)
            sizes = np.diff(np.append(begins, self.n))
            means = np.add.reduceat(values, begins) / sizes
            points = {
                "x": (begins + (sizes - 1) / 2).tolist(),
                "y": [float(f"{mean:.5g}") for mean in means],
            }
            return {**fields, "kind": "curve", "shape": "line", "note": cells, **points}
        spans = merged_spans(self.first, self.last, self.n, cell)
        return {**fields, "kind": "bands", "spans": spans, "note": cells}


def placed_lanes(series: Series) -> list[PlacedLane]:
    """The lanes of a series; empty without any. Blindness is the caller's duty."""
    stored_lanes = sorted(series.event_lanes.all(), key=lambda lane: _order(lane.kind))
    if not stored_lanes:
        return []
    has_seconds = any(lane.clock == StoredEventLane.Clock.SECONDS for lane in stored_lanes)
    boundaries = boundaries_of(series) if has_seconds else None
    return [_placed_lane(lane, series.n, boundaries) for lane in stored_lanes]


def _order(kind: str) -> int:
    """Known kinds first; all others as they were imported."""
    return KNOWN_KINDS.index(kind) if kind in KNOWN_KINDS else len(KNOWN_KINDS)


def lane_drawings(lanes: Sequence[PlacedLane]) -> list[dict[str, Any]]:
    """Drawings of all lanes of a series."""
    return [lane.drawing(len(lanes)) for lane in lanes]


def boundaries_of(series: Series) -> Floats | None:
    """Seconds from the process start to each of n iterations and their end; None: not known."""
    return seconds_until(series.array(), series.benchmark.unit, series.iteration_length)


def _placed_lane(lane: StoredEventLane, n: int, boundaries: Floats | None) -> PlacedLane:
    starts, ends = (np.array(lane.events[name], dtype=np.float64) for name in ("start", "end"))
    if lane.clock == StoredEventLane.Clock.ITERATIONS:
        return PlacedLane(lane, n, *place_iterations(starts, ends, n))
    if boundaries is None:  # the length of an iteration was known at the import, and is not now
        outside_places = np.full(starts.size, BEFORE, dtype=np.int64)
        return PlacedLane(lane, n, outside_places, outside_places)
    times = shifted_boundaries(boundaries, lane.offset)
    return PlacedLane(lane, n, *place_times(starts, ends, times))


def placement_sentences(series: Series, lanes: Sequence[PlacedLane]) -> str:
    """Sentences on how times were placed: by lane where files stated other offsets.

    Empty where all lanes are by iteration.
    """
    titles_by_offset: dict[float | None, list[str]] = {}
    for lane in lanes:
        if lane.stored.clock == StoredEventLane.Clock.SECONDS:
            titles_by_offset.setdefault(lane.stored.offset, []).append(lane.stored.title)
    if titles_by_offset and series.iteration_length is None:
        return "Nobody says any more how long an iteration lasts: times have no place."
    return " ".join(
        f"{', '.join(titles)}: {sentence}" if len(titles_by_offset) > 1 else sentence
        for offset, titles in titles_by_offset.items()
        for sentence in [placement_sentence(series, offset)]
    )


def placement_sentence(series: Series, offset: float | None) -> str:
    """Sentence on the placement of times, with the assumption behind it."""
    if offset is not None:
        return f"The first iteration begins {offset:g} s after the start of the process, as stated."
    length = series.iteration_length
    count = length.unrecorded if length else 0
    start_words = f"after {grouped(count)} unrecorded warm-up iterations" if count else "at 0 s"
    return (
        f"Assumed: the first iteration begins {start_words}, and the process needs no time to "
        "start. "
        "State the offset if it is known."
    )


def outside_sentence(lanes: Sequence[PlacedLane]) -> str:
    """Count the events outside of the iterations as a sentence; empty if none is."""
    early_count, late_count = (
        sum(counts) for counts in zip(*(lane.outside for lane in lanes), strict=True)
    )
    total = sum(lane.stored.count for lane in lanes)
    places = [
        *([f"{grouped(early_count)} end before the first iteration"] if early_count else []),
        *([f"{grouped(late_count)} begin behind the last"] if late_count else []),
    ]
    return f"Of {grouped(total)} events {' and '.join(places)}." if places else ""
