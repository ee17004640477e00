"""Nemenyi's test, in a module of its own because SciPy's statistics take seconds to load."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from analysis.statistics.answers import Floats


def nemenyi(ranks: Floats) -> Floats:
    """p of every pair of methods, (m, m), from their ranks on each series (column)."""
    # scikit-posthocs brings pandas and drawing libraries: seconds that only those pay who ask.
    from scikit_posthocs import posthoc_nemenyi_friedman  # noqa: PLC0415

    p_values: Floats = posthoc_nemenyi_friedman(ranks.T).to_numpy()
    return p_values


def critical_difference(methods: int, series: int, alpha: float) -> float:
    """Nemenyi's: average ranks at least this far apart differ at `alpha` (Demšar 2006)."""
    quantile = float(stats.studentized_range.ppf(1 - alpha, methods, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(methods * (methods + 1) / (6 * series))
