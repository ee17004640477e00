"""The front of cost and error: who is clearly more exact than everything shorter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

CLEARLY: Final = 0.15
"""A share: noise of a few per cent makes no steps in the front."""


def clear_front(costs: Sequence[float], errors: Sequence[float]) -> list[int]:
    """Places of those whose error is at least CLEARLY less than that of everything cheaper.

    The cheapest first, and always on it; of equal costs the more exact counts first.
    """
    found: list[int] = []
    least = float("inf")
    for at in sorted(range(len(costs)), key=lambda at: (costs[at], errors[at])):
        if errors[at] <= (1 - CLEARLY) * least:
            found.append(at)
        least = min(least, errors[at])
    return found
