"""MSER-5: truncate where the standard error of what is left is smallest.

The rule of simulation practice for the start of a run. A truncation in the second half says that
the run is too short to tell, and is answered with never.
"""

from __future__ import annotations

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Source, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.kernels.mser import batch_means, standard_errors, truncation


class Mser(Detector):
    slug, version = "mser", "1"
    title = "MSER-5"
    code, slot = "MS", 19
    source = Source(
        "White 1997, An effective truncation heuristic for bias reduction in simulation output, "
        "Simulation 69(6); batches of five: White, Cobb & Spratt 2000, A comparison of five "
        "steady-state truncation heuristics for simulation",
        doi="10.1177/003754979706900601",
    )
    family = "Simulation"
    rates = "free"

    class Params(Detector.Params):
        batch: int = parameter(
            5, low=1, high=100_000, unit="iterations", help="Values whose mean is one value."
        )
        latest: float = parameter(
            0.5,
            low=0.0,
            high=1.0,
            help="Never, when more than this share of the series would be cut off.",
        )
        least: int = parameter(
            5,
            low=2,
            high=100_000,
            unit="batches",
            help="So many batches are always kept: few values may agree by accident.",
        )

    params: Params

    @property
    def least_length(self) -> int:
        return self.params.batch * (self.params.least + 1)

    def detect(self, values: Values, context: Context) -> Detection:
        means = self._means(values)
        best_batch = truncation(means, self.params.least)
        if best_batch > self.params.latest * means.size:
            return Detection(NEVER, published_index=NEVER)
        start = best_batch * self.params.batch
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        means = self._means(values)
        errors = standard_errors(means, self.params.least)
        best_batch = truncation(means, self.params.least)
        batch_starts = np.arange(errors.size, dtype=np.int64) * self.params.batch
        curve = draw.Curve(
            errors / (errors.max() or 1.0),
            label="squared standard error of the rest, of the largest",
            x=batch_starts,
            meaning="Uncertainty of the mean of the rest, if all before this is left out.",
        )
        return curve, *draw.event(
            int(batch_starts[best_batch]),
            "smallest",
            "The cut with the least uncertainty; beyond `latest` the answer is never.",
        )

    def _means(self, values: Values) -> Values:
        return batch_means(scaled_to_range(values)[0], self.params.batch)
