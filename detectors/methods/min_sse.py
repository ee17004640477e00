"""Clark, Cole & Michel (2024): the start after which the mean is known best, correlation counted.

MSER's rule, with a squared standard error that knows how much neighbouring values resemble one
another. The publication leaves out starts near the end and always answers; here a start beyond
`latest` is never.
"""

from __future__ import annotations

import numpy as np

from detectors.api import Source, Values, parameter
from detectors.intervals.rests import (
    Indices,
    LagSum,
    Rests,
    convex_inefficiencies,
    inefficiencies,
    root_n_inefficiencies,
)
from detectors.rules.starts.best_start import BestStartDetector, BestStartParameters

SHORTEST = 4  # values of a rest, below which it has no pairs of lags


class MinSse(BestStartDetector):
    slug, version = "min-sse", "1"
    title = "Least standard error"
    code, slot = "SSE", 33
    source = Source(
        "Clark, Cole & Michel 2024, Robust automated truncation point selection for molecular "
        "simulations, Journal of Chemical Theory and Computation 20(23)",
        doi="10.1021/acs.jctc.4c01359",
        section="fjclark/red: red/equilibration.py",
    )
    family = "Molecular dynamics"
    label = "precision of the mean of the rest, of the best"
    meaning = "One over the squared standard error, correlated values counted as less than one."

    class Params(BestStartParameters):
        window: str = parameter(
            "root-n",
            choices=("root-n", "geyer", "chodera"),
            help="Autocorrelations that count: up to the root of the number of values, with "
            "falling weights; pairs as long as they are positive, made convex; or all before the "
            "first negative one.",
        )
        padding: float = parameter(
            0.1, low=0.0, high=0.9, help="Starts in this share at the end are not judged."
        )

    params: Params

    @property
    def least_length(self) -> int:
        return SHORTEST

    def best(self, values: Values) -> int:
        rests = self._rests(values)
        return int(self._errors(rests, pruned=True).argmin())

    def figures(self, values: Values) -> tuple[Indices, Values]:
        rests = self._rests(values)
        errors = self._errors(rests, pruned=False)
        with np.errstate(divide="ignore", invalid="ignore"):
            efficiency = np.where(errors > 0, errors.min() / errors, 1.0)
        return rests.starts, efficiency

    def _rests(self, values: Values) -> Rests:
        n = values.size
        shortest_rest = 2 if self.params.window == "root-n" else SHORTEST
        last = min(n - shortest_rest, round(n * (1 - self.params.padding)))
        return Rests(values, np.arange(last + 1))

    def _errors(self, rests: Rests, *, pruned: bool) -> Values:
        """Squared standard error of the mean of each rest; 0 where all values are equal."""
        scale = rests.squares / rests.counts**2
        if self.params.window == "root-n":
            return scale * root_n_inefficiencies(rests)
        if self.params.window == "geyer":
            return scale * convex_inefficiencies(rests)
        rule = LagSum(stops=1)
        inflations = inefficiencies(rests, rule, scale if pruned else None)
        return np.where(scale > 0, scale * inflations, 0.0)
