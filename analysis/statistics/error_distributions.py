"""Distributions of errors for drawing: the ECDF of |error| and quantiles of signed errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.statistics.answers import Answers, Bools, Number, as_integer, errors

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Ecdf:
    """Steps of a distribution function: `shares[i]` of the n series err by at most `sizes[i]`.

    n counts every series that the yardstick calls steady, so that missed and unanswered ones
    keep the curve below 1.
    """

    sizes: tuple[Number, ...]
    shares: tuple[float, ...]
    n: int

    def share_within(self, size: float) -> float:
        """Share of series whose error is at most `size` iterations."""
        step_count = int(np.searchsorted(self.sizes, size, side="right"))
        return self.shares[step_count - 1] if step_count else 0.0


def ecdf(answers: Answers, truth: Answers, mask: Bools | None = None) -> Ecdf:
    """The ECDF of |predicted - truth|, on `mask` (a mask) or all series."""
    is_counted = truth.steady if mask is None else truth.steady & mask
    abs_errors = np.abs(errors(answers, truth)[is_counted])
    sizes, counts = np.unique(abs_errors[np.isfinite(abs_errors)], return_counts=True)
    shares = np.cumsum(counts) / max(abs_errors.size, 1)
    return Ecdf(tuple(as_integer(size) for size in sizes), tuple(shares.tolist()), abs_errors.size)


@dataclass(frozen=True, slots=True)
class ErrorQuantiles:
    """Quantiles of the signed error, predicted - truth, by linear interpolation."""

    n: int
    q05: float | None
    q25: float | None
    q50: float | None
    q75: float | None
    q95: float | None


def error_quantiles(answers: Answers, truth: Answers, mask: Bools | None = None) -> ErrorQuantiles:
    """Quantiles over the series, of `mask` if given, on which both say steady."""
    delta = errors(answers, truth)
    delta = delta[np.isfinite(delta) & (True if mask is None else mask)]
    if not delta.size:
        return ErrorQuantiles(0, None, None, None, None, None)
    return ErrorQuantiles(delta.size, *np.quantile(delta, QUANTILES).tolist())
