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
    k: int, mean: float, deviation: float, previous: float | None, maximum: float, unit: float
) -> float:
    """Bits of one group of k values."""
    if k == 0:
        return 0.0
    m, a, s = maximum / unit, mean / unit, deviation / unit
    total = math.log2(k * (k + 1))
    if previous is None:
        total += math.log2(m + 1)
    else:
        p = previous / unit
        total -= math.log2((abs(a - p) + 1) / (p**2 - (p - 1) * m + m**2 / 2))
    if k == 1:
        return total
    total += math.log2((s + 1) * (s + 2)) + math.log2(1 - 1 / (m + 2))
    area = math.log(2) + (k - 1) / 2 * math.log(math.pi) - math.lgamma((k - 1) / 2)
    radius = (k - 2) * math.log(s + 1) + (k - 2) / 2 * math.log(k)
    return total + (area + radius) / math.log(2)


def bits_of_slice(piece: Values, previous: float | None, maximum: float, unit: float) -> float:
    return bits(piece.size, float(piece.mean()), float(piece.std()), previous, maximum, unit)


def bits_of_groups(values: Values, starts: list[int], unit: float) -> float:
    """Bits of the whole series in groups that begin at `starts`."""
    total, previous = 0.0, None
    for start, stop in pairwise([*starts, values.size]):
        piece = values[start:stop]
        total += bits_of_slice(piece, previous, float(values.max()), unit)
        previous = float(piece.mean())
    return total


def starts_of(values: Values, unit: float) -> list[int]:
    """The groups that the search finds: the best end for the best groups of every prefix."""
    best: list[tuple[float, list[int]]] = [(0.0, [])]
    for t in range(values.size):
        candidates = [
            (
                before
                + bits_of_slice(
                    values[i : t + 1],
                    float(values[starts[-1] : i].mean()) if starts else None,
                    float(values.max()),
                    unit,
                ),
                [*starts, i],
            )
            for i, (before, starts) in enumerate(best)
        ]
        single = candidates.pop()
        best.append(min([single, *candidates], key=lambda grouping: grouping[0]))
    return best[-1][1]


Answer = tuple[list[int], list[float], float]


def ours(values: Values, unit: float = 0.0, sbps: float = 12.0) -> Answer:
    starts, means, bits = grouped(
        as_series(values),
        unit or default_unit(values, sbps),
        float(values.max()),
        coding(values.size),
    )
    return starts.tolist(), means.tolist(), bits


def theirs(values: Values) -> Answer:
    groups = package.classify(values.tolist())
    sizes = [group.stats.size for group in groups]
    return (
        np.cumsum([0, *sizes[:-1]]).tolist(),
        [group.stats.avg for group in groups],
        groups.bits,
    )
