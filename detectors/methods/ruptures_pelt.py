"""PELT of the package `ruptures`: the best segmentation for a penalty, its last change point.

No publication reads a steady state from it. Plateau's reading: the last segment is the steady
state. Nothing in the search can say that a series is never steady.
"""

from __future__ import annotations

import math
import warnings

from detectors.contract import (
    Context,
    Detection,
    Detector,
    Evidence,
    Parameters,
    Source,
    TooShort,
    Values,
    parameter,
)
from detectors.segments import after_the_last, in_units_of_noise, segments_as_evidence


class RupturesPelt(Detector):
    slug, version = "ruptures-pelt", "1"
    title = "PELT (ruptures)"
    code, slot = "RP", 18
    source = Source(
        "Killick, Fearnhead & Eckley 2012, Optimal detection of changepoints with a linear "
        "computational cost; package ruptures (Truong, Oudre & Vayatis 2020)",
        doi="10.1080/01621459.2012.737745",
        url="https://github.com/deepcharles/ruptures",
    )
    family = "Change points"
    cost = "slow"

    class Params(Parameters):
        cost: str = parameter(
            "normal",
            choices=("normal", "l2", "l1"),
            help="What changes: mean and variance (normal), mean (l2), median (l1).",
        )
        penalty: float = parameter(
            200.0,
            low=0.01,
            high=1e6,
            unit="ln n",
            help="Price of a change point; larger means fewer. Values are in units of their noise.",
        )
        min_size: int = parameter(
            100, low=2, high=100_000, unit="iterations", help="Least length of a segment."
        )
        jump: int = parameter(
            20,
            low=1,
            high=10_000,
            unit="iterations",
            help="Change points are looked for at multiples of this.",
        )

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        return after_the_last(self._breakpoints(values))

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        return segments_as_evidence(values, self._breakpoints(values))

    def _breakpoints(self, values: Values) -> list[int]:
        p = self.params
        if values.size < 2 * p.min_size:
            raise TooShort(needed=2 * p.min_size, got=values.size)
        import ruptures  # noqa: PLC0415  # half a second that only this method needs

        with warnings.catch_warnings():
            # It tells, at every start, of a term that it has added to variances since 1.1.5.
            warnings.filterwarnings("ignore", "New behaviour", UserWarning)
            search = ruptures.Pelt(model=p.cost, min_size=p.min_size, jump=p.jump)
        found = search.fit(in_units_of_noise(values)).predict(p.penalty * math.log(values.size))
        return [int(each) for each in found[:-1]]
