"""Binary segmentation of the package `ruptures`: split where it pays most, as long as it pays.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

from detectors.api import Source
from detectors.rules.segments import ruptures_search


class RupturesBinseg(ruptures_search.LastSegment):
    slug, version = "ruptures-binseg", "1"
    title = "Binary segmentation (ruptures)"
    code, slot = "RB", 22
    source = Source(
        "Scott & Knott 1974, A cluster analysis method for grouping means in the analysis of "
        "variance; package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.2307/2529204",
        url="https://github.com/deepcharles/ruptures",
    )
    search_class = "Binseg"
    cost = "quick"
    longest = 150_000
