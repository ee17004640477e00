"""Simulated series: the truth is true, and a seed is a series."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.contract import NEVER
from detectors.simulated.synthetic import KINDS, NOISE, SECONDS, simulate, simulate_all


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [100, 3000])
def test_a_seed_is_a_series(kind: str, n: int) -> None:
    series, same_series, other_series = (simulate(kind, n=n, seed=seed) for seed in (1, 1, 2))

    assert np.array_equal(series.values, same_series.values)
    assert series.steady_start == same_series.steady_start
    assert not np.array_equal(series.values, other_series.values)
    assert series.values.size == n
    assert series.values.min() > 0
    assert NEVER <= series.steady_start < n
    assert series.why.endswith(".")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_level_and_noise_stay_after_the_true_start(kind: str, seed: int) -> None:
    series = simulate(kind, seed=seed)
    if series.steady_start == NEVER:
        return
    values_after = series.values[series.steady_start :] / SECONDS
    first, second = np.array_split(values_after, 2)

    assert np.median(first) == pytest.approx(1, abs=NOISE / 3)
    assert np.median(second) == pytest.approx(1, abs=NOISE / 3)
    quartile_ranges = [np.subtract(*np.percentile(half, [75, 25])) for half in (first, second)]
    assert quartile_ranges == pytest.approx([1.349 * NOISE] * 2, rel=0.2)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "flat"])
def test_what_lies_before_the_true_start_is_different(kind: str) -> None:
    series = simulate(kind)
    if series.steady_start == NEVER:
        return
    values_before, values_after = np.split(series.values / SECONDS, [series.steady_start])
    tail = values_before[-200:]

    has_moved = abs(np.median(values_before) - np.median(values_after)) > NOISE
    is_noisier = tail.std() > 3 * values_after.std()
    assert has_moved or is_noisier


def test_every_kind_has_its_series() -> None:
    assert [series.kind for series in simulate_all(n=100)] == list(KINDS)


def test_wrong_requests_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="no kind 'stairs'; there are: step, two-steps"):
        simulate("stairs")
    with pytest.raises(ValueError, match="n must be 100 or more; got 99"):
        simulate("step", n=99)
