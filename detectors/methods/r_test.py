"""Cao & Rhinehart's R-test: two estimates of the noise agree once nothing else changes.

One estimate is the spread about a filtered mean, the other that of successive differences. While
the level moves the first is larger. Iteration 51 is the earliest answer that there can be.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from detectors.arrays.buffer import Buffer
from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Decision,
    Detection,
    Events,
    Evidence,
    OnlineDetector,
    Parameters,
    Source,
    TooShort,
    Values,
    parameter,
)
from detectors.kernels.ratio import EARLIEST, START, STATE, all_ratios, first_small_ratio
from detectors.rules.batches import batch_parameter


@dataclass
class RTestState:
    """The state of online reading: values so far, how many the filters have had, their state."""

    buffer: Buffer = field(default_factory=Buffer)
    at: int = 0
    state: Values = field(default_factory=lambda: np.zeros(STATE))
    ratio: float = float("nan")
    found: Detection | None = None

    def decision(self) -> Decision:
        figures = {} if np.isnan(self.ratio) else {"ratio": self.ratio}
        return Decision(self.buffer.n, self.found, self.found is not None, figures)


class RTest(OnlineDetector[RTestState]):
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

    class Params(Parameters):
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

    def start(self, context: Context) -> RTestState:
        return RTestState()

    def update(self, state: RTestState, batch: Values) -> Decision:
        state.buffer.append(batch)
        if state.found is None:
            state.found = self._read(state, state.buffer.n - state.buffer.n % self.params.batch)
        return state.decision()

    def finish(self, state: RTestState) -> Decision:
        n = state.buffer.n
        if n <= EARLIEST:
            raise TooShort(needed=EARLIEST + 1, got=n)
        if state.found is None:
            state.found = self._read(state, n) or Detection(NEVER, published_index=NEVER)
        return state.decision()

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        detection = self.detect(values, context)
        p = self.params
        ratios = all_ratios(values, p.lambda1, p.lambda2, p.lambda3)
        curve = Curve(
            np.where(np.isfinite(ratios), ratios, np.nan),
            label="ratio of the filtered variances",
            threshold=p.r_crit,
            meaning="Near 1 when values lie about a level; steady from the first below the line.",
        )
        if detection.steady_start == NEVER:
            return (curve,)
        return curve, Events(
            (detection.steady_start,),
            label="first that passes",
            meaning="The first iteration whose ratio is below the line.",
        )

    def _read(self, state: RTestState, due: int) -> Detection | None:
        """Filter the values up to `due`; the first that passes, known at the end of its batch."""
        if due < START or due <= state.at:
            return None
        p = self.params
        values = state.buffer.first(due)
        start, state.ratio = first_small_ratio(
            values, state.at, state.state, p.lambda1, p.lambda2, p.lambda3, p.r_crit
        )
        state.at = due
        if start == NEVER:
            return None
        decided_at = min((start // p.batch + 1) * p.batch, due) - 1
        return Detection(start, published_index=start, decided_at=decided_at)
