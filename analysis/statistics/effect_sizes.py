"""Estimation errors in seconds of a method against those of a baseline, series by series.

Source: Traini, Di Menna & Cortellessa 2024, sections 4.3 and 5.2 (Tables 3 and 6); magnitudes as
in SEALABQualityGroup/steady-state, analysis scripts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.signed_ranks import average_ranks

Magnitude = Literal["negligible", "small", "medium", "large"]

ABOVE: Final[tuple[tuple[float, Magnitude], ...]] = (
    (0.56, "negligible"),
    (0.64, "small"),
    (0.71, "medium"),
)
"""From one half on: an effect below each bound. The bounds below one half are no mirror image."""

BELOW: Final[tuple[tuple[float, Magnitude], ...]] = (
    (0.44, "negligible"),
    (0.34, "small"),
    (0.29, "medium"),
)


@dataclass(frozen=True, slots=True)
class PairedErrors:
    """Errors of a method and a baseline on the series on which both have one; positive effects
    favour the method.

    statistic, p  Wilcoxon's signed ranks, two-sided, zeros dropped; 0 and 1 without a difference
    a12      share of the series on which the method's error is less; a tie counts half
    a12_all  the same over all pairs of any two series (Vargha & Delaney)
    r        matched-pairs rank-biserial correlation; None without a difference
    """

    pairs: int
    statistic: float
    p: float
    a12: float
    a12_all: float
    r: float | None

    @property
    def magnitude(self) -> Magnitude:
        return magnitude(self.a12)


def paired_errors(method: Floats, baseline: Floats) -> PairedErrors | None:
    """Sizes of errors in seconds, float64 (n,), NaN where there is none. None without a pair."""
    has_both = ~np.isnan(method) & ~np.isnan(baseline)
    method_errors, baseline_errors = np.abs(method[has_both]), np.abs(baseline[has_both])
    if not method_errors.size:
        return None
    # SciPy's statistics take long to load, and only such a pair needs them.
    from analysis.statistics.paired_tests import wilcoxon  # noqa: PLC0415

    gain = baseline_errors - method_errors
    test = wilcoxon(gain)
    return PairedErrors(
        pairs=method_errors.size,
        statistic=test.statistic or 0.0,
        p=1.0 if test.p is None else test.p,
        a12=float((gain > 0).mean() + (gain == 0).mean() / 2),
        a12_all=vargha_delaney(baseline_errors, method_errors) or 0.0,
        r=test.rank_biserial,
    )


def magnitude(a12: float) -> Magnitude:
    """The word for an effect."""
    if a12 >= 0.5:
        return next((word for bound, word in ABOVE if a12 < bound), "large")
    return next((word for bound, word in BELOW if a12 > bound), "large")


def magnitude_either_way(a12: float) -> Magnitude:
    """negligible, small, medium or large, whichever side of one half (Vargha & Delaney 2000)."""
    return magnitude(max(a12, 1 - a12))


def cliffs_delta(first: Floats, second: Floats) -> float:
    """Share of pairs in which `first` is above `second`, less those below; -1 without pairs."""
    return 2 * (vargha_delaney(first, second) or 0.0) - 1


def vargha_delaney(first: Floats, second: Floats) -> float | None:
    """A12: the chance that a value of `first` is above one of `second`; a tie counts half."""
    if not first.size or not second.size:
        return None
    ranks = average_ranks(np.r_[first, second])[: first.size]
    winning_pairs = float(ranks.sum()) - first.size * (first.size + 1) / 2
    return winning_pairs / (first.size * second.size)
