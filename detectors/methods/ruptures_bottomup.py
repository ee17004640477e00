"""Bottom-up segmentation of the package `ruptures`: merge small segments while it costs little.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.rules.segments import ruptures_search


class RupturesBottomUp(ruptures_search.LastSegment):
    slug, version = "ruptures-bottomup", "1"
    title = "Bottom-up segmentation (ruptures)"
    code, slot = "RU", 24
    source = Source(
        "Keogh, Chu, Hart & Pazzani 2001, An online algorithm for segmenting time series; "
        "package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.1109/ICDM.2001.989531",
        url="https://github.com/deepcharles/ruptures",
    )
    search_class = "BottomUp"
    cost = "quick"

    class Params(ruptures_search.SearchParameters):
        penalty: float = ruptures_search.penalty_parameter(400.0)
        min_size: int = ruptures_search.min_size_parameter(25)

    params: Params
