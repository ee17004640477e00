"""Windows of long series against the definition of their buckets; the browser has the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from series.values.downsampled_windows import AT_ONCE, BucketFigures, bucket_figures

SHARED = json.loads((Path(__file__).parents[2] / "bucket_vectors.json").read_text())
few_levels = arrays(np.float64, st.integers(1, 200), elements=st.sampled_from([0.0, 1.0, 2.0]))


def figures_by_definition(
    values: list[float], start: int, stop: int, buckets: int
) -> BucketFigures:
    """Sorted lists: rounded inwards, so that no quantile but of few values is the outermost."""
    buckets = min(buckets, stop - start)
    quantiles, extremes, places = [], [], []
    for k in range(buckets):
        first = start + (stop - start) * k // buckets
        last = start + (stop - start) * (k + 1) // buckets
        sorted_values = sorted(values[first:last])
        top = len(sorted_values) - 1
        outer_index, inner_index = int(0.95 * top + 1e-9), int(0.75 * top + 1e-9)
        ranks = [top - outer_index, top - inner_index, top // 2, inner_index, outer_index]
        quantiles.append([sorted_values[place] for place in ranks])
        extremes.append([sorted_values[0], sorted_values[-1]])
        places.append(
            [values.index(sorted_values[0], first), values.index(sorted_values[-1], first)]
        )
    return BucketFigures(*(np.array(figures).T for figures in (quantiles, extremes, places)))


def are_equal(bucket_figures: BucketFigures, expected_figures: BucketFigures) -> bool:
    names = ("quantiles", "extremes", "places")
    return all(
        np.array_equal(getattr(bucket_figures, name), getattr(expected_figures, name))
        for name in names
    )


@given(few_levels, st.data())
def test_agrees_with_the_definition(values: np.ndarray, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, values.size - 1))
    stop = data.draw(st.integers(start + 1, values.size))
    buckets = data.draw(st.integers(1, 50))

    figures = bucket_figures(values, start, stop, buckets)

    assert are_equal(figures, figures_by_definition(values.tolist(), start, stop, buckets))


@pytest.mark.parametrize("vector", SHARED, ids=lambda vector: vector["name"])
def test_agrees_with_the_vectors_that_the_browser_is_held_to(vector: dict) -> None:
    figures = bucket_figures(np.array(vector["values"], dtype=float), *vector["window"])

    assert figures.quantiles.tolist() == vector["quantiles"]
    assert figures.places.tolist() == [vector["least"], vector["greatest"]]


def test_more_values_than_are_sorted_at_once_make_the_same_figures() -> None:
    values = np.random.default_rng(2).normal(size=2 * AT_ONCE + 1001)

    figures = bucket_figures(values, 1, values.size, 40)

    assert are_equal(figures, figures_by_definition(values.tolist(), 1, values.size, 40))


def test_a_single_spike_is_seen_at_every_zoom() -> None:
    values = np.zeros(1_000_000)
    values[654_321] = 1.0

    for reach in (345_000, 100_000, 1000, 10):
        figures = bucket_figures(values, 654_321 - reach, 654_321 + reach, 1120)
        assert figures.places[1][figures.extremes[1] == 1.0].tolist() == [654_321]
