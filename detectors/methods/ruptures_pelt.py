"""PELT of the package `ruptures`: the best segmentation for a penalty, its last change point.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.contract import Parameters, Source
from detectors.segments import (
    LastSegment,
    Search,
    cost_named,
    cost_parameter,
    jump_parameter,
    min_size_parameter,
    penalty_parameter,
)


class RupturesPelt(LastSegment):
    slug, version = "ruptures-pelt", "1"
    title = "PELT (ruptures)"
    code, slot = "RP", 18
    source = Source(
        "Killick, Fearnhead & Eckley 2012, Optimal detection of changepoints with a linear "
        "computational cost; package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.1080/01621459.2012.737745",
        url="https://github.com/deepcharles/ruptures",
    )
    cost = "slow"

    class Params(Parameters):
        cost: str = cost_parameter()
        penalty: float = penalty_parameter(200.0)
        min_size: int = min_size_parameter()
        jump: int = jump_parameter(20)

    params: Params

    @property
    def needed(self) -> int:
        return 2 * self.params.min_size

    @property
    def penalty(self) -> float:
        return self.params.penalty

    def search(self) -> Search:
        import ruptures  # noqa: PLC0415  # half a second that only these methods need

        p = self.params
        search: Search = ruptures.Pelt(
            custom_cost=cost_named(p.cost), min_size=p.min_size, jump=p.jump
        )
        return search
