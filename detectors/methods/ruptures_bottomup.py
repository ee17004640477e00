"""Bottom-up segmentation of the package `ruptures`: merge small segments while it costs little.

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


class RupturesBottomUp(LastSegment):
    slug, version = "ruptures-bottomup", "1"
    title = "Bottom-up segmentation (ruptures)"
    code, slot = "RU", 24
    source = Source(
        "Keogh, Chu, Hart & Pazzani 2001, An online algorithm for segmenting time series; "
        "package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.1109/ICDM.2001.989531",
        url="https://github.com/deepcharles/ruptures",
    )
    cost = "quick"

    class Params(Parameters):
        cost: str = cost_parameter()
        penalty: float = penalty_parameter(400.0)
        min_size: int = min_size_parameter(25)
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
        search: Search = ruptures.BottomUp(
            custom_cost=cost_named(p.cost), min_size=p.min_size, jump=p.jump
        )
        return search
