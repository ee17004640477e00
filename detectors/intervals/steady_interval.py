"""Interval of the steady mean of a series whose neighbouring values depend on one another.

Values of one process are rarely independent: the interval of a mean that treats them so is too
narrow, often by half. Three estimates of the error of a mean take the dependence into account.
`docs/design/intervals.md` prints how often the interval of each holds the true mean; the default
is the one that keeps its promise on most kinds of noise. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from detectors.arrays.safe_range import scaled_to_range
from detectors.contract import Values
from detectors.intervals.autocorrelation import correlations
from detectors.intervals.quantiles import student_quantile

Indices = NDArray[np.int64]
IntervalMethod = Literal["batch-means", "subsessions", "initial-sequence"]
INTERVAL_METHODS: Final[tuple[IntervalMethod, ...]] = (
    "batch-means",
    "subsessions",
    "initial-sequence",
)
DEFAULT_INTERVAL: Final[IntervalMethod] = "batch-means"
CONFIDENCE: Final = 0.95
PRECISION: Final = 0.01
"""`enough` asks for an interval of the mean of at most ± this share of it."""

BATCHES: Final = 10
DEPENDENT: Final = 0.9  # the largest correlation of neighbouring batches that is corrected for
LEAST_EFFECTIVE: Final = 30
"""No interval is given of values that are worth fewer independent ones than this."""

LEAST_PERCENT: Final = 0.0001  # the finest precision that is printed

LONGER: Final = 1.05
"""Lengths of a measurement at which its interval is looked at rise by this factor."""

MERGED_AT: Final = 0.1  # subsessions are merged until their correlation is at most this


class MeanError(NamedTuple):
    """Variance of a mean, and the degrees of freedom that it was estimated with."""

    squared: float
    freedom: float


@dataclass(frozen=True, slots=True)
class SteadyInterval:
    """The mean of values that may depend on one another, and how well it is known.

    Attributes:
        n: Values.
        mean: Of all of them, in their unit.
        half: Half of the interval of the mean, in their unit; None where it is unknown: fewer than
            two values, all alike, or worth fewer than `LEAST_EFFECTIVE` independent ones.
        freedom: Degrees of freedom of Student's t behind it; None without it.
        time: Integrated autocorrelation time: so many values are worth one independent one; 1 for
            independent ones, less where neighbours make up for one another. None of fewer than two
            values, and of values that are all alike.
        confidence: Of the interval.
        method: How the error was estimated.
    """

    n: int
    mean: float
    half: float | None
    freedom: float | None
    time: float | None
    confidence: float = CONFIDENCE
    method: IntervalMethod = DEFAULT_INTERVAL

    @property
    def low(self) -> float | None:
        return None if self.half is None else self.mean - self.half

    @property
    def high(self) -> float | None:
        return None if self.half is None else self.mean + self.half

    @property
    def effective(self) -> float | None:
        """Effective sample size: so many independent values would tell as much."""
        return None if self.time is None else self.n / self.time

    @property
    def share(self) -> float | None:
        """Half of the interval as a share of the mean; None also where the mean is 0."""
        return None if self.half is None or self.mean == 0 else self.half / abs(self.mean)

    @property
    def precision_words(self) -> str:
        """Half of the interval as a share of the mean in words; empty where unknown."""
        return "" if self.share is None else precision_words(self.share)

    @property
    def is_too_dependent(self) -> bool:
        """True where there is no interval because the values are worth too few independent ones."""
        return self.half is None and self.effective is not None

    def required(self, precision: float = PRECISION) -> int | None:
        """Values that an interval of ± `precision` of the mean takes, at most, from those seen."""
        if self.share is None:
            return None
        required_n = self.n * (self.share / precision) ** 2
        return math.ceil(required_n) if math.isfinite(required_n) else None

    def enough(self, precision: float = PRECISION) -> bool | None:
        """True where the mean is known to ± `precision` of it; None where that is unknown."""
        return None if self.share is None else self.share <= precision


def steady_interval(
    values: Values, *, confidence: float = CONFIDENCE, method: IntervalMethod = DEFAULT_INTERVAL
) -> SteadyInterval:
    """The mean of `values`, float64 (n,), n >= 1, finite, and its interval.

    All of them are taken to be steady: cut the warm-up off first.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence:g}: expected more than 0 and less than 1")
    scaled_values, exponent = scaled_to_range(values)
    error = mean_error(scaled_values, method)
    time = None if error is None else integrated_time(scaled_values)
    with np.errstate(over="ignore", under="ignore"):
        mean = float(np.ldexp(scaled_values.mean(), exponent))
        if error is None or time is None or values.size < LEAST_EFFECTIVE * time:
            return SteadyInterval(values.size, mean, None, None, time, confidence, method)
        quantile = student_quantile((1 + confidence) / 2, error.freedom)
        half_width = float(np.ldexp(quantile * math.sqrt(error.squared), exponent))
    return SteadyInterval(values.size, mean, half_width, error.freedom, time, confidence, method)


