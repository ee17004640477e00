"""Methods that test few starts, one after the other, and answer the first that passes.

So people have long thrown away the burn-in of a Markov chain: a tenth, then another tenth. No start
in the first half passes: never.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from detectors.arrays.safe_range import in_range
from detectors.contract import (
    NEVER,
    Context,
    Curve,
    Detection,
    Detector,
    Events,
    Evidence,
    TooShort,
    Values,
)


class FirstPassingDetector(Detector):
    """A method that gives few starts a figure; the first below `limit` is the answer."""

    family = "MCMC"
    rates = "free"
    cost = "quick"
    label = ""  # of the figure, as evidence
    meaning = ""

    params: Any

    @property
    @abstractmethod
    def limit(self) -> float:
        """A start passes whose figure is below this."""

    @property
    @abstractmethod
    def least(self) -> int:
        """The fewest values that it can judge."""

    @abstractmethod
    def figures(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        """(start, figure), ascending, all in the first half; computed as they are asked for.

        whole: also where a start fails; else any figure that is not below `limit` will do.
        """

    def detect(self, values: Values, context: Context) -> Detection:
        passing = (
            start for start, figure in self._judged(values, whole=False) if figure < self.limit
        )
        start = next(passing, NEVER)
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> tuple[Evidence, ...]:
        starts, figures = zip(*self._judged(values, whole=True), strict=True)
        finite = np.array(figures)
        finite[~np.isfinite(finite)] = np.nan  # beyond what can be drawn
        curve = Curve(
            finite,
            label=self.label,
            x=np.array(starts, dtype=np.int64),
            threshold=self.limit,
            meaning=self.meaning,
        )
        first = [
            start for start, figure in zip(starts, figures, strict=True) if figure < self.limit
        ][:1]
        meaning = "The first start whose figure is below the line."
        return (
            curve,
            *(Events((start,), label="first that passes", meaning=meaning) for start in first),
        )

    def _judged(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        if values.size < self.least:
            raise TooShort(needed=self.least, got=values.size)
        scaled, _ = in_range(values)
        return self.figures(scaled, whole=whole)
