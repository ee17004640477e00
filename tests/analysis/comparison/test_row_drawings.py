"""Intervals in rows of the leaderboard: one scale for all, logarithmic where they lie far apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.comparison.row_drawings import intervals
from analysis.web.interval_scale import MARGIN, IntervalScale

RIGHT = 174  # px: 180 less the margin


def scale(*bounds: tuple[float, float, float], unranked: str = "") -> IntervalScale:
    rows: list[Any] = [
        SimpleNamespace(
            name=str(row_index),
            unranked=unranked,
            figures={"median_abs_low": low, "median_abs": dot, "median_abs_high": high},
        )
        for row_index, (low, dot, high) in enumerate(bounds)
    ]
    return intervals(rows)


def test_without_a_row_there_is_still_a_scale() -> None:
    interval_scale = scale()

    assert (interval_scale.rows, interval_scale.edge) == ({}, 0)
    assert len(interval_scale.ticks) > 1


def test_intervals_that_lie_near_stand_on_a_linear_axis_from_0() -> None:
    interval_scale = scale((25, 50, 100), (80, 90, 95))

    assert [tick.text for tick in interval_scale.ticks] == ["0", "25", "50", "75", "100"]
    assert interval_scale.edge == 0
    assert interval_scale.rows["0"].high == RIGHT
    assert interval_scale.rows["0"].dot == pytest.approx((MARGIN + RIGHT) / 2)


def test_intervals_far_apart_stand_on_two_decades() -> None:
    interval_scale = scale((5, 20, 60), (300, 500, 900))

    assert [tick.text for tick in interval_scale.ticks] == ["10", "30", "100", "300", "1000"]
    assert interval_scale.edge == 10
    assert interval_scale.rows["0"].low == MARGIN  # below the edge
    assert interval_scale.rows["0"].dot == pytest.approx(
        MARGIN + 168 * 0.15051, abs=0.1
    )  # log10(2) / 2
    assert interval_scale.rows["1"].high < RIGHT


def test_one_wide_interval_is_enough_for_a_logarithmic_axis() -> None:
    assert scale((24, 50, 100), (80, 90, 95)).edge == 1
    assert scale((0, 0, 2)).edge == 0


def test_a_median_of_0_stands_at_the_edge() -> None:
    interval_scale = scale((0, 0, 3), (10, 20, 40))

    assert (interval_scale.edge, interval_scale.end) == (0.3, 100)
    assert (interval_scale.rows["0"].low, interval_scale.rows["0"].dot) == (MARGIN, MARGIN)
    assert interval_scale.outside == "below 0.3"


@pytest.mark.parametrize("high", [300_000, 1e6, 1e15])
def test_one_bound_far_away_leaves_the_medians_apart(high: float) -> None:
    interval_scale = scale((12, 25, 90), (300, 722, high), (40, 60, 110))

    assert [tick.text for tick in interval_scale.ticks] == ["10", "30", "100", "300", "1000"]
    assert interval_scale.rows["1"].high == RIGHT
    assert [row.above for row in interval_scale.rows.values()] == [False, True, False]
    assert interval_scale.rows["0"].dot == pytest.approx(
        MARGIN + 168 * 0.19897, abs=0.1
    )  # log10(2.5) / 2
    assert interval_scale.rows["1"].dot == pytest.approx(MARGIN + 168 * 0.92927, abs=0.1)
    assert interval_scale.outside == "above 1000"


@pytest.mark.parametrize("medians", [(25, 722, 300_000), (0, 900_000), (0.7, 5), (1, 3, 10)])
def test_every_median_lies_on_the_axis(medians: tuple[float, ...]) -> None:
    interval_scale = scale(*((median / 30, median, median * 30) for median in medians))

    assert interval_scale.edge <= max(min(medians), 0.5)
    assert interval_scale.end >= max(medians)
    assert 2 <= len(interval_scale.ticks) <= 7
    places = [tick.at for tick in interval_scale.ticks]
    assert places == sorted(places)
    assert all(
        MARGIN <= interval.low <= interval.dot <= interval.high <= RIGHT
        for interval in interval_scale.rows.values()
    )


def test_who_is_not_ranked_does_not_decide_the_scale() -> None:
    assert scale((1, 1, 9999), unranked="4 series, fewer than 10").rows == {}
