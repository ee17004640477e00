"""Do successive values depend on each other? What run-sequence, lag and autocorrelation plots show.

The manual procedure of Kalibera & Jones 2013 (Rigorous benchmarking in reasonable time, ISMM):
a person looks at what remains after a cut, beside the same values in random order. The bands and
the Ljung–Box test are no part of it: it prints no test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.intervals.autocorrelation import correlations

Values = NDArray[np.float64]

FEWEST: Final = 10
"""With fewer values there is nothing to be seen."""

QUANTILE: Final = 1.96
"""Of the standard normal distribution, about 97.5 %: 95 % of white noise stays inside."""


@dataclass(frozen=True, slots=True)
class Autocorrelation:
    """Autocorrelation r_0 … r_H of n values, and what white noise would do.

    r         float64 (H + 1,), r[0] = 1; the divisor is the full sum for every lag, so |r| <= 1
    band      half width of the band that holds 95 % of the r of white noise
    bartlett  float64 (H + 1,): half width at each lag if the lags before are as they are; [0] is 0
    q, p      Ljung–Box statistic over H lags, and the chance of a larger one under white noise
    """

    n: int
    r: Values
    band: float
    bartlett: Values
    q: float
    p: float

    @property
    def lags(self) -> int:
        return self.r.size - 1

    @property
    def outside(self) -> int:
        """Number of lags, from 1 on, outside the band."""
        return int((np.abs(self.r[1:]) > self.band).sum())


def autocorrelation(values: Values, lags: int | None = None) -> Autocorrelation | None:
    """Autocorrelation of 1-D finite `values`; None where all are equal, because it is undefined.

    `lags` is H, by default `most_lags`. Raises ValueError for fewer than two values or for lags
    that they do not have.
    """
    n = values.size
    lag_count = most_lags(n) if lags is None else lags
    if n < 2 or not 1 <= lag_count < n:
        raise ValueError(f"lags must be 1 to {n - 1} for {n} values; got {lag_count}")
    if values.min() == values.max():
        return None
    r = correlations(values, lag_count)
    from scipy.special import chdtrc  # noqa: PLC0415  # as in detectors.intervals.autocorrelation

    squares = r[1:] ** 2
    running_sums = np.r_[0.0, np.cumsum(squares)[:-1]]
    q = n * (n + 2) * float((squares / (n - np.arange(1, lag_count + 1))).sum())
    return Autocorrelation(
        n=n,
        r=r,
        band=QUANTILE / math.sqrt(n),
        bartlett=np.r_[0.0, QUANTILE * np.sqrt((1 + 2 * running_sums) / n)],
        q=q,
        p=float(chdtrc(lag_count, q)),
    )


def most_lags(n: int) -> int:
    """Number of lags drawn for n values by default: 10·log10(n), and fewer than n."""
    return min(int(10 * math.log10(n)), n - 1) if n > 1 else 0


def lag_pairs(values: Values, lag: int) -> tuple[Values, Values]:
    """(values `lag` earlier, values), each of n - lag. Raises ValueError for a lag they lack."""
    if not 1 <= lag < values.size:
        raise ValueError(f"lag must be 1 to {values.size - 1} for {values.size} values; got {lag}")
    return values[:-lag], values[lag:]


def shuffle_values(values: Values, seed: int) -> Values:
    """Shuffle the values; a seed always gives one order."""
    return np.random.Generator(np.random.PCG64(seed)).permutation(values)
