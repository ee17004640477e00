"""Intervals in rows of the leaderboard: one scale for all, logarithmic where they lie far apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.comparison.row_drawings import intervals
from analysis.statistics.rows import MethodRow
from analysis.web.interval_scale import MARGIN, IntervalScale

RIGHT = 174  # px: 180 less the margin


def scale(*bounds: tuple[float, float, float], unranked: str = "") -> IntervalScale:
    rows: list[Any] = [
        SimpleNamespace(
            name=str(at),
            unranked=unranked,
            row=MethodRow(
                str(at), {"median_abs_low": low, "median_abs": dot, "median_abs_high": high}
            ),
        )
        for at, (low, dot, high) in enumerate(bounds)
    ]
    return intervals(rows)


def test_without_a_row_there_is_still_a_scale() -> None:
    found = scale()

    assert (found.rows, found.edge) == ({}, 0)
    assert len(found.ticks) > 1


def test_intervals_that_lie_near_stand_on_a_linear_axis_from_0() -> None:
    found = scale((25, 50, 100), (80, 90, 95))

    assert [tick.text for tick in found.ticks] == ["0", "25", "50", "75", "100"]
    assert found.edge == 0
    assert found.rows["0"].high == RIGHT
    assert found.rows["0"].dot == pytest.approx((MARGIN + RIGHT) / 2)


def test_intervals_far_apart_stand_on_two_decades() -> None:
    found = scale((5, 20, 60), (300, 500, 900))

    assert [tick.text for tick in found.ticks] == ["10", "30", "100", "300", "1000"]
    assert found.edge == 10
    assert found.rows["0"].low == MARGIN  # below the edge
    assert found.rows["0"].dot == pytest.approx(MARGIN + 168 * 0.15051, abs=0.1)  # log10(2) / 2
    assert found.rows["1"].high < RIGHT


def test_one_wide_interval_is_enough_for_a_logarithmic_axis() -> None:
    assert scale((24, 50, 100), (80, 90, 95)).edge == 1
    assert scale((0, 0, 2)).edge == 0


def test_a_median_of_0_stands_at_the_edge() -> None:
    found = scale((0, 0, 3), (10, 20, 40))

    assert (found.edge, found.end) == (0.3, 100)
    assert (found.rows["0"].low, found.rows["0"].dot) == (MARGIN, MARGIN)
    assert found.outside == "below 0.3"


@pytest.mark.parametrize("high", [300_000, 1e6, 1e15])
def test_one_bound_far_away_leaves_the_medians_apart(high: float) -> None:
    found = scale((12, 25, 90), (300, 722, high), (40, 60, 110))

    assert [tick.text for tick in found.ticks] == ["10", "30", "100", "300", "1000"]
    assert found.rows["1"].high == RIGHT
    assert [row.above for row in found.rows.values()] == [False, True, False]
    assert found.rows["0"].dot == pytest.approx(MARGIN + 168 * 0.19897, abs=0.1)  # log10(2.5) / 2
    assert found.rows["1"].dot == pytest.approx(MARGIN + 168 * 0.92927, abs=0.1)
    assert found.outside == "above 1000"


@pytest.mark.parametrize("medians", [(25, 722, 300_000), (0, 900_000), (0.7, 5), (1, 3, 10)])
def test_every_median_lies_on_the_axis(medians: tuple[float, ...]) -> None:
    found = scale(*((median / 30, median, median * 30) for median in medians))

    assert found.edge <= max(min(medians), 0.5)
    assert found.end >= max(medians)
    assert 2 <= len(found.ticks) <= 7
    places = [tick.at for tick in found.ticks]
    assert places == sorted(places)
    assert all(MARGIN <= each.low <= each.dot <= each.high <= RIGHT for each in found.rows.values())


def test_who_is_not_ranked_does_not_decide_the_scale() -> None:
    assert scale((1, 1, 9999), unranked="4 series, fewer than 10").rows == {}
