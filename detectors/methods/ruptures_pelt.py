"""PELT of the package `ruptures`: the best segmentation for a penalty, its last change point.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.contract import Parameters, Source
from detectors.rules.ruptures_search import (
    CostSearch,
    cost_parameter,
    jump_parameter,
    min_size_parameter,
    penalty_parameter,
)


class RupturesPelt(CostSearch):
    slug, version = "ruptures-pelt", "1"
    title = "PELT (ruptures)"
    code, slot = "RP", 18
    source = Source(
        "Killick, Fearnhead & Eckley 2012, Optimal detection of changepoints with a linear "
        "computational cost; package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.1080/01621459.2012.737745",
        url="https://github.com/deepcharles/ruptures",
    )
    searcher = "Pelt"
    cost = "slow"
    longest = 20_000

    class Params(Parameters):
        cost: str = cost_parameter()
        penalty: float = penalty_parameter(200.0)
        min_size: int = min_size_parameter()
        jump: int = jump_parameter(20)

    params: Params
