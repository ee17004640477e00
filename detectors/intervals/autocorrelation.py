"""Autocorrelation of a series, and how many values one independent value is worth. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

WINDOW: Final = 5.0
"""Sokal's: lags are summed up to so many integrated times (Sokal 1997)."""


def correlations(values: Values, most_lags: int) -> Values:
    """Autocorrelation r_0 … r_most of values that are not all equal, float64 (…, most + 1).

    `values`: one series, or a row for each of several of one length.

    The divisor is the full sum for every lag, so that |r| <= 1. By way of the spectrum:
    n log n, whatever the number of lags.
    """
    scaled_values = values / np.abs(values).max(axis=-1, keepdims=True)  # 1e300 squared is infinite
    deviations = scaled_values - scaled_values.mean(axis=-1, keepdims=True)
    deviations /= np.abs(deviations).max(axis=-1, keepdims=True)
    length = fast_length(deviations.shape[-1] + most_lags)
    spectrum = np.fft.rfft(deviations, length)
    sums = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, length)[..., : most_lags + 1]
    coefficients: Values = np.clip(sums / sums[..., :1], -1.0, 1.0)
    return coefficients


@lru_cache(maxsize=256)
def fast_length(least_length: int) -> int:
    """The smallest product of twos, threes and fives from `least_length` on: a fast Fourier
    transform.

    As `scipy.fft.next_fast_len` for real values, without SciPy: no process that only serves pages
    or reads files starts with it.
    """
    products: list[int] = [
        3**power_of_three * 5**power_of_five
        for power_of_three in range(21)
        for power_of_five in range(14)
    ]
    odd_products = (product for product in products if product < 2 * least_length)
    return min(
        product << (-(-least_length // product) - 1).bit_length() for product in odd_products
    )


def integrated_time(r: Values) -> float:
    """1 + 2 (r_1 + … + r_M): how many values are worth one independent one; 1 for white noise.

    r: autocorrelations from lag 0 on. M is the least lag that is `WINDOW` times the sum so far,
    or the last one there is (Sokal 1997, Monte Carlo Methods in Statistical Mechanics, section 3;
    as dfm/emcee: src/emcee/autocorr.py).
    """
    times = 2 * np.cumsum(r) - 1
    is_long_enough = np.arange(r.size) >= WINDOW * times
    last_lag = int(is_long_enough.argmax()) if is_long_enough.any() else r.size - 1
    return float(max(times[last_lag], 1.0))
