"""Quantiles of Student's t distribution."""

from __future__ import annotations

from functools import cache


@cache
def student(probability: float, freedom: float) -> float:
    """Quantile of Student's t distribution."""
    from scipy.special import stdtrit  # noqa: PLC0415  # no process that serves pages needs it

    return float(stdtrit(freedom, probability))
