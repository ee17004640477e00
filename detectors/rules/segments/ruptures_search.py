"""Shared parts of change-point searches: values in units of their noise, and segments as an answer.

A breakpoint is the first iteration of the next segment; n itself is none.
"""

from __future__ import annotations

import math
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, ClassVar, Protocol

import numpy as np

from detectors.api import Context, Detection, Detector, Values, draw, parameter
from detectors.contract import NotAvailable

NORMAL_DIFFERENCE = 0.954  # median |difference| of two standard normal values
NEAR_THE_LIMIT = 1e300  # beyond, differences of values leave the range of a double
FAR_OUT = 1e50  # in units of noise; squares and their sums stay in range, and no level is there


class RupturesSearch(Protocol):
    """Methods of every search of the package `ruptures`."""

    def fit(self, signal: Values) -> RupturesSearch: ...
    def predict(self, *, pen: float) -> list[int]: ...


def cost_parameter() -> Any:
    """The parameter `cost` of the searches that take any cost."""
    return parameter(
        "normal",
        choices=("normal", "l2", "l1"),
        help="What changes: mean and variance (normal), mean (l2), median (l1).",
    )


def penalty_parameter(default: float) -> Any:
    """The parameter `penalty`."""
    return parameter(
        default,
        low=0.01,
        high=1e6,
        unit="ln n",
        help="Price of a change point; larger means fewer. Values are in units of their noise.",
    )


def min_size_parameter(default: int = 100) -> Any:
    """The parameter `min_size`."""
    return parameter(
        default, low=2, high=100_000, unit="iterations", help="Least length of a segment."
    )


def jump_parameter(default: int) -> Any:
    """The parameter `jump`."""
    return parameter(
        default,
        low=1,
        high=10_000,
        unit="iterations",
        help="Change points are looked for at multiples of this.",
    )


class SearchParameters(Detector.Params):
    """Parameters of the searches that differ in nothing but their way through the cuts."""

    cost: str = cost_parameter()
    penalty: float = penalty_parameter(200.0)
    min_size: int = min_size_parameter()
    jump: int = jump_parameter(5)


class LastSegment(Detector):
    """A search of `ruptures` whose last segment is the steady state; it never says never.

    Parameters are `penalty` and `min_size` at least; of a search with nothing but another way
    through the possible cuts also `cost` and `jump`.
    """

    family = "Change points"
    gives_changes = True
    search_class: ClassVar[str]  # its class in the package

    Params = SearchParameters
    params: Any

    @classmethod
    def missing(cls) -> str:
        return (
            ""
            if find_spec("ruptures")
            else "ruptures not installed; `pip install plateau-perf[ruptures]`"
        )

    def detect(self, values: Values, context: Context) -> Detection:
        breakpoints = self.breakpoints(values)
        start = breakpoints[-1] if breakpoints else 0
        return Detection(start, published_index=start, changes=tuple(breakpoints))

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        breakpoints = self.breakpoints(values)
        edges = [0, *breakpoints, values.size]
        means = [safe_mean(values[start:stop]) for start, stop in pairwise(edges)]
        return (
            draw.Events(
                tuple(breakpoints),
                label="change points",
                meaning="First iterations of new segments; the last one begins the steady state.",
            ),
            draw.segment_levels(edges, means, "segment means", "The mean of each segment."),
        )

    def breakpoints(self, values: Values) -> list[int]:
        """Begins of segments, without 0."""
        penalty = self.params.penalty * math.log(values.size)
        segment_ends = self.search().fit(scale_by_noise(values)).predict(pen=penalty)
        return [int(end) for end in segment_ends[:-1]]

    def check_least_length(self, n: int) -> None:
        """Raise `NotAvailable` without the package, whatever the length."""
        if reason := self.missing():
            raise NotAvailable(reason)
        super().check_least_length(n)

    @property
    def least_length(self) -> int:
        return int(2 * self.params.min_size)

    def search(self) -> RupturesSearch:
        """The package's search, with this detector's parameters."""
        import ruptures  # noqa: PLC0415  # half a second that only these methods need

        p = self.params
        search: RupturesSearch = getattr(ruptures, self.search_class)(
            custom_cost=cost_named(p.cost), min_size=p.min_size, jump=p.jump
        )
        return search


def cost_named(name: str) -> Any:
    """The package's cost of that name: each of its searches takes one as `custom_cost`."""
    from ruptures import costs  # noqa: PLC0415  # half a second that only these methods need

    if name != "normal":
        return costs.cost_factory(model=name)
    # Asked for at once, the term that it adds to variances is announced in a warning each time.
    cost = costs.CostNormal(add_small_diag=False)
    cost.add_small_diag = True
    return cost


def scale_by_noise(values: Values) -> Values:
    """``(values - median) / noise``, so that a penalty means the same in every unit.

    The noise is the median absolute difference of neighbours, as a standard deviation; 1 where
    more than half of the neighbours are equal.
    """
    if np.abs(values).max(initial=0.0) > NEAR_THE_LIMIT:
        values = values / 1024
    noise = float(np.median(np.abs(np.diff(values)))) / NORMAL_DIFFERENCE if values.size > 1 else 0
    with np.errstate(over="ignore"):  # a noise next to zero
        scaled_values = (values - np.median(values)) / (noise or 1.0)
    return np.asarray(np.clip(scaled_values, -FAR_OUT, FAR_OUT), dtype=np.float64)


def safe_mean(values: Values) -> float:
    """The mean, also of values whose sum would leave the range of a double."""
    peak = float(np.abs(values).max())
    if peak <= NEAR_THE_LIMIT:
        return float(values.mean())
    return float((values / peak).mean() * peak)