def precision_words(share: float) -> str:
    """`±0.072 %`, `±13 %`: how well the mean of measured values is known."""
    percent = max(100 * share, LEAST_PERCENT)
    return f"±{percent:.2g} %" if percent < 9.95 else f"±{percent:,.0f} %"


def mean_error(values: Values, method: IntervalMethod = DEFAULT_INTERVAL) -> MeanError | None:
    """The error of the mean of `values`; None of one value, and of values that are all alike."""
    if values.size < 2 or values.min() == values.max():
        return None
    return _ERRORS[method](values)


def fork_half_width(means: Sequence[float], confidence: float = CONFIDENCE) -> float:
    """Half of the interval of the mean of the steady means of two or more forks, in their unit.

    From how they differ: that holds what iterations leave open, too.
    """
    scaled_values, exponent = scaled_to_range(np.asarray(means, np.float64))
    error = math.sqrt(float(scaled_values.var(ddof=1)) / scaled_values.size)
    return math.ldexp(
        student_quantile((1 + confidence) / 2, scaled_values.size - 1) * error, exponent
    )


def pooled_half_widths(halves: Values, forks: Indices) -> Values:
    """Halves of 95 % intervals that share one variance between forks; NaN stays NaN.

    halves, forks: (n,) of results by `fork_half_width`, and of how many forks each; of a single
    fork half is given back. Two forks alone tell little of how forks differ: their t is 12.7.
    """
    has_several = (forks > 1) & ~np.isnan(halves)
    if not has_several.any():
        return halves
    count = forks[has_several].astype(np.float64)
    level = (1 + CONFIDENCE) / 2
    lone_quantiles = np.array(
        [student_quantile(level, fork_count - 1) for fork_count in count.tolist()]
    )
    variances = (halves[has_several] / lone_quantiles) ** 2 * count
    freedom = float((count - 1).sum())
    pooled = float(((count - 1) * variances).sum()) / freedom
    pooled_halves = halves.copy()
    pooled_halves[has_several] = student_quantile(level, freedom) * np.sqrt(pooled / count)
    return pooled_halves


def span_precisions(
    values: Values, start: Indices, stop: Indices, confidence: float = CONFIDENCE
) -> Values:
    """Half of the interval of the mean of values[start:stop], a share of it, of many spans.

    By batch means, as `steady_interval` says it of one, however few independent values a span is
    worth: a rule that ends a measurement by its width has to look at short ones. start, stop:
    int64 (spans,), each within the series. float64 (spans,): NaN of fewer values than batches,
    and where the mean is 0.
    """
    return precisions_of_sums(running_sums(values), start, stop, confidence)


def running_sums(values: Values) -> Values:
    """Sums of the values before each, and of all: float64 (n + 1,); scaled by a power of two."""
    sums = np.zeros(values.size + 1)
    np.cumsum(scaled_to_range(values)[0], out=sums[1:])
    return sums


def precisions_of_sums(
    total: Values, start: Indices, stop: Indices, confidence: float = CONFIDENCE
) -> Values:
    """`span_precisions` of `running_sums`.

    Those of several series may follow one another, with start and stop as places in all of them.
    """
    size = (stop - start) // BATCHES
    edges = stop[:, np.newaxis] - size[:, np.newaxis] * np.arange(BATCHES, -1, -1)
    batch_sizes = np.maximum(size, 1)[:, np.newaxis]
    means = np.diff(total[edges], axis=1) / batch_sizes
    level = (total[stop] - total[start]) / np.maximum(stop - start, 1)
    deviations = means - means.mean(axis=1, keepdims=True)
    squares = (deviations * deviations).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (deviations[:, 1:] * deviations[:, :-1]).sum(axis=1) / squares + 1 / BATCHES
        widening_factor = (1 + np.clip(r, 0, DEPENDENT)) / (1 - np.clip(r, 0, DEPENDENT))
        squared_error = squares / (BATCHES - 1) * widening_factor * size / (stop - start)
        half_widths = student_quantile((1 + confidence) / 2, BATCHES - 1) * np.sqrt(squared_error)
        return np.where((size > 0) & (squares > 0), half_widths / np.abs(level), np.nan)


