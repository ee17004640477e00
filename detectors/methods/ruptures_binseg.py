"""Binary segmentation of the package `ruptures`: split where it pays most, as long as it pays.

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


class RupturesBinseg(LastSegment):
    slug, version = "ruptures-binseg", "1"
    title = "Binary segmentation (ruptures)"
    code, slot = "RB", 22
    source = Source(
        "Scott & Knott 1974, A cluster analysis method for grouping means in the analysis of "
        "variance; package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.2307/2529204",
        url="https://github.com/deepcharles/ruptures",
    )
    cost = "quick"

    class Params(Parameters):
        cost: str = cost_parameter()
        penalty: float = penalty_parameter(200.0)
        min_size: int = min_size_parameter()
        jump: int = jump_parameter(5)

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
        search: Search = ruptures.Binseg(
            custom_cost=cost_named(p.cost), min_size=p.min_size, jump=p.jump
        )
        return search
