"""Always the same time: all iterations that began within the first seconds are discarded."""

from __future__ import annotations

import numpy as np

from detectors.configured import durations, iteration_time_parameter
from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Detector,
    Evidence,
    Parameters,
    Source,
    Values,
    parameter,
)


class FixedTime(Detector):
    slug, version = "fixed-time", "2"
    title = "Fixed time"
    code, slot = "FTM", 15
    source = Source("Common practice; no publication")
    family = "Baselines"

    class Params(Parameters):
        seconds: float = parameter(
            50.0,
            low=0.0,
            high=1e9,
            unit="s",
            help="The steady state begins with the first iteration after so much time.",
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        taken = durations(values, context, self.params.iteration_time)
        start = self._iterations(taken)
        if start >= values.size:
            return Detection(NEVER, published_index=NEVER, decided_at=NEVER)
        return Detection(start, published_index=start - 1, decided_at=start - 1)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        taken = durations(values, context, self.params.iteration_time)
        with np.errstate(over="ignore"):
            elapsed = np.cumsum(taken)
        return (
            Curve(
                np.where(np.isfinite(elapsed), elapsed, np.nan),
                label="time since the start",
                threshold=self.params.seconds,
                unit="s",
                meaning="At the end of an iteration; steady after the first that reaches the line.",
            ),
        )

    def _iterations(self, taken: Values) -> int:
        """How many iterations fill the time, all of them if they do not."""
        if self.params.seconds == 0:
            return 0
        with np.errstate(over="ignore"):
            elapsed = np.cumsum(taken)  # one by one, from 0.0
        return int(np.searchsorted(elapsed, self.params.seconds)) + 1
