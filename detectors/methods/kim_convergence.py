"""kim-convergence: MSER first, and then the start of its rest with most effective samples.

The package's own two stages of finding where a simulation is equilibrated, and its own never:
where MSER would cut off more than half, it asks for more data.
"""

from __future__ import annotations

import numpy as np

from detectors.api import NEVER, Source, Values, parameter
from detectors.intervals.rests import Indices, LagSum, Rests, inefficiencies
from detectors.kernels.mser import batch_means, truncation
from detectors.rules.starts.best_start import BestStartDetector, BestStartParameters

HALF = 2  # MSER may cut off one half (ucl/mser_m.py)
QUARTER = 4  # and leaves the last batches aside, at most one quarter


class KimConvergence(BestStartDetector):
    slug, version = "kim-convergence", "1"
    title = "kim-convergence"
    code, slot = "KIM", 34
    source = Source(
        "Afshar, kim-convergence: automatic equilibration detection and run-length "
        "control (package, version 0.1.0)",
        url="https://github.com/openkim/kim-convergence",
        section="openkim/kim-convergence: kim_convergence/run_length_control/_equilibration.py",
    )
    family = "Molecular dynamics"
    label = "effectively independent values of the rest"
    meaning = "Of what MSER leaves: how many independent values would tell its mean as well."

    class Params(BestStartParameters):
        stages: str = parameter(
            "both",
            choices=("both", "mser", "length"),
            help="MSER and then the effective samples of its rest, or one of the two alone.",
        )
        batch: int = parameter(
            5, low=1, high=100_000, unit="iterations", help="MSER judges means of so many values."
        )
        nskip: int = parameter(
            1, low=1, high=100_000, unit="values", help="Every so many-th start is judged."
        )
        ignored: float = parameter(
            0.25, low=0.0, high=0.9, help="Starts in this share of the rest, at its end, are not."
        )

    params: Params

    @property
    def least_length(self) -> int:
        return 2 * (1 if self.params.stages == "length" else self.params.batch)

    def best(self, values: Values) -> int:
        first = self._truncation(values)
        if first == NEVER or self.params.stages == "mser":
            return first
        rests, inflations = self._inefficiencies(values[first:], pruned=True)
        return first + int(rests.starts[(rests.counts / inflations).argmax()])

    def figures(self, values: Values) -> tuple[Indices, Values]:
        first = max(self._truncation(values), 0)
        rests, inflations = self._inefficiencies(values[first:], pruned=False)
        return rests.starts + first, rests.counts / inflations

    def _truncation(self, values: Values) -> int:
        """Iteration where MSER cuts off; NEVER beyond the middle."""
        if self.params.stages == "length":
            return 0
        means = batch_means(values, self.params.batch)
        ignored_batches = max(1, min(self.params.batch, means.size // QUARTER))
        start = truncation(means, ignored_batches + 1) * self.params.batch
        is_beyond_half = start > means.size * self.params.batch // HALF
        return NEVER if is_beyond_half else start

    def _inefficiencies(self, values: Values, *, pruned: bool) -> tuple[Rests, Values]:
        ignored_count = max(1, int(self.params.ignored * values.size))
        rests = Rests(values, np.arange(0, max(values.size - ignored_count, 1), self.params.nskip))
        counts = rests.counts
        # The first lag at which an autocorrelation of 0 or less ends the sum: 4, or by rounding 3
        taper_step = (1.0 - 1.0 / counts) - 1.0
        rule = LagSum(np.where(1.0 + 3 * taper_step < 1.0 - 3.0 / counts, 3, 4), tapered=True)
        inflations = inefficiencies(rests, rule, 1.0 / counts if pruned else None)
        return rests, np.where(rests.squares > 0, inflations, counts)
