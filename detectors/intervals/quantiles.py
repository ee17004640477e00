"""Quantiles of Student's t and of the chi-squared distribution, without SciPy.

Equal to `scipy.special.stdtrit` and `chdtri` to eleven digits. An installation of the library
brings NumPy alone.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
SAME: Final = 1e-14  # relative change of a quantile at which Newton's method has arrived
MOST_STEPS: Final = 200
KEPT: Final = 4096  # quantiles in memory; degrees of freedom of unequal variances are seldom equal
STIRLING: Final = (-1 / 8, 1 / 192, -1 / 640, 17 / 14336)  # of ln Γ(a+½)/Γ(a), by 1/a, 1/a³ …


@lru_cache(maxsize=KEPT)
def student_quantile(probability: float, freedom: float) -> float:
    """Quantile of Student's t distribution, by Newton's method on its angle.

    With t = √ν tan φ the density is proportional to cos^(ν-1) φ, which has no long tail.

    Args:
        probability: Above 0 and below 1.
        freedom: Degrees of freedom ν, at least 1; need not be whole.
    """
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    constant = math.exp(_log_gamma_ratio(freedom / 2)) / math.sqrt(math.pi)
    angle = math.atan(NormalDist().inv_cdf(probability) / math.sqrt(freedom))
    for _step in range(MOST_STEPS):
        sines = np.sin(np.append(angle * (NODES + 1) / 2, angle))
        density = constant * np.exp((freedom - 1) / 2 * np.log1p(-sines * sines))
        area = angle / 2 * float(WEIGHTS @ density[:-1])
        change = min((probability - 0.5 - area) / float(density[-1]), (math.pi / 2 - angle) / 2)
        angle += change
        if abs(change) <= SAME * angle:
            break
    return math.sqrt(freedom) * math.tan(angle)


def _log_gamma_ratio(argument: float) -> float:
    """ln Γ(a + ½) - ln Γ(a), without the difference of two large numbers."""
    if argument < 20:
        return math.lgamma(argument + 0.5) - math.lgamma(argument)
    powers = (argument ** -(2 * order + 1) for order in range(len(STIRLING)))
    return math.log(argument) / 2 + math.fsum(map(float.__mul__, STIRLING, powers))


@lru_cache(maxsize=KEPT)
def chi_squared_quantile(tail: float, freedom: float) -> float:
    """Value that a chi-squared variable exceeds with probability `tail`, by bisection.

    Begins below the bound of Laurent and Massart (2000, lemma 1).

    Args:
        tail: Above 0 and below 1.
        freedom: Degrees of freedom, above 0.
    """
    nats = -math.log(tail)
    low, high = 0.0, freedom + 2 * math.sqrt(freedom * nats) + 2 * nats
    for _step in range(MOST_STEPS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if _chi_squared_tail(middle, freedom) > tail else (low, middle)
    return middle


def _chi_squared_tail(value: float, freedom: float) -> float:
    """1 - P(ν/2, x/2), by the series of the incomplete gamma function."""
    if value == 0:
        return 1.0
    shape, half_value = freedom / 2, value / 2
    term = total = math.exp(shape * math.log(half_value) - half_value - math.lgamma(shape + 1))
    while term > total * 1e-17:
        shape += 1
        term *= half_value / shape
        total += term
    return 1 - total
