"""Robinson's control chart: steady from where batch means are in control.

The second half gives mean and deviation of a control chart, in batches long enough to be normal
and independent. The initial transient is what signals at the beginning.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.arrays.special_functions import missing_scipy, scipy_special
from detectors.rules.starts.steady_flags import Flags, alarms_parameter, first_steady

RULES: Final = ((3, 1, 1), (2, 3, 2), (1, 5, 4), (0, 8, 8))
"""(deviations, batches in a row, so many of them beyond): one out of control, on either side."""
QUANTILE: Final = 1.6448536269514722  # of the normal distribution: 95 %
ANDERSON_DARLING: Final = 0.752  # 5 %, mean and variance estimated (D'Agostino & Stephens 1986)


class Spc(Detector):
    slug, version = "spc", "1"
    title = "SPC, Robinson's control chart"
    code, slot = "SPC", 62
    source = Source(
        "Robinson 2007, A statistical process control approach to selecting a warm-up period for a "
        "discrete-event simulation, European Journal of Operational Research 176(1)",
        doi="10.1016/j.ejor.2005.07.014",
    )
    family = "Simulation"
    rates = "free"

    class Params(Detector.Params):
        batches: int = parameter(
            20, low=16, high=100_000, help="At least so many batches are on the chart."
        )
        alarms: float = alarms_parameter(0.25)

    params: Params

    @classmethod
    def missing(cls) -> str:
        return missing_scipy()

    @property
    def least_length(self) -> int:
        return self.params.batches

    def detect(self, values: Values, context: Context) -> Detection:
        size, deviations = self.chart(values)
        flags = () if size > 0 else ("untested",)
        start = first_steady(~signal_batches(deviations), self.params.alarms)
        if start > deviations.size // 2:
            start = NEVER
        steady_start = start if start == NEVER else start * abs(size)
        return Detection(steady_start, published_index=steady_start, flags=flags)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        size, deviations = self.chart(values)
        batch_starts = np.arange(deviations.size, dtype=np.int64) * abs(size)
        chart = draw.Curve(
            deviations,
            label="batch means, in deviations from the mean of the second half",
            x=batch_starts,
            threshold=3.0,
            shape="steps",
            meaning="Out of control beyond 3 to either side; two of three beyond 2, four of five "
            "beyond 1, or eight in a row on one side are as well.",
        )
        signals = draw.Bands(
            flagged_stretches(signal_batches(deviations), abs(size)),
            label="out of control",
            meaning="Batches that signal. The steady state begins where they end.",
        )
        figures = draw.Figures(
            (("batch", abs(size), "iterations"),),
            label="control chart",
            meaning="So many iterations make a point, so that points hardly depend on one another.",
        )
        return chart, signals, figures

    def chart(self, values: Values) -> tuple[int, Values]:
        """(batch size, below 0 if no size passes the tests; deviations of the batch means)."""
        x, _ = scaled_to_range(values)
        y, size = x - x[-1], 1
        while True:
            means = batch_means(y, size)
            later_means = means[means.size // 2 :]
            # von Neumann's ratio, as Fishman 1978 tests batch means: 5 %
            squares = np.square(later_means - later_means.mean()).sum()
            step_squares = np.square(np.diff(later_means)).sum()
            bound = QUANTILE * np.sqrt((later_means.size - 2) / (later_means.size**2 - 1))
            is_random = squares - step_squares / 2 <= bound * squares
            passes_tests = bool(is_random) and is_normal(later_means)
            if passes_tests or values.size // (2 * size) < self.params.batches:
                return size if passes_tests else -size, standardised_means(means, later_means)
            size *= 2


def batch_means(values: Values, size: int) -> Values:
    """Means of consecutive batches; values that fill none at the end are left out."""
    means: Values = values[: values.size // size * size].reshape(-1, size).mean(axis=1)
    return means


def standardised_means(means: Values, later_means: Values) -> Values:
    """Distances from the mean of `later_means` in its sample deviations; infinite where that is
    0.
    """
    deviations, deviation = means - later_means.mean(), later_means.std(ddof=1)
    if deviation == 0:
        return np.where(deviations == 0, 0.0, np.copysign(np.inf, deviations))
    return np.asarray(deviations / deviation)


def is_normal(x: Values) -> bool:
    """Anderson and Darling's test, 5 %, mean and variance estimated; equal values pass."""
    log_ndtr = scipy_special().log_ndtr
    deviation = x.std(ddof=1)
    if deviation == 0:
        return True
    z = np.sort((x - x.mean()) / deviation)
    n, odd_numbers = x.size, 2 * np.arange(1, x.size + 1) - 1
    anderson_darling = -n - (odd_numbers * (log_ndtr(z) + log_ndtr(-z[::-1]))).sum() / n
    return bool(anderson_darling * (1 + 0.75 / n + 2.25 / n**2) <= ANDERSON_DARLING)


def signal_batches(deviations: Values) -> Flags:
    """Batches that take part in a signal of `RULES`."""
    is_signal = np.zeros(deviations.size, np.bool_)
    for beyond_limit, row, least_count in RULES:
        for one_sided in (deviations, -deviations):
            is_signal |= crowded_hits(one_sided > beyond_limit, row, least_count)
    return is_signal


def crowded_hits(is_beyond: Flags, row: int, least_count: int) -> Flags:
    """Hits that lie among `row` neighbours of which at least `least_count` are hits."""
    rows = sliding_window_view(np.pad(is_beyond, row - 1), row)
    is_full = rows.sum(axis=1) >= least_count
    return is_beyond & sliding_window_view(is_full, row).any(axis=1)


def flagged_stretches(flags: Flags, size: int) -> tuple[tuple[int, int], ...]:
    """Stretches of iterations whose batches, `size` long, have the flag without a gap."""
    edges = np.flatnonzero(np.diff(np.pad(flags, 1).astype(np.int8))) * size
    return tuple((int(a), int(b)) for a, b in edges.reshape(-1, 2))
