"""Selection, medians and percentiles against sorting."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from hypothesis.extra.numpy import arrays

from detectors.contract import Values
from detectors.kernels.order_statistics import (
    advance,
    median,
    middle_pair,
    percentile,
    previous_element,
    select,
)

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"

numbers = st.one_of(st.floats(-1e300, 1e300), st.integers(0, 3).map(float))
some = arrays(np.float64, st.integers(1, 200), elements=numbers)


@given(values=some, data=st.data())
def test_select_puts_the_right_element_at_its_rank(values: Values, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, values.size - 1))
    a, sorted_values = values.copy(), np.sort(values)

    piece = select(a, 0, a.size, k)

    assert a[k] == sorted_values[k]
    assert a[:k].max(initial=-np.inf) <= a[k] <= a[k:].min()
    assert sorted(a) == sorted_values.tolist()
    assert k == 0 or previous_element(a, 0, piece, k) == sorted_values[k - 1]


@given(values=some)
@example(values=np.array([1e300, 1e300]))
@example(values=np.array([5e-324, 0.0]))
def test_the_two_middle_elements_are_those_of_sorting(values: Values) -> None:
    sorted_values, m = np.sort(values), values.size

    assert middle_pair(values.copy(), 0, m) == (sorted_values[(m - 1) // 2], sorted_values[m // 2])
    assert median(values, np.empty(m)) == np.median(values)


@given(
    values=some,
    percent=st.one_of(st.floats(0, 100), st.sampled_from([0.0, 2.0, 50.0, 98.0, 100.0])),
)
def test_percentile_is_numpys_to_the_last_bit(values: Values, percent: float) -> None:
    if np.ptp(values / 4) > 4e307:  # differences beyond a double's range
        return

    assert percentile(values.copy(), 0, values.size, values.size, percent) == np.percentile(
        values, percent
    )


@pytest.mark.parametrize(
    "pattern", ["sorted", "reversed", "sawtooth", "organ-pipe", "equal", "two"]
)
def test_no_pattern_makes_selection_slow(pattern: str) -> None:
    """Quadratic work on 300,000 elements would take minutes."""
    i = np.arange(300_000 if COMPILED else 3_000)
    patterns = {
        "sorted": i,
        "reversed": -i,
        "sawtooth": i % 1000,
        "organ-pipe": np.minimum(i, i[::-1]),
        "equal": i * 0,
        "two": i % 2,
    }
    a = patterns[pattern].astype(np.float64)
    expected = np.sort(a)[[i.size // 2 - 1, i.size // 2]]

    assert middle_pair(a, 0, a.size) == tuple(expected)


def test_random_numbers_are_those_of_the_c_standards_example() -> None:
    draws = [1]
    for _ in range(50):
        draws.append(advance(draws[-1]))

    assert draws[1:3] == [1103527590, 377401575]
    assert draws[1:] == [(1103515245 * draw + 12345) % 2**31 for draw in draws[:-1]]
    assert len(set(draws)) == 51
