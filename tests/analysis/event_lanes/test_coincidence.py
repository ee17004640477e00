"""Sentences on events beside a change: only near ones, of lanes that are not always near."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.event_lanes.coincidence import (
    NEAR,
    SeriesChange,
    coincidence_sentences,
    level_changes,
    near_share,
)
from analysis.event_lanes.reads import PlacedLane
from formats.events.lanes import RuntimeEvent
from formats.events.packed import packed_events
from series.models import StoredEventLane

N = 2_000
FALL = SeriesChange(744, "the level falls at")


def lane(*spans: tuple[int, int], kind: str = "compilation", name: str = "") -> PlacedLane:
    first, last = np.array(spans).reshape(-1, 2).T
    names = [name or f"org.bench.WordCount.count{place}" for place in range(len(spans))]
    events = [
        RuntimeEvent(start=a, end=b, name=name) for (a, b), name in zip(spans, names, strict=True)
    ]
    row = StoredEventLane(kind=kind, title="Compilations", events=packed_events(events))
    return PlacedLane(row, N, first, last)


def test_the_nearest_end_is_named_with_what_chance_would_do() -> None:
    lanes = [lane((100, 110), (700, 741), (720, 735)), lane((760, 760), kind="gc-pause")]

    (sentence,) = coincidence_sentences([FALL], lanes)

    assert sentence.startswith(
        "The last compilation of WordCount.count1 ends at iteration 741; the level falls at 744."
    )
    assert "no proof: 7 % of the iterations" in sentence  # 725 to 751 of 544 to 944


@pytest.mark.parametrize(("end", "count"), [(744 - NEAR, 1), (744 - NEAR - 1, 0)])
def test_only_what_is_near_is_named(end: int, count: int) -> None:
    assert len(coincidence_sentences([FALL], [lane((700, end))])) == count


def test_of_equally_near_events_the_rarer_is_named() -> None:
    lanes = [lane((700, 744), (800, 820)), lane((744, 744), kind="deoptimisation")]

    assert "deoptimisation in WordCount.count0" in coincidence_sentences([FALL], lanes)[0]


def test_a_lane_that_is_always_near_says_nothing() -> None:
    frequent_lane = lane(*((place, place) for place in range(4, N, 60)), kind="gc-pause")

    assert coincidence_sentences([FALL], [frequent_lane]) == []


def test_what_ends_outside_of_the_series_is_near_nothing() -> None:
    read_lane = lane((-1, -1), (-1, -1), (N, N), (50, 60))

    assert near_share(read_lane, 60) == (2 * NEAR + 1) / 261
    assert near_share(read_lane, N - 1) == 0


def test_the_last_of_its_name_and_one_of_several() -> None:
    second_lane = lane((700, 741), (1500, 1501), name="C.m")

    assert coincidence_sentences([FALL], [second_lane])[0].startswith("A compilation of C.m")


def test_changes_are_placed_where_two_medians_fit_best() -> None:
    values = np.where(np.arange(N) < 744, 2.0, 1.0) + np.arange(N) % 5 * 0.01
    values[300] = 50

    (change,) = level_changes(values, [740, 750], 40)

    assert (change.iteration, change.words) == (744, "the level falls at")
    assert level_changes(values, [4], 3) == []
