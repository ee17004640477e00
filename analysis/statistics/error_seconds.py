"""Seconds between two iterations of a series.

Traini, Di Menna & Cortellessa 2024 count the time of an iteration as whole operations that fill
a span of known length: ``ceil(span / v) · v`` for an iteration with v seconds an operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from analysis.statistics.answers import Answers, Floats, Indices

ITERATION_SECONDS: Final = 0.1
"""Length of an iteration in the published measurements."""


def elapsed_seconds(
    values: Floats, *, iteration_seconds: float | Floats = ITERATION_SECONDS
) -> Floats:
    """Seconds before each iteration and at the end: float64 (…, n + 1), beginning with 0.

    `values` in seconds an operation, float64 (…, n). Each iteration is filled with whole
    operations; its length is `iteration_seconds`, one for all or float64 (n,).
    """
    return running_seconds(_whole_operations(values, iteration_seconds))


def running_seconds(seconds: Floats) -> Floats:
    """Elapsed seconds before each iteration, from each one's seconds: (…, n) → (…, n + 1)."""
    running_total = np.zeros((*seconds.shape[:-1], seconds.shape[-1] + 1))
    np.cumsum(seconds, axis=-1, out=running_total[..., 1:])
    return running_total


def _whole_operations(values: Floats, span: float | Floats) -> Floats:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        seconds = np.ceil(span / values) * values
    # Operations too short to be counted in a float fill the span exactly, in the limit.
    return np.where(np.isfinite(seconds) & (values > 0), seconds, span)


def seconds_between(seconds_before: Floats, first: int, second: int) -> float:
    """Seconds from iteration `first` to iteration `second`, negative if that comes earlier.

    `seconds_before` is what `elapsed` gives. Raises IndexError for an iteration outside 0 to n.
    """
    for iteration in (first, second):
        if not 0 <= iteration < seconds_before.size:
            raise IndexError(f"iteration {iteration}: expected 0 to {seconds_before.size - 1}")
    return float(seconds_before[second] - seconds_before[first])


def seconds_of_errors(
    totals: Iterable[tuple[Indices, Floats]], methods: Mapping[str, Answers], truth: Answers
) -> dict[str, Floats]:
    """Signed errors in seconds by method, one a series; NaN unless both say steady, and where
    `totals` lacks the series.

    totals  series of one length n at a time: their positions (k,) and what `elapsed` gives for
            them, (k, n + 1). Walked once, so that values need not be in memory together.

    Raises IndexError for an answer outside 0 to n.
    """
    seconds_by_method = {name: np.full(truth.n, np.nan) for name in methods}
    for positions, seconds_before in totals:
        for name, answers in methods.items():
            rows = np.flatnonzero(truth.steady[positions] & answers.steady[positions])
            series_positions = positions[rows]
            truth_seconds, answer_seconds = (
                seconds_before[
                    rows, _whole_iterations(source.index[series_positions], seconds_before.shape[1])
                ]
                for source in (truth, answers)
            )
            seconds_by_method[name][series_positions] = answer_seconds - truth_seconds
    return seconds_by_method


def _whole_iterations(starts: Floats, stop: int) -> Indices:
    """`starts` without fractions; raises IndexError unless each is from 0 to `stop` - 1."""
    iterations = starts.astype(np.int64)
    if np.any((iterations < 0) | (iterations >= stop)):
        raise IndexError(f"iterations {iterations.tolist()}: expected 0 to {stop - 1}")
    return iterations
