"""Cost of each method against the length of a series, as `python -m evidence.bench.growth` measured
it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

FILE: Final = Path(__file__).with_name("costs.json")


@cache
def measured_costs() -> Mapping[str, Mapping[int, float]]:
    """CPU seconds of one answer by slug and number of values: defaults, on one machine."""
    stored_costs = json.loads(FILE.read_text(encoding="utf-8"))
    return MappingProxyType(
        {slug: {int(n): s for n, s in cost.items()} for slug, cost in stored_costs.items()}
    )


def cost_ratio(slug: str, n: float, reference: float) -> float:
    """Ratio of the times of `n` and `reference` values; their quotient where unmeasured."""
    cost = measured_costs().get(slug, {})
    if len(cost) < 2 or min(n, reference) <= 0:
        return n / reference if reference > 0 else 1.0
    return interpolate_cost(cost, n) / interpolate_cost(cost, reference)


def interpolate_cost(cost: Mapping[int, float], n: float) -> float:
    """Seconds for `n` values: a power of n between two measured lengths, and beyond the last."""
    lengths = sorted(cost)
    index_above = next(
        (length_index for length_index, length in enumerate(lengths) if length >= n),
        len(lengths) - 1,
    )
    a, b = lengths[max(index_above, 1) - 1], lengths[max(index_above, 1)]
    power = max(0.0, math.log(cost[b] / cost[a]) / math.log(b / a))
    return float(cost[a] * (n / a) ** power)
