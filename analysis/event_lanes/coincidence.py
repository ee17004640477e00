"""Coincidences: changes of a series beside which an event of its process ends. Pure.

An event is named where it ends (begins, where no end is known) at most `NEAR` iterations from the
change. A lane is silent where events are so frequent that more than `MOST_BY_CHANCE` of the
iterations within `LOCAL` of the change have one so near: it would be named nearly anywhere there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.event_lanes.reads import PlacedEvent, PlacedLane
from analysis.statistics.answers import Floats
from people.templatetags.writing import grouped

NEAR: Final = 10  # iterations
LOCAL: Final = 200  # iterations before and behind a change, in which events are counted
MOST_BY_CHANCE: Final = 0.2  # share of these iterations
MOST_SENTENCES: Final = 4
MOST_REACH: Final = 200  # iterations around a change in which it is looked for
_INSTANTS: Final = ("deoptimisation", "invalidation")
_SUBJECTS: Final = {  # of lanes that are known by their kind
    "compilation": "compilation of {name}",
    "deoptimisation": "deoptimisation in {name}",
    "invalidation": "loss of compiled code of {name}",
    "gc-pause": "garbage collection ({name})",
    "gc-concurrent": "concurrent garbage collection ({name})",
}


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """Change of a series at an iteration, and how a sentence says it: `the level falls at`."""

    iteration: int
    words: str


def level_changes(values: Floats, changes: Sequence[int], reach: int) -> list[SeriesChange]:
    """Refine changes that are known to the block: where two medians fit best, within `reach`.

    The first `NEAR` iterations are left out: a process that starts compiles in any case.
    """
    refined_changes: list[SeriesChange] = []
    for change in changes:
        width = min(max(reach, 2), MOST_REACH)
        begin, end = max(change - 2 * width, 0), min(change + 2 * width, values.size)
        nearby_values = values[begin:end]
        splits = range(
            max(change - width - begin, 1), min(change + width - begin, nearby_values.size - 1)
        )
        if not splits:
            continue
        costs = [
            _spread(nearby_values[:split]) + _spread(nearby_values[split:]) for split in splits
        ]
        split = splits[int(np.argmin(costs))]
        is_fall = np.median(nearby_values[split:]) < np.median(nearby_values[:split])
        words = f"the level {'falls' if is_fall else 'rises'} at"
        if begin + split > NEAR and all(
            abs(begin + split - earlier_change.iteration) > NEAR
            for earlier_change in refined_changes
        ):
            refined_changes.append(SeriesChange(begin + split, words))
    return refined_changes


def _spread(values: Floats) -> float:
    return float(np.abs(values - np.median(values)).sum())


def coincidence_sentences(
    changes: Sequence[SeriesChange], lanes: Sequence[PlacedLane]
) -> list[str]:
    """Sentences on changes with an event near; at most `MOST_SENTENCES`, each change once."""
    sentences = [
        _sentence(change, event, share)
        for change in changes
        if (nearest_event := _nearest_event(change.iteration, lanes)) is not None
        for event, share in [nearest_event]
    ]
    return sentences[:MOST_SENTENCES]


def _nearest_event(iteration: int, lanes: Sequence[PlacedLane]) -> tuple[PlacedEvent, float] | None:
    """The event that ends nearest to an iteration, and the share of its lane.

    Of equals it is that of the lane with fewer events around, then the longest.
    """
    return min(
        _candidates(iteration, lanes),
        key=lambda pair: (abs(pair[0].last - iteration), pair[1], pair[0].first - pair[0].last),
        default=None,
    )


def _candidates(iteration: int, lanes: Sequence[PlacedLane]) -> Iterator[tuple[PlacedEvent, float]]:
    for lane in lanes:
        share = near_share(lane, iteration)
        if lane.is_metric or share > MOST_BY_CHANCE:
            continue
        for index in np.flatnonzero(np.abs(lane.last - iteration) <= NEAR):
            event = lane.event(int(index))
            if 0 <= event.last < lane.n:
                yield event, share


def near_share(lane: PlacedLane, iteration: int) -> float:
    """Share of the iterations within `LOCAL` that have the end of an event within `NEAR`.

    Events that end outside of the series count nowhere.
    """
    begin, end = max(iteration - LOCAL, 0), min(iteration + LOCAL + 1, lane.n)
    first_index, last_index = max(begin - NEAR, 0), min(end + NEAR, lane.n)
    event_ends = lane.last[(lane.last >= first_index) & (lane.last < last_index)]
    is_near = np.zeros(end - begin + 1, dtype=np.int64)
    np.add.at(is_near, np.maximum(event_ends - NEAR - begin, 0), 1)
    np.add.at(is_near, np.minimum(event_ends + NEAR + 1 - begin, end - begin), -1)
    return float((np.cumsum(is_near[:-1]) > 0).mean())


def _sentence(change: SeriesChange, event: PlacedEvent, share: float) -> str:
    lane = event.lane
    subject = _SUBJECTS.get(lane.stored.kind, f"event of “{lane.stored.title}” ({{name}})")
    verb = "happens" if lane.stored.kind in _INSTANTS else "begins"
    verb = "ends" if lane.stored.ends_known else verb
    percent = "under 1 %" if share < 0.01 else f"{share:.0%}".replace("%", " %")
    return (
        f"{_article(event)} {subject.format(name=short_method(event.name))} {verb} at iteration "
        f"{grouped(event.last)}; {change.words} {grouped(change.iteration)}. That is near in time, "
        f"and no proof: {percent} of the iterations around have such an event within ±{NEAR}."
    )


def _article(event: PlacedEvent) -> str:
    """`The last` event of that name in its lane, or one of several."""
    lists, lane = event.lane.events, event.lane
    name = lists["texts"].index(event.name)
    is_later = lane.last > event.last
    is_same = np.array(lists["name"]) == name
    return "A" if bool((is_later & is_same).any()) else "The last"


def short_method(name: str) -> str:
    """Class and method, the last two parts of a dotted name."""
    return name if " " in name else ".".join(name.split(".")[-2:])
