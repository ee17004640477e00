"""Always the same iteration: what practitioners do, and what every other method must beat.

The first `iteration` values are discarded, whatever they are. A series that ends before has
nothing left to keep, and is never steady.
"""

from __future__ import annotations

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter


class Fixed(Detector):
    slug, version = "fixed", "1"
    title = "Fixed iteration"
    code, slot = "FX", 14
    source = Source("Common practice; no publication")
    family = "Baselines"
    rates = "free"
    rates_note = "It reads no value at all."

    class Params(Detector.Params):
        iteration: int = parameter(
            500,
            low=0,
            high=100_000_000,
            unit="iterations",
            help="So many values are discarded; the next one is the first of the steady state.",
        )

    params: Params

    def detect(self, values: Values, context: Context) -> Detection:
        start = self.params.iteration
        if start >= values.size:
            return Detection(NEVER, published_index=NEVER, decided_at=NEVER)
        return Detection(start, published_index=start - 1, decided_at=start - 1)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        left_out_count = min(self.params.iteration, values.size)
        return (
            draw.Bands(
                ((0, left_out_count),) if left_out_count else (),
                label="discarded",
                meaning="Left out whatever the values are: nothing of the series is looked at.",
            ),
        )
