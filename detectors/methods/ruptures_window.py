"""Sliding windows of the package `ruptures`: peaks of the difference between two neighbours.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.api import Detector, Source, parameter
from detectors.rules.segments import ruptures_search


class RupturesWindow(ruptures_search.LastSegment):
    slug, version = "ruptures-window", "1"
    title = "Sliding windows (ruptures)"
    code, slot = "RW", 23
    source = Source(
        "Truong, Oudre & Vayatis 2020, Selective review of offline change point detection "
        "methods; package ruptures",
        doi="10.1016/j.sigpro.2019.107299",
        url="https://github.com/deepcharles/ruptures",
        section="5.2.1",
    )
    cost = "quick"

    class Params(Detector.Params):
        cost: str = ruptures_search.cost_parameter()
        penalty: float = ruptures_search.penalty_parameter(100.0)
        width: int = parameter(
            200,
            low=4,
            high=100_000,
            unit="iterations",
            help="Length of the window; its two halves are compared.",
        )
        min_size: int = parameter(
            100,
            low=2,
            high=100_000,
            unit="iterations",
            help="Change points are at least this far apart, or half a width if that is more.",
        )
        jump: int = ruptures_search.jump_parameter(5)

    params: Params

    @property
    def least_length(self) -> int:
        return max(self.params.width, 2 * self.params.min_size)

    def search(self) -> ruptures_search.RupturesSearch:
        import ruptures  # noqa: PLC0415  # half a second that only these methods need

        p = self.params
        search: ruptures_search.RupturesSearch = ruptures.Window(
            width=p.width,
            custom_cost=ruptures_search.cost_named(p.cost),
            min_size=p.min_size,
            jump=p.jump,
        )
        return search
