"""Rules of discrete-event simulation as their publications state them, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean, stdev, variance

from scipy import stats

from detectors.contract import NEVER, Values


def welch_means(values: Values, window: int) -> list[float]:
    """Law 2015, equation 9.5: 2 w + 1 values about each, as many as there are at the start."""
    means = []
    for i in range(values.size - window):
        half_width = min(i, window)
        means.append(fmean(values[i - half_width : i + half_width + 1].tolist()))
    return means


def crossings(values: Values) -> list[int]:
    """Gafarian, Ancker & Morisaku 1978: crossings of the mean so far, for every length."""
    counts = []
    for n in range(1, values.size + 1):
        first_values = values[:n].tolist()
        mean = fmean(first_values)
        pairs = pairwise(first_values)
        counts.append(sum(min(pair) < mean < max(pair) for pair in pairs))
    return counts


def schruben(values: Values, form: str, alpha: float, batches: int) -> tuple[float, float]:
    """(statistic, critical value) of the whole of `values`, their number a multiple of `batches`.

    Of "max-variance" and "maximum" the greater of both signs.
    """
    x = values.tolist()
    size, late_start = len(x) // batches, batches // 2
    rows = [x[begin : begin + size] for begin in range(0, len(x), size)]
    v = size * variance(fmean(row) for row in rows[late_start:])
    both_signs = (x, [-value for value in x])
    if form == "area":
        n, mean = len(x), fmean(x)
        terms = ((1 - k / n) * k * (mean - fmean(x[:k])) for k in range(1, n + 1))
        statistic = math.sqrt(45) * abs(sum(terms)) / (n**1.5 * math.sqrt(v))
        return statistic, float(stats.t.ppf(1 - alpha / 2, late_start - 1))
    if form == "maximum":
        greatest_peak = max(peak(signed_values) / (3 * v) for signed_values in both_signs)
        return greatest_peak, float(stats.f.ppf(1 - alpha / 2, 3, late_start - 1))
    ratios = []
    for sign in (1, -1):
        peaks = [peak([sign * value for value in row]) for row in rows]
        late_peak_sum = sum(peaks[late_start:])
        ratios.append(sum(peaks[:late_start]) / late_peak_sum if late_peak_sum else math.inf)
    return max(ratios), float(stats.f.ppf(1 - alpha / 2, 3 * late_start, 3 * late_start))


def peak(x: Sequence[float]) -> float:
    """S² / (n t (1 - t)) at the place t = k / n where S = k (mean so far - mean) is greatest."""
    n, mean = len(x), fmean(x)
    s = [sum(x[:k]) - k * mean for k in range(1, n)]
    k = s.index(max(s)) + 1
    return float(max(s[k - 1], 0.0) ** 2 / (n * (k / n) * (1 - k / n)))


def robinson(values: Values, least_batches: int) -> tuple[int, bool, list[bool]]:
    """Robinson 2007: (batch size, whether it passes both tests, batches in control)."""
    size = 1
    while True:
        count = len(values) // size
        means = [fmean(values[j * size : (j + 1) * size].tolist()) for j in range(count)]
        later_means = means[count // 2 :]
        passes_tests = passes_both_tests(later_means)
        if passes_tests or len(values) // (2 * size) < least_batches:
            break
        size *= 2
    centre, deviation = fmean(later_means), stdev(later_means)
    z = [(batch_mean - centre) / deviation for batch_mean in means]
    signals = set(signalling(z)) | set(signalling([-batch_mean for batch_mean in z]))
    return size, passes_tests, [j not in signals for j in range(count)]


def passes_both_tests(values: Sequence[float]) -> bool:
    """Von Neumann's test of correlation and Anderson & Darling's of normality, both 5 %."""
    n, mean = len(values), fmean(values)
    squares = sum((value - mean) ** 2 for value in values)
    steps = sum((b - a) ** 2 for a, b in pairwise(values))
    z = (1 - steps / (2 * squares)) / math.sqrt((n - 2) / (n**2 - 1))
    deviation = stdev(values)
    z_scores = sorted((value - mean) / deviation for value in values)
    logs_below = [math.log(math.erfc(-value / math.sqrt(2)) / 2) for value in z_scores]
    logs_above = [math.log(math.erfc(value / math.sqrt(2)) / 2) for value in reversed(z_scores)]
    anderson_darling = -n - fmean((2 * i + 1) * (logs_below[i] + logs_above[i]) for i in range(n))
    normal = anderson_darling * (1 + 0.75 / n + 2.25 / n**2) <= 0.752
    return bool(z <= stats.norm.ppf(0.95) and normal)


def signalling(z: Sequence[float]) -> Iterator[int]:
    """Batches of the four rules, above the mean."""
    for limit, row, least_hits in ((3, 1, 1), (2, 3, 2), (1, 5, 4), (0, 8, 8)):
        for begin in range(len(z) - row + 1):
            hit_indices = [j for j in range(begin, begin + row) if z[j] > limit]
            if len(hit_indices) >= least_hits:
                yield from hit_indices


def least_contradicted_start(flags: Sequence[bool], alarms: float) -> int:
    """The start with the fewest flags against it, one start after the other."""

    def contradictions(start: int) -> int:
        return sum(flags[:start]) + flags[start:].count(False)

    start = min(range(len(flags) + 1), key=contradictions)
    later_flags = flags[start:]
    return start if later_flags and later_flags.count(False) <= alarms * len(later_flags) else NEVER
