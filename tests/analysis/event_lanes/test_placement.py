"""Iterations of events against plain loops, and the spans that are drawn of them."""

from __future__ import annotations

import numpy as np

from analysis.event_lanes.placement import (
    merged_spans,
    place_iterations,
    place_times,
    shifted_boundaries,
)

DURATIONS = np.array([0.5, 0.25, 1.0, 0.0, 0.25])
BOUNDARIES = np.concatenate([[2.0], 2.0 + np.cumsum(DURATIONS)])  # 2, 2.5, 2.75, 3.75, 3.75, 4
MOMENTS = np.array([0.0, 1.99, 2.0, 2.3, 2.5, 2.75, 3.0, 3.75, 3.9, 4.0, 9.0])


def iteration_at(moment: float) -> int:
    """The latest iteration that has begun; -1 before the first, 5 behind the last."""
    begun_indices = [index for index in range(5) if BOUNDARIES[index] <= moment]
    return 5 if moment >= BOUNDARIES[5] else max(begun_indices, default=-1)


def test_a_moment_lies_in_the_iteration_that_has_begun() -> None:
    spans = place_times(MOMENTS, MOMENTS, BOUNDARIES)

    assert spans.first.tolist() == [iteration_at(moment) for moment in MOMENTS]
    assert spans.last.tolist() == spans.first.tolist()


def test_an_event_covers_every_iteration_that_it_overlaps() -> None:
    begins, ends = (grid.ravel() for grid in np.meshgrid(MOMENTS, MOMENTS))
    is_later = begins < ends
    spans = place_times(begins[is_later], ends[is_later], BOUNDARIES)

    for place, (begin, end) in enumerate(zip(begins[is_later], ends[is_later], strict=True)):
        overlapping_indices = [
            index
            for index in range(5)
            if BOUNDARIES[index] < end and BOUNDARIES[index + 1] > begin and DURATIONS[index]
        ]
        inner_places = np.arange(spans.first[place], spans.last[place] + 1)
        covered_indices = [i for i in inner_places if 0 <= i < 5 and DURATIONS[i]]
        assert covered_indices == overlapping_indices, (begin, end)


def test_an_offset_replaces_the_start_of_the_first_iteration() -> None:
    assert shifted_boundaries(BOUNDARIES, None) is BOUNDARIES
    assert shifted_boundaries(BOUNDARIES, 7.0).tolist() == (BOUNDARIES + 5).tolist()


def test_iterations_of_a_file_end_before_their_end() -> None:
    spans = place_iterations(
        np.array([0.0, 2.0, -3.0, 4.0, 99.0]), np.array([0.0, 4.0, -1.0, 9.0, 99.0]), 5
    )

    assert spans.first.tolist() == [0, 2, -1, 4, 5]
    assert spans.last.tolist() == [0, 3, -1, 5, 5]


def test_spans_are_joined_and_widened_to_cells() -> None:
    first, last = np.array([-1, 0, 1, 4, 9, 10]), np.array([-1, 1, 1, 4, 12, 10])

    assert merged_spans(first, last, 10, 1) == [[0, 2], [4, 5], [9, 10]]
    assert merged_spans(first, last, 10, 4) == [[0, 10]]
    assert merged_spans(first[:1], last[:1], 10, 1) == []
