"""Cao & Rhinehart's R-test: two estimates of the noise agree once nothing else changes.

One estimate is the spread about a filtered mean, the other that of successive differences. While
the level moves the first is larger. Iteration 51 is the earliest answer that there can be.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from detectors.api import NEVER, Context, Detector, Source, Values, draw, parameter
from detectors.kernels.variance_ratio import EARLIEST, START, STATE, all_ratios, first_small_ratio
from detectors.rules.online.batches import BatchReader, batch_parameter
from detectors.rules.online.loop import OnlineState


@dataclass
class RTestState(OnlineState):
    """State of online reading, with that of the filters."""

    filters: Values = field(default_factory=lambda: np.zeros(STATE))


class RTest(BatchReader[RTestState]):
    slug, version = "r-test", "1"
    title = "R-test of filtered variances"
    code, slot = "RT", 5
    source = Source(
        "Cao & Rhinehart 1995, An efficient method for on-line identification of steady state; "
        "as package ossdem computes it",
        doi="10.1016/0959-1524(95)00009-F",
        url="https://github.com/cepalium/online-steady-state-detection",
    )
    family = "Published detectors"

    class Params(Detector.Params):
        r_crit: float = parameter(
            1.2, low=1e-6, high=1e6, help="An iteration passes when the ratio is smaller."
        )
        lambda1: float = parameter(
            0.03, low=1e-6, high=1.0, help="Weight of a new value in the filtered mean."
        )
        lambda2: float = parameter(
            0.05, low=1e-6, high=1.0, help="Weight of a new value in the variance about the mean."
        )
        lambda3: float = parameter(
            0.05, low=1e-6, high=1.0, help="Weight of a new value in that of the differences."
        )
        batch: int = batch_parameter()

    params: Params

    @property
    def least_length(self) -> int:
        return EARLIEST + 1

    def start(self, context: Context) -> RTestState:
        return RTestState()

    def first_passing_start(self, state: RTestState, due_at: int, *, end: bool) -> int:
        if due_at < START or due_at <= state.position:
            return NEVER
        p = self.params
        values = state.buffer.first(due_at)
        start, ratio = first_small_ratio(
            values, state.position, state.filters, p.lambda1, p.lambda2, p.lambda3, p.r_crit
        )
        state.position = due_at
        state.figures = {} if np.isnan(ratio) else {"ratio": ratio}
        return start

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        p = self.params
        curve = draw.Curve(
            all_ratios(values, p.lambda1, p.lambda2, p.lambda3),
            label="ratio of the filtered variances",
            threshold=p.r_crit,
            meaning="Near 1 when values lie about a level; steady from the first below the line.",
        )
        return curve, *draw.event(
            self.detect(values, context).steady_start,
            "first that passes",
            "The first iteration whose ratio is below the line.",
        )
