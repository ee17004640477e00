"""Methods that test few starts, one after the other, and answer the first that passes.

So people have long thrown away the burn-in of a Markov chain: a tenth, then another tenth. No start
in the first half passes: never.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Values, draw
from detectors.arrays.safe_range import scaled_to_range


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

    @abstractmethod
    def figures(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        """(start, figure), ascending, all in the first half; computed as they are asked for.

        whole: also where a start fails; else any figure that is not below `limit` will do.
        """

    def detect(self, values: Values, context: Context) -> Detection:
        passing_starts = (
            start
            for start, figure in self._scaled_figures(values, whole=False)
            if figure < self.limit
        )
        start = next(passing_starts, NEVER)
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        starts, figures = zip(*self._scaled_figures(values, whole=True), strict=True)
        curve = draw.Curve(
            np.array(figures),
            label=self.label,
            x=np.array(starts, dtype=np.int64),
            threshold=self.limit,
            meaning=self.meaning,
        )
        passing_starts = (
            start for start, figure in zip(starts, figures, strict=True) if figure < self.limit
        )
        meaning = "The first start whose figure is below the line."
        return curve, *draw.event(next(passing_starts, NEVER), "first that passes", meaning)

    def _scaled_figures(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        return self.figures(scaled_to_range(values)[0], whole=whole)
