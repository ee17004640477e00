"""Answers of the whole method under changes that should move none: shares of many series."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.methods.plateau import Plateau
from evidence.replication.trivial_changes import (
    CHANGES,
    NamedSeries,
    has_moved,
    moved_share,
    plain_series_of,
    remove_spike,
    starts,
    unchanged_values,
)

MOST: Final = {
    "1,000 times": 0.0,
    "its median added": 0.0,
    "half its median taken off": 0.0,
    "largest spike left out": 0.03,
}
"""Share of plain series that may move; 0.01 where nothing is said."""
SeriesStarts = tuple[list[NamedSeries], list[int]]


@pytest.fixture(scope="module")
def plain_starts() -> SeriesStarts:
    series = plain_series_of((500,))
    return series, starts(Plateau(), series, unchanged_values)


@pytest.mark.parametrize("change", CHANGES)
def test_trivial_changes_move_few_answers_for_plain_series(
    change: str, plain_starts: SeriesStarts
) -> None:
    series, starts_before = plain_starts
    starts_after = starts(Plateau(), series, CHANGES[change])

    assert moved_share(series, starts_before, starts_after) <= MOST.get(change, 0.01)


def test_a_share_counts_what_moves() -> None:
    series = [(np.ones(100), ""), (np.ones(1000), "")]

    assert moved_share(series, [5, 5], [7, 7]) == 0.5


@pytest.mark.parametrize(
    ("start_before", "start_after", "is_moved"),
    [(10, 10, False), (10, 11, False), (10, 12, True), (NEVER, NEVER, False), (NEVER, 0, True)],
)
def test_more_than_a_hundredth_and_never_are_moves(
    start_before: int,
    start_after: int,
    is_moved: bool,  # noqa: FBT001  # a column
) -> None:
    assert has_moved(start_before, start_after, 100) is is_moved


def test_the_largest_spike_becomes_the_median_of_its_neighbours() -> None:
    values = np.arange(100.0)
    values[50] = 1e6

    assert remove_spike(values)[50] == 50