def measurement_ends(values: Values, start: Indices, precision: float, least_count: int) -> Indices:
    """Ends of measurements that last until their 95 % interval is at most ± `precision`.

    start: int64 (spans,). At least `least_count` iterations are measured, and to the end of the
    series where the interval never is so narrow. That of values that are all alike is.
    """
    lengths = rising_numbers(least_count, values.size, LONGER)
    stops = np.minimum(start[:, np.newaxis] + lengths, values.size)
    begins = np.broadcast_to(start[:, np.newaxis], stops.shape)
    span_precision = span_precisions(values, begins.ravel(), stops.ravel()).reshape(stops.shape)
    is_narrow = (span_precision <= precision) | (
        np.isnan(span_precision) & (stops - begins >= BATCHES)
    )
    last = np.where(is_narrow.any(axis=1), is_narrow.argmax(axis=1), lengths.size - 1)
    ends: Indices = stops[np.arange(start.size), last]
    return ends


def rising_numbers(first: int, last: int, factor: float) -> Indices:
    """Whole numbers from `first` that rise by a factor, to `last`, which is the last of them."""
    count = max(int(np.log(max(last, first) / first) / np.log(factor)), 0) + 2
    numbers: Indices = np.unique(
        np.minimum(first * factor ** np.arange(count), last).astype(np.int64)
    )
    return numbers


def integrated_time(values: Values) -> float:
    """Integrated autocorrelation time of values that are not all alike.

    Correlations are summed in pairs of lags while the sum of a pair is above zero, and no pair
    counts more than the one before it (Geyer 1992, Practical Markov chain Monte Carlo, section
    3.3). At least 1 / log10 n, as arviz-devs/arviz: arviz/stats/diagnostics.py.
    """
    n = values.size
    if n < 4:
        return 1.0
    lags = n // 2 * 2
    pairs = correlations(values, lags - 1)[:lags].reshape(-1, 2).sum(axis=1)
    is_below = pairs <= 0
    positive_pairs = pairs[: int(is_below.argmax())] if is_below.any() else pairs
    time = (
        2 * float(np.minimum.accumulate(positive_pairs).sum()) - 1 if positive_pairs.size else 0.0
    )
    return max(time, 1 / math.log10(n))


def _batch_means(values: Values) -> MeanError:
    """Error by ten consecutive batches, and what neighbouring batches still have in common.

    The correlation of neighbours, less the bias that it has in so few, enters as in a first-order
    autoregression (Tafazzoli, Steiger & Wilson 2011, N-Skart, sections 2 and 3; their correction
    for skewness changes nothing here).
    """
    batch_deviations, size = _batch_deviations(values)
    squares, batches = float(batch_deviations @ batch_deviations), batch_deviations.size
    if squares == 0:
        return MeanError(0.0, batches - 1)
    correlation = float(batch_deviations[1:] @ batch_deviations[:-1]) / squares + 1 / batches
    r = min(max(correlation, 0.0), DEPENDENT)
    variance = squares / (batches - 1) * size * (1 + r) / (1 - r)
    return MeanError(variance / values.size, batches - 1)


def long_run_variance(values: Values) -> float:
    """Variance of the mean of many consecutive values, times their number; at least two values.

    That of independent values is their variance. By batch means, not corrected: with ten batches
    of one series it has nine degrees of freedom, and is averaged over forks.
    """
    batch_deviations, size = _batch_deviations(values)
    return float(batch_deviations @ batch_deviations) / (batch_deviations.size - 1) * size


def _batch_deviations(values: Values) -> tuple[Values, int]:
    """Means of consecutive batches, less their mean; values in a batch.

    What fills no batch at the start is left.
    """
    batches = min(BATCHES, values.size)
    size = values.size // batches
    means = values[values.size - batches * size :].reshape(batches, size).mean(axis=1)
    return means - means.mean(), size


def _subsessions(values: Values) -> MeanError:
    """Error by subsessions: neighbours are merged until their means hardly depend on one another.

    Their number is halved each time (Ferrari 1978, Computer Systems Performance Evaluation;
    Li, Gupta, Miller & Long 2016, Pilot, section 4.3), and four are left at the least.
    """
    size = 1
    while True:
        means = values[values.size % size :].reshape(-1, size).mean(axis=1)
        deviations = means - means.mean()
        squares = float(deviations @ deviations)
        are_related = (
            squares > 0 and abs(float(deviations[1:] @ deviations[:-1])) > MERGED_AT * squares
        )
        if not are_related or means.size < 8:
            return MeanError(squares / (means.size - 1) / means.size, means.size - 1)
        size *= 2


def _initial_sequence(values: Values) -> MeanError:
    """Error by the integrated autocorrelation time, as if there were n / time independent
    values.
    """
    independent_count = max(values.size / integrated_time(values), 2.0)
    return MeanError(float(values.var()) / (independent_count - 1), independent_count - 1)


_ERRORS: Final = {
    "batch-means": _batch_means,
    "subsessions": _subsessions,
    "initial-sequence": _initial_sequence,
}
