"""Methods that judge every start by what is left after it, and answer the best one.

Long series are read as means of batches first, so that a method whose work grows with the square
of what it reads stays within a bound; docs/design/MATH.md, section 10.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from detectors.api import NEVER, Context, Detection, Detector, Values, draw, parameter
from detectors.arrays.safe_range import scaled_to_range
from detectors.intervals.rests import Indices
from detectors.kernels.mser import batch_means


class BestStartParameters(Detector.Params):
    """Parameters that these methods have in common."""

    latest: float = parameter(
        0.5,
        low=0.0,
        high=1.0,
        help="Never, when more than this share of the series would be left out; 1: as published.",
    )
    most: int = parameter(
        10_000,
        low=100,
        high=100_000,
        unit="values",
        help="A series of more values than these is read as means of batches, of equal lengths.",
    )


class BestStartDetector(Detector):
    """A method that gives every start a figure; `latest` says which best start means never."""

    rates = "free"
    cost = "quick"
    label = ""  # of the figures, as evidence
    meaning = ""

    params: Any  # `BestStartParameters` and those of the method

    @abstractmethod
    def best(self, values: Values) -> int:
        """The best start of `least_length` values or more, or NEVER; 0-based."""

    @abstractmethod
    def figures(self, values: Values) -> tuple[Indices, Values]:
        """Starts, and what each is worth: the higher, the better."""

    @property
    def least_length(self) -> int:
        return 2

    def detect(self, values: Values, context: Context) -> Detection:
        means, batch = self._means_and_batch(values)
        best_batch = self.best(means)
        if best_batch == NEVER or best_batch > self.params.latest * means.size:
            return Detection(NEVER, published_index=NEVER)
        return Detection(best_batch * batch, published_index=best_batch * batch)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        means, batch = self._means_and_batch(values)
        starts, figures_of_starts = self.figures(means)
        curve = draw.Curve(
            figures_of_starts, label=self.label, x=starts * batch, meaning=self.meaning
        )
        best_batch = self.best(means)
        return curve, *draw.event(
            best_batch if best_batch == NEVER else best_batch * batch,
            "best start",
            "The start that the method prefers; beyond `latest` the answer is never.",
        )

    def _means_and_batch(self, values: Values) -> tuple[Values, int]:
        scaled_values, _ = scaled_to_range(values)
        batch = int(np.ceil(values.size / self.params.most))
        return (batch_means(scaled_values, batch) if batch > 1 else scaled_values), batch
