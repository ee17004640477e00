"""Windows of long series against the definition of their buckets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from series.windows import extremes

few_levels = arrays(np.float64, st.integers(1, 200), elements=st.sampled_from([0.0, 1.0, 2.0]))


def by_definition(values: np.ndarray, start: int, stop: int, buckets: int) -> list[int]:
    """The oracle: which bucket each index is in, then the least by value and index."""
    bucket_of = {}
    for k in range(buckets):
        first = start + (stop - start) * k // buckets
        last = start + (stop - start) * (k + 1) // buckets
        bucket_of.update(dict.fromkeys(range(first, last), k))
    found = []
    for k in sorted(set(bucket_of.values())):
        mine = [index for index, bucket in bucket_of.items() if bucket == k]
        least = min(mine, key=lambda index: (values[index], index))
        greatest = min(mine, key=lambda index: (-values[index], index))
        found += sorted({least, greatest})
    return found


@given(few_levels, st.data())
def test_agrees_with_the_definition(values: np.ndarray, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, values.size - 1))
    stop = data.draw(st.integers(start + 1, values.size))
    buckets = data.draw(st.integers(1, 50))

    assert extremes(values, start, stop, buckets).tolist() == by_definition(
        values, start, stop, buckets
    )


@pytest.mark.parametrize(
    ("buckets", "indices"),
    [(3, [1, 2, 3, 7, 8]), (5, [0, 1, 2, 3, 4, 6, 7, 8, 9])],
)
def test_by_hand(buckets: int, indices: list[int]) -> None:
    values = np.array([5.0, 1, 9, 4, 4, 4, 7, 2, 8, 3])

    assert extremes(values, 0, 10, buckets).tolist() == indices


def test_a_single_spike_is_seen_at_every_zoom() -> None:
    values = np.zeros(1_000_000)
    values[654_321] = 1.0

    for reach in (345_000, 100_000, 1000, 10):
        assert 654_321 in extremes(values, 654_321 - reach, 654_321 + reach, 1120)
