"""PELT of the package `ruptures`: the best segmentation for a penalty, its last change point.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.rules.segments import ruptures_search


class RupturesPelt(ruptures_search.LastSegment):
    slug, version = "ruptures-pelt", "1"
    title = "PELT (ruptures)"
    code, slot = "RP", 18
    source = Source(
        "Killick, Fearnhead & Eckley 2012, Optimal detection of changepoints with a linear "
        "computational cost; package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.1080/01621459.2012.737745",
        url="https://github.com/deepcharles/ruptures",
    )
    search_class = "Pelt"
    cost = "slow"
    longest = 20_000

    class Params(ruptures_search.SearchParameters):
        jump: int = ruptures_search.jump_parameter(20)

    params: Params
