"""jumpavg as its definition says it: bits of any grouping, and the search over lists.

Sums of squares instead of running deviations, slices instead of open groups, one logarithm
with base 2 for each term: nothing is shared with the kernel but the formulas.
"""

from __future__ import annotations

import math
from itertools import pairwise

import jumpavg as package
import numpy as np

from detectors.contract import Values, as_series
from detectors.kernels.jumpavg import coding, grouped


def default_unit(values: Values, sbps: float = 12.0) -> float:
    return float(values.max()) / (2 ** (sbps + 1) - 1)


def bits(
    k: int, mean: float, deviation: float, previous_mean: float | None, maximum: float, unit: float
) -> float:
    """Bits of one group of k values."""
    if k == 0:
        return 0.0
    m, a, s = maximum / unit, mean / unit, deviation / unit
    total_bits = math.log2(k * (k + 1))
    if previous_mean is None:
        total_bits += math.log2(m + 1)
    else:
        p = previous_mean / unit
        total_bits -= math.log2((abs(a - p) + 1) / (p**2 - (p - 1) * m + m**2 / 2))
    if k == 1:
        return total_bits
    total_bits += math.log2((s + 1) * (s + 2)) + math.log2(1 - 1 / (m + 2))
    area = math.log(2) + (k - 1) / 2 * math.log(math.pi) - math.lgamma((k - 1) / 2)
    radius = (k - 2) * math.log(s + 1) + (k - 2) / 2 * math.log(k)
    return total_bits + (area + radius) / math.log(2)


def bits_of_slice(piece: Values, previous_mean: float | None, maximum: float, unit: float) -> float:
    return bits(piece.size, float(piece.mean()), float(piece.std()), previous_mean, maximum, unit)


def bits_of_groups(values: Values, starts: list[int], unit: float) -> float:
    """Bits of the whole series in groups that begin at `starts`."""
    total, previous_mean = 0.0, None
    for start, stop in pairwise([*starts, values.size]):
        piece = values[start:stop]
        total += bits_of_slice(piece, previous_mean, float(values.max()), unit)
        previous_mean = float(piece.mean())
    return total


def starts_of(values: Values, unit: float) -> list[int]:
    """The groups that the search finds: the best end for the best groups of every prefix."""
    best_groups: list[tuple[float, list[int]]] = [(0.0, [])]
    for t in range(values.size):
        candidates = [
            (
                bits_before
                + bits_of_slice(
                    values[i : t + 1],
                    float(values[starts[-1] : i].mean()) if starts else None,
                    float(values.max()),
                    unit,
                ),
                [*starts, i],
            )
            for i, (bits_before, starts) in enumerate(best_groups)
        ]
        single_group = candidates.pop()
        best_groups.append(min([single_group, *candidates], key=lambda grouping: grouping[0]))
    return best_groups[-1][1]


Answer = tuple[list[int], list[float], float]


def own_groups(values: Values, unit: float = 0.0, sbps: float = 12.0) -> Answer:
    starts, means, bits = grouped(
        as_series(values),
        unit or default_unit(values, sbps),
        float(values.max()),
        coding(values.size),
    )
    return starts.tolist(), means.tolist(), bits


def package_groups(values: Values) -> Answer:
    groups = package.classify(values.tolist())
    sizes = [group.stats.size for group in groups]
    return (
        np.cumsum([0, *sizes[:-1]]).tolist(),
        [group.stats.avg for group in groups],
        groups.bits,
    )
