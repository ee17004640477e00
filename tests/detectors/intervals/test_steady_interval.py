"""Intervals of a steady mean: against their formulas, worked numbers, and how often they hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from scipy.signal import lfilter

from detectors.contract import Values
from detectors.intervals.steady_interval import (
    INTERVAL_METHODS,
    LEAST_EFFECTIVE,
    IntervalMethod,
    fork_half_width,
    integrated_time,
    mean_error,
    measurement_ends,
    pooled_half_widths,
    precision_words,
    precisions_of_sums,
    running_sums,
    span_precisions,
    steady_interval,
)
from tests.detectors.batch_precision import batch_precision

finite = arrays(np.float64, st.integers(1, 60), elements=st.floats(0.5, 2.0, width=32))


def autoregression(n: int, phi: float, seed: int = 0) -> Values:
    noise = np.random.default_rng(seed).normal(size=n + 200)
    return np.asarray(lfilter([1], [1, -phi], noise)[200:], np.float64)


def test_ten_batches_of_independent_values_worked_by_hand() -> None:
    """Batches of two with the means 1, 2, 1, 2 …: neighbours differ, so nothing is corrected."""
    values = np.repeat([1.0, 2.0] * 5, 100)
    values[::2] += 1.0  # alternating values make up for one another: enough independent ones
    values[1::2] -= 1.0

    interval = steady_interval(values)

    squared = 10 * 0.25 / 9 / 10
    assert interval.mean == 1.5
    assert interval.half == pytest.approx(stats.t.ppf(0.975, 9) * math.sqrt(squared))
    assert interval.freedom == 9


def test_batches_that_hang_together_widen_the_interval() -> None:
    """Five low batches, then five high ones: r_1 is 7/10, and 1/10 is added for its bias."""
    error = mean_error(np.repeat([1.0, 2.0], 5))

    assert error is not None
    assert error.squared == pytest.approx(10 * 0.25 / 9 / 10 * 1.8 / 0.2)


def test_subsessions_are_merged_until_they_are_independent() -> None:
    values = np.repeat(np.random.default_rng(5).normal(size=64), 4)
    means = values.reshape(-1, 4).mean(axis=1)
    deviations = means - means.mean()
    assert abs(deviations[1:] @ deviations[:-1]) <= 0.1 * (
        deviations @ deviations
    )  # four, and not two

    error = mean_error(values, "subsessions")

    assert error == pytest.approx((means.var(ddof=1) / 64, 63))


@pytest.mark.parametrize("phi", [-0.5, 0.0, 0.5, 0.9])
def test_the_integrated_time_of_an_autoregression(phi: float) -> None:
    """(1 + phi) / (1 - phi) in theory; a million values give it to a few percent."""
    autocorrelation_time = integrated_time(autoregression(2**18, phi))

    assert autocorrelation_time == pytest.approx((1 + phi) / (1 - phi), rel=0.08)


def test_the_integrated_time_is_the_sum_of_initial_pairs() -> None:
    values = autoregression(500, 0.7)
    deviations = values - values.mean()
    r = [
        float(deviations[lag:] @ deviations[: 500 - lag]) / float(deviations @ deviations)
        for lag in range(500)
    ]
    total, last = 0.0, math.inf
    for index in range(0, 500, 2):
        if r[index] + r[index + 1] <= 0:
            break
        last = min(last, r[index] + r[index + 1])
        total += last

    assert integrated_time(values) == pytest.approx(2 * total - 1)


@pytest.mark.parametrize("values", [[5.0], [5.0] * 40])
def test_of_one_value_and_of_values_alike_the_interval_is_unknown(values: list[float]) -> None:
    interval = steady_interval(np.array(values))

    unknown_figures = (
        interval.half,
        interval.low,
        interval.high,
        interval.effective,
        interval.share,
        interval.enough(),
    )
    assert set(unknown_figures) == {None}
    assert (interval.mean, interval.is_too_dependent, interval.required()) == (5.0, False, None)


@pytest.mark.parametrize(("phi", "n"), [(0.99, 300), (0.9, 100), (0.0, 20)])
def test_few_independent_values_have_a_mean_and_no_interval(phi: float, n: int) -> None:
    values = 10 + autoregression(n, phi)

    interval = steady_interval(values)

    assert interval.mean == pytest.approx(values.mean())
    assert interval.effective is not None
    assert interval.effective < LEAST_EFFECTIVE
    unknown_figures = (
        interval.half,
        interval.low,
        interval.high,
        interval.freedom,
        interval.share,
        interval.enough(),
    )
    assert set(unknown_figures) == {None}
    assert (interval.is_too_dependent, interval.required()) == (True, None)


def test_thirty_independent_values_are_enough_for_an_interval() -> None:
    intervals = [steady_interval(autoregression(40, 0.0, seed)) for seed in range(100)]

    effective_sizes = np.array([i.effective for i in intervals])
    has_interval = np.array([i.half is not None for i in intervals])
    assert has_interval.tolist() == (effective_sizes >= 30).tolist()
    assert 0 < has_interval.sum() < 100


@pytest.mark.parametrize(("phi", "n"), [(0.99, 300), (0.95, 300), (0.9, 30)])
def test_strong_dependence_is_seldom_given_an_interval_that_misses(phi: float, n: int) -> None:
    """Without the bound these intervals miss the true mean in up to a quarter of the series."""
    intervals = [steady_interval(autoregression(n, phi, seed)) for seed in range(300)]

    missed_count = sum(i.half is not None and abs(i.mean) > i.half for i in intervals)
    assert missed_count <= 0.05 * 300


def test_enough_turns_where_the_interval_is_as_wide_as_asked() -> None:
    interval = steady_interval(10 + autoregression(400, 0.5))

    assert interval.share is not None
    assert (interval.enough(interval.share), interval.enough(interval.share / 2)) == (True, False)
    assert interval.required(interval.share / 2) == pytest.approx(1600, abs=1)


@given(finite, st.sampled_from(INTERVAL_METHODS), st.integers(-900, 900))
def test_the_unit_changes_nothing(values: Values, method: IntervalMethod, exponent: int) -> None:
    interval, scaled_interval = (
        steady_interval(sample, method=method) for sample in (values, np.ldexp(values, exponent))
    )

    assert scaled_interval.mean == np.ldexp(interval.mean, exponent)
    assert (scaled_interval.share, scaled_interval.effective) == (
        interval.share,
        interval.effective,
    )
    if interval.low is not None and interval.high is not None:
        assert interval.low <= interval.mean <= interval.high


@pytest.mark.parametrize("phi", [-0.5, 0.0, 0.5, 0.9])
def test_the_interval_holds_the_true_mean_as_often_as_it_says(phi: float) -> None:
    """300 series; the table of `docs/design/intervals.md` has thousands, and more kinds."""
    intervals = [steady_interval(autoregression(2000, phi, seed)) for seed in range(300)]

    half_widths = [i.half for i in intervals if i.half is not None]
    holding_count = sum(i.half is not None and abs(i.mean) <= i.half for i in intervals)
    assert len(half_widths) > 290
    assert 0.92 <= holding_count / len(half_widths) <= 0.99


def test_many_spans_are_judged_as_each_of_them() -> None:
    values = 10 + autoregression(500, 0.6)
    starts, stops = np.array([0, 13, 100, 490, 7]), np.array([500, 250, 123, 499, 7])

    precisions = span_precisions(values, starts, stops)

    expected_precisions = [
        batch_precision(values[a:b]) for a, b in zip(starts[:3], stops[:3], strict=True)
    ]
    assert precisions[:3] == pytest.approx(expected_precisions)
    assert np.isnan(precisions[3:]).all()  # nine values, and none
    assert np.isnan(span_precisions(np.ones(50), np.array([0]), np.array([50]))).all()


def test_sums_of_several_series_after_one_another_give_each_its_precision() -> None:
    rng = np.random.default_rng(8)
    arrays = [rng.gamma(4, 1, n) * 10.0**scale for n, scale in ((60, 0), (1, 0), (300, 150))]
    starts = [np.array([0, 10, 60]), np.array([0, 1, 1]), np.array([0, 250, 40])]
    stops = [np.array([60, 60, 60]), np.array([1, 1, 1]), np.array([300, 255, 217])]
    offsets = np.cumsum([0, *(values.size + 1 for values in arrays[:-1])])

    precisions = precisions_of_sums(
        np.concatenate([running_sums(values) for values in arrays]),
        np.concatenate([start + offset for start, offset in zip(starts, offsets, strict=True)]),
        np.concatenate([stop + offset for stop, offset in zip(stops, offsets, strict=True)]),
    )

    expected_precisions = [
        span_precisions(*span) for span in zip(arrays, starts, stops, strict=True)
    ]
    assert precisions.tobytes() == np.concatenate(expected_precisions).tobytes()


def test_results_of_few_forks_share_their_variance() -> None:
    rng = np.random.default_rng(3)
    fork_counts = np.array([2, 2, 3, 1, 2])
    samples = [rng.normal(10, 1, fork_count) for fork_count in fork_counts]
    own_half_widths = np.array([fork_half_width(s) if s.size > 1 else 0.25 for s in samples])

    half_widths = pooled_half_widths(own_half_widths, fork_counts)

    repeated_samples = [sample for sample in samples if sample.size > 1]
    squares = sum(((sample - sample.mean()) ** 2).sum() for sample in repeated_samples)
    pooled_half_width = stats.t.ppf(0.975, 5) * np.sqrt(squares / 5)
    assert half_widths == pytest.approx(
        [pooled_half_width / np.sqrt(n) if n > 1 else 0.25 for n in fork_counts]
    )
    assert pooled_half_widths(own_half_widths[3:4], fork_counts[3:4]) == [0.25]
    assert np.isnan(pooled_half_widths(np.array([np.nan]), np.array([4]))).all()


def test_a_confidence_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 0 and less than 1"):
        steady_interval(np.arange(5.0), confidence=95)


@pytest.mark.parametrize(("noise", "least_count"), [(0.0, 20), (0.02, 20), (0.3, 100), (5.0, 100)])
def test_a_measurement_goes_on_until_its_interval_is_narrow(noise: float, least_count: int) -> None:
    values = 1 + noise * np.random.default_rng(0).standard_normal(3000)
    starts = [0, 7, 1500, 2950, 2995, 3000]

    stops = measurement_ends(values, np.array(starts), 0.02, least_count)

    lengths = [
        *(int(least_count * 1.05**k) for k in range(103) if least_count * 1.05**k < 3000),
        3000,
    ]
    for start, stop in zip(starts, stops.tolist(), strict=True):
        measurements = (values[start : start + length] for length in lengths)
        precise_measurements = (
            measurement
            for measurement in measurements
            if measurement.size >= 10 and (batch_precision(measurement) or 0.0) <= 0.02
        )
        assert stop == min(3000, start + next(precise_measurements, values).size)
    assert (stops[0] == least_count) == (noise < 0.3)
    assert (stops[0] < 3000) == (noise < 5)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.000721, "±0.072 %"),
        (0.0094, "±0.94 %"),
        (0.0994, "±9.9 %"),
        (0.126, "±13 %"),
        (1e-9, "±0.0001 %"),
    ],
)
def test_a_precision_has_two_digits(share: float, words: str) -> None:
    assert precision_words(share) == words
