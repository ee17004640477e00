"""Chodera (2016): the start that leaves most effectively independent values.

A later start leaves out more of the transient, whose drift looks like correlation, but also leaves
fewer values. The publication always answers; here a start beyond `latest` is never.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from detectors.api import Source, Values, parameter
from detectors.intervals.rests import Indices, LagSum, Rests, SharedTail, inefficiencies
from detectors.rules.starts.best_start import BestStartDetector, BestStartParameters

EARLIEST = 4  # the first lag at which an autocorrelation of 0 or less ends the sum
NARROW = 4  # the binary search ends when its first and last start are nearer than this


class MaxEss(BestStartDetector):
    slug, version = "max-ess", "1"
    title = "Most effective samples"
    code, slot = "ESS", 32
    source = Source(
        "Chodera 2016, A simple method for automated equilibration detection in molecular "
        "simulations, Journal of Chemical Theory and Computation 12(4)",
        doi="10.1021/acs.jctc.5b00784",
        section="choderalab/pymbar: pymbar/timeseries.py, detect_equilibration",
    )
    family = "Molecular dynamics"
    label = "effectively independent values of the rest"
    meaning = "How many independent values would tell the mean of the rest as well as the rest."

    class Params(BestStartParameters):
        nskip: int = parameter(
            1, low=1, high=100_000, unit="values", help="Every so many-th start is judged."
        )
        fast: bool = parameter(
            True,  # noqa: FBT003  # the default
            help="Autocorrelation at the lags 1, 2, 4, 7, 11, … only, each standing for those that "
            "are left out after it, too.",
        )
        search: str = parameter(
            "every",
            choices=("every", "binary"),
            help="Judge every start, or search among few that lie closer and closer together. "
            "Binary: all lags, without nskip.",
        )
        nodes: int = parameter(
            10, low=5, high=1000, unit="starts", help="Judged at each step of a binary search."
        )

    params: Params

    def best(self, values: Values) -> int:
        if values.min() == values.max():
            return 0
        if self.params.search == "binary":
            return self._binary_search(values)
        rests = self._rests(values)
        # pymbar decides between starts that are almost equally good in single precision.
        effective_counts = effective(rests, self._rule(), pruned=True, kind=np.float32)
        return int(rests.starts[effective_counts.argmax()])

    def figures(self, values: Values) -> tuple[Indices, Values]:
        rests = self._rests(values)
        return rests.starts, effective(rests, self._rule(), pruned=False)

    def _rests(self, values: Values) -> Rests:
        return Rests(values, np.arange(0, values.size - 1, self.params.nskip))

    def _rule(self) -> LagSum:
        if self.params.search == "binary":
            return LagSum(EARLIEST)
        return LagSum(EARLIEST, left=2, spread=self.params.fast)

    def _binary_search(self, values: Values) -> int:
        """The best of `nodes` starts between two, then of as many between its neighbours."""
        first, last = 1, values.size - 1
        rests, tail = Rests(values, np.arange(1)), SharedTail(values.size)
        while True:
            exponents = np.linspace(np.log10(first), np.log10(last), self.params.nodes)
            starts = np.unique((10**exponents).round().astype(np.int64))
            judged_starts = starts[starts < values.size - 1]
            independent_values = np.ones(starts.size)
            if judged_starts.size:
                rests = rests.after(judged_starts)
                independent_values[: judged_starts.size] = effective(
                    rests, self._rule(), pruned=True, tail=tail
                )
            best_node = int(independent_values.argmax())
            if last - first < NARROW:
                return int(starts[best_node])
            next_node = min(best_node + 1, starts.size - 1)
            first, last = int(starts[max(best_node - 1, 0)]), int(starts[next_node])
            tail.end_at(last, next_node)


def effective(
    rests: Rests,
    rule: LagSum,
    *,
    pruned: bool,
    kind: type[np.floating[Any]] = np.float64,
    tail: SharedTail | None = None,
) -> NDArray[Any]:
    """Effectively independent values of each rest, computed as `kind`; 1 where all are equal.

    pruned: 0 where another start is better for certain.
    """
    inflations = inefficiencies(rests, rule, 1.0 / (rests.counts + 1) if pruned else None, tail)
    counts = np.where(rests.squares > 0, rests.counts + 1, 1)
    return counts.astype(kind) / inflations.astype(kind)
