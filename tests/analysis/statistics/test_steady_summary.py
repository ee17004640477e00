"""What a start makes of a series: against plain NumPy, worked numbers, and what always holds."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from analysis.statistics.answers import Floats
from analysis.statistics.steady_summary import (
    change_of_result,
    steady_summary,
)
from tests.published_data import replication_folder

finite = arrays(np.float64, st.integers(2, 60), elements=st.floats(0.5, 2.0, width=32))


def oracle(part: Floats) -> tuple[int, float, float] | None:
    """Merged values, and variance and degrees of freedom of the mean; from the definition."""
    for q in range(1, part.size // 3 + 1):
        away = part[: part.size // q * q].reshape(-1, q).mean(axis=1) - part.mean()
        squares = float(away @ away)
        if squares > 0 and abs(float(away[1:] @ away[:-1]) / squares) <= 0.1:
            return q, squares / (away.size - 1) / away.size, away.size - 1
    return None


def test_the_vectors_of_pilot() -> None:
    """Ferrari's 48 response times: subsessions of four, an interval of 0.29157 in all."""
    vectors = json.loads((replication_folder() / "vectors" / "pilot.json").read_text())
    values = np.array(vectors["ferrari48"]["values"])

    found = steady_summary(values, 0)

    assert (found.n, found.merged) == (48, 4)
    assert found.mean == pytest.approx(1.756458333333333, rel=1e-14)
    assert found.high is not None
    assert found.low is not None
    assert found.high - found.low == pytest.approx(0.29157062128900485, rel=1e-12)
    # k for ±1 % is the 827 subsessions that the vectors have for a width of 2 %.
    assert (found.required, found.enough) == (827 * 4, False)


def test_the_interval_is_that_of_subsessions() -> None:
    noise = np.random.default_rng(3).normal(0, 1, 900)
    values = 50 + np.convolve(noise, np.ones(5), "same")

    found = steady_summary(values, 100)

    part = values[100:]
    merged = oracle(part)
    assert merged is not None
    q, squared, freedom = merged
    half = stats.t.ppf(0.975, freedom) * math.sqrt(squared)
    assert found.merged == q > 1
    assert (found.low, found.high) == pytest.approx((part.mean() - half, part.mean() + half))
    assert found.half_width == pytest.approx(half / part.mean())
    assert found.effective == pytest.approx(part.var(ddof=1) / squared)
    assert found.median == np.median(part)


@pytest.mark.parametrize("values", [[5.0], [5.0, 6.0], [5.0] * 40])
def test_without_independent_subsessions_the_interval_is_unknown(values: list[float]) -> None:
    found = steady_summary(np.array(values), 0)

    unknown = (found.low, found.high, found.merged, found.effective, found.required, found.enough)
    assert set(unknown) == {None}
    assert found.mean == np.mean(values)


@pytest.mark.parametrize("start", [-1, 3])
def test_a_start_outside_the_series_is_refused(start: int) -> None:
    with pytest.raises(IndexError, match="expected 0 to 2"):
        steady_summary(np.ones(3), start)
    with pytest.raises(IndexError, match="expected 0 to 2"):
        change_of_result(np.ones(3), 0, start)


@given(finite, st.data())
def test_every_start_has_a_result(values: Floats, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, values.size - 1))

    found = steady_summary(values, start)

    merged = oracle(values[start:])
    assert found.n == values.size - start
    assert found.mean == pytest.approx(values[start:].mean(), rel=1e-12)
    assert (found.merged is None) == (merged is None)
    if found.low is not None and found.high is not None:
        assert found.low <= found.mean <= found.high


@given(finite, st.integers(-400, 400), st.data())
def test_the_unit_changes_nothing(values: Floats, exponent: int, data: st.DataObject) -> None:
    start, yardstick = (data.draw(st.integers(0, values.size - 1)) for _ in range(2))

    scaled = np.ldexp(values, exponent)

    assert steady_summary(scaled, start).enough == steady_summary(values, start).enough
    assert change_of_result(scaled, start, yardstick) == change_of_result(values, start, yardstick)


@given(finite, st.data())
def test_there_and_back_is_no_change(values: Floats, data: st.DataObject) -> None:
    start, yardstick = (data.draw(st.integers(0, values.size - 1)) for _ in range(2))

    there, back = (
        change_of_result(values, start, yardstick),
        change_of_result(values, yardstick, start),
    )

    assert there is not None
    assert back is not None
    assert (1 + there.share) * (1 + back.share) == pytest.approx(1)
    assert there.low <= there.share <= there.high


def test_a_warm_up_of_a_tenth_worked_by_hand() -> None:
    """20 of 100 values at 1.5, the others at 1: a mean of 1.1 against 1, and the other way."""
    values = np.where(np.arange(100) < 20, 1.5, 1.0)

    early, late = change_of_result(values, 0, 20), change_of_result(values, 20, 0)

    assert early is not None
    assert late is not None
    assert early.share == pytest.approx(0.1)
    assert early.word == "matters"
    assert late.share == pytest.approx(1 / 1.1 - 1)


def test_the_word_turns_at_one_percent() -> None:
    values = np.where(np.arange(100) < 1, 2.0, 1.0)

    found = change_of_result(values, 0, 1)
    less = change_of_result(np.append(values, 1.0), 0, 1)

    assert found is not None
    assert less is not None
    assert (found.share, found.word) == (pytest.approx(0.01), "matters")
    assert less.word == "immaterial"


def test_no_result_no_change() -> None:
    assert change_of_result(np.zeros(5), 0, 2) is None


def test_the_interval_of_a_change_holds_it_nineteen_times_of_twenty() -> None:
    """Four hundred series with a step of known height at 50 of 250, both ways round."""
    rng = np.random.default_rng(5)
    level = np.where(np.arange(250) < 50, 12.0, 10.0)
    held = [0, 0]
    for _ in range(400):
        values = level + rng.normal(0, 1, level.size)
        for at, (start, yardstick) in enumerate([(0, 50), (50, 0)]):
            found = change_of_result(values, start, yardstick)
            assert found is not None
            true = level[start:].mean() / level[yardstick:].mean() - 1
            held[at] += found.low <= true <= found.high

    assert [0.92 < count / 400 < 0.98 for count in held] == [True, True]
