"""Always the same time: all iterations that began within the first seconds are discarded.

Seconds count from the start of the process, those of unrecorded warm-up among them.
"""

from __future__ import annotations

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.rules.harnesses.configured import (
    durations,
    iteration_time_parameter,
    unrecorded_seconds,
)


class FixedTime(Detector):
    slug, version = "fixed-time", "4"
    title = "Fixed time"
    code, slot = "FTM", 15
    source = Source("Common practice; no publication")
    family = "Baselines"

    class Params(Detector.Params):
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
        elapsed_seconds = self._elapsed_seconds(values, context)
        start = (
            0
            if elapsed_seconds[0] >= self.params.seconds
            else int(np.searchsorted(elapsed_seconds[1:], self.params.seconds)) + 1
        )
        if start >= values.size:
            return Detection(NEVER, published_index=NEVER, decided_at=NEVER)
        return Detection(start, published_index=start - 1, decided_at=start - 1)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        elapsed_seconds = self._elapsed_seconds(values, context)[1:]
        return (
            draw.Curve(
                elapsed_seconds,
                label="time since the process began",
                threshold=self.params.seconds,
                unit="s",
                meaning="At the end of an iteration; steady after the first that reaches the line.",
            ),
        )

    def _elapsed_seconds(self, values: Values, context: Context) -> Values:
        """Seconds since the process began, before each iteration and at the end: (n + 1,)."""
        seconds = durations(values, context, self.params.iteration_time)
        with np.errstate(over="ignore"):
            return np.cumsum(np.r_[unrecorded_seconds(context, seconds), seconds])  # one by one
