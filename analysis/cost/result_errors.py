"""Errors of results: of each method, and of a test that begins where the yardstick says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.cost.table import BenchmarkCost, ComparisonCosts
from analysis.statistics.multiple_comparisons import LEAST_SERIES

LEAST_ERROR: Final = 1e-4  # least difference of errors that counts as clearly less


@dataclass(frozen=True, slots=True)
class ResultError:
    """Median deviation of results from those of the steady state, a share, over benchmarks.

    series  measured, of these benchmarks
    """

    series: int
    error: float

    @property
    def is_reliable(self) -> bool:
        """True if the error rests on enough series to be called less than another."""
        return self.series >= LEAST_SERIES

    def is_clearly_less(self, other_error: ResultError, margin: float) -> bool:
        """True if the error is less by at least the share `margin` of the second error."""
        return max(self.error, LEAST_ERROR) <= (1 - margin) * max(other_error.error, LEAST_ERROR)


def result_error(rows: Sequence[BenchmarkCost]) -> ResultError | None:
    """The error of one method over its benchmarks; None where no result can be judged."""
    judged_results = [
        (row.measured, row.interval.deviation) for row in rows if row.interval is not None
    ]
    if not judged_results:
        return None
    series_counts, errors = zip(*judged_results, strict=True)
    return ResultError(sum(series_counts), float(np.median(errors)))


def method_errors(costs: ComparisonCosts) -> list[ResultError]:
    """Errors of all methods of which results can be judged."""
    errors = (result_error(costs.benchmark_costs[name]) for name in costs.methods)
    return [error for error in errors if error is not None]
