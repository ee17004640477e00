"""Ranges, scale and outlines: by hand where few numbers do, by their definition elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.arrays.robust_range import robust_range
from series.drawings.outlines import (
    LEVELS,
    draw_outline,
    draw_outlines,
    outline,
    paths,
    rescaled_outline,
)

finite = st.floats(-1e300, 1e300, allow_subnormal=False)
values_of_any_size = arrays(np.float64, st.integers(2, 300), elements=finite)


@pytest.mark.parametrize("size", [2, 63, 64, 65, 1000])
def test_an_outline_has_up_to_64_stretches_with_their_extremes_and_medians(size: int) -> None:
    values = np.random.default_rng(size).normal(size=size)
    count = min(64, size)
    stretches = [values[size * k // count : size * (k + 1) // count] for k in range(count)]

    drawing = outline(values, -10.0, 10.0)

    for name, reduction in (("low", np.min), ("high", np.max), ("middle", np.median)):
        levels = [(reduction(stretch) + 10) / 20 * LEVELS for stretch in stretches]
        assert drawing[name] == pytest.approx(levels, abs=0.500001)


@given(values_of_any_size)
def test_every_series_has_a_drawing_within_its_bounds(values: np.ndarray) -> None:
    drawing = draw_outline(values)

    assert drawing.robust_low < drawing.robust_high
    assert np.isfinite([drawing.robust_low, drawing.robust_high, drawing.median]).all()
    assert drawing.minimum <= drawing.median_last_half <= drawing.maximum
    assert all(0 <= level <= LEVELS for levels in drawing.outline.values() for level in levels)
    small_values = (values / drawing.scale).astype("<f4")
    assert np.isfinite(small_values).all()


@pytest.mark.parametrize(
    ("largest", "scale"), [(1.0, 1.0), (-3.0, 2.0), (0.3, 0.25), (0.0, 1.0), (1e300, 2.0**996)]
)
def test_scale_is_the_power_of_two_at_or_below_the_largest_magnitude(
    largest: float, scale: float
) -> None:
    assert draw_outline(np.array([0.0, largest])).scale == scale


def test_figures_are_those_of_the_unscaled_values() -> None:
    values = np.random.default_rng(7).exponential(1e-6, 1001)

    drawing = draw_outline(values)

    assert drawing.median == np.median(values)
    assert drawing.median_last_half == np.median(values[500:])


def test_paths_draw_the_band_and_the_median_and_join_equal_slopes() -> None:
    outline_paths = paths(
        {"low": [0, 0, 0], "high": [1000, 1000, 500], "middle": [500, 500, 500]}, 28
    )

    assert (outline_paths.width, outline_paths.height) == (2, 28)
    assert outline_paths.band == "M0 0h1l1 14v14h-2z"
    assert outline_paths.median == "M0 14h2"


def test_the_outline_of_noise_stays_below_one_kilobyte() -> None:
    noise = np.random.default_rng(3).normal(size=3000)

    drawn_paths = paths(draw_outline(noise).outline)

    assert len(drawn_paths.band) + len(drawn_paths.median) < 850  # the tags around it take 150


def test_an_outline_moves_into_a_wider_range() -> None:
    levels = {"low": [0], "high": [1000], "middle": [500]}

    assert rescaled_outline(levels, (1.0, 2.0), (0.0, 4.0)) == {
        "low": [250],
        "high": [500],
        "middle": [375],
    }


def test_a_small_drawing_has_the_range_of_the_chart() -> None:
    values = np.tile([1.0, 2.0], 100)
    values[:40], values[150] = 20.0, 1e6  # a warm-up that lasts, and a spike

    drawing = draw_outline(values)

    low, high = robust_range(values / drawing.scale)
    assert (drawing.robust_low, drawing.robust_high) == (low * drawing.scale, high * drawing.scale)
    assert drawing.outline == outline(values / drawing.scale, low, high)
    assert 20 < drawing.robust_high < 22


def test_many_at_once_are_drawn_as_each_alone() -> None:
    random = np.random.default_rng(2)
    many_series = [
        random.gamma(9, scale, n) for n in (1, 2, 14, 15, 63, 64, 500) for scale in (1e-300, 1)
    ]
    many_series += [
        np.zeros(15),
        np.full(40, -2.0),
        np.r_[np.zeros(20), 1e308, -1e308],
        *many_series[::-1],
    ]

    assert draw_outlines(many_series) == [draw_outline(values) for values in many_series]
    assert draw_outlines([]) == []
