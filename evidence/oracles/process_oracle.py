"""Methods of the process industry as package `indsl` computes them, one value after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, variance

from detectors.contract import Values


def filtered_ratios(values: Values, a1: float, a2: float, a3: float) -> list[float]:
    """Ratios of `ssid`, of the values behind those that start the filters and one left out."""
    x = values.tolist()
    begin = min(int(len(x) * 0.05), 50)
    mean, first = fmean(x[:begin]), variance(x[:begin])
    squares, step_squares, previous_value = first, first, x[begin - 1]
    ratios = []
    for value in x[begin + 1 :]:
        squares = a2 * (value - mean) ** 2 + (1 - a2) * squares
        step_squares = a3 * (value - previous_value) ** 2 + (1 - a3) * step_squares
        mean, previous_value = a1 * value + (1 - a1) * mean, value
        ratios.append((2 - a1) * squares / step_squares)
    return ratios


def variable_average_by_definition(values: Values, window: int) -> list[float]:
    """The average of `vma`; the first two values must differ."""
    x, k = values.tolist(), 1 / window
    steps = [0.0] + [b - a for a, b in pairwise(x)]
    ups = smooth_values([max(step, 0) for step in steps], k)
    downs = smooth_values([max(-step, 0) for step in steps], k)
    smooth_ups = smooth_values(
        [share_of_total(a, a + b) for a, b in zip(ups, downs, strict=True)], k
    )
    down = smooth_values([share_of_total(b, a + b) for a, b in zip(ups, downs, strict=True)], k)
    strength = smooth_values(
        [share_of_total(abs(a - b), a + b) for a, b in zip(smooth_ups, down, strict=True)], k
    )
    average = [0.0]
    for i in range(1, len(x)):
        recent_strengths = strength[max(i - window + 1, 0) : i + 1]
        weight = k * share_of_total(
            strength[i] - min(recent_strengths), max(recent_strengths) - min(recent_strengths)
        )
        average.append((1 - weight) * average[-1] + weight * x[i])
    return average


def smooth_values(x: Sequence[float], k: float) -> list[float]:
    """Smooth from 0 on, whatever the first value is."""
    smoothed_values = [0.0]
    for value in x[1:]:
        smoothed_values.append((1 - k) * smoothed_values[-1] + k * value)
    return smoothed_values


def share_of_total(amount: float, total: float) -> float:
    return amount / total if total else 0.0


def change_points(values: Values, least_length: int) -> list[int]:
    """Haynes et al. 2017 without pruning: the parting with the least cost, by every last segment.

    The cost is 2 c / k times the log-likelihoods of the empirical distribution at k quantiles.
    """
    x = values.tolist()
    n, sorted_values = len(x), sorted(x)
    k = min(n, math.ceil(4 * math.log(n)))
    shares = [1 / (1 + (2 * n - 1) ** (1 - (2 * i + 1) / k)) for i in range(k)]
    bounds = [sorted_values[int((n - 1) * share)] for share in shares]

    def cost(start: int, stop: int) -> float:
        total, length = 0.0, stop - start
        for bound in bounds:
            share = sum((y < bound) + (y == bound) / 2 for y in x[start:stop]) / length
            if 0 < share < 1:
                total += share * math.log(share) + (1 - share) * math.log(1 - share)
        return -2 * math.log(2 * n - 1) / k * length * total

    best_groups: dict[int, tuple[float, list[int]]] = {0: (-3 * math.log(n), [])}
    for stop in range(least_length, n + 1):
        starts = [start for start in best_groups if start <= stop - least_length]
        cost_by_start = {
            start: best_groups[start][0] + cost(start, stop) + 3 * math.log(n) for start in starts
        }
        start = min(cost_by_start, key=cost_by_start.__getitem__)
        best_groups[stop] = cost_by_start[start], [*best_groups[start][1], start]
    return best_groups[n][1][1:]
