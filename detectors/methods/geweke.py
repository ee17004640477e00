"""Geweke (1992): do the beginning and the end of what is left have the same mean?

The publication tests one start. Plots of the test over more and more of the beginning left out
(geweke.plot of R's coda) are read for the first start that passes, which is the answer here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from detectors.api import Detector, Source, Values, parameter
from detectors.intervals.spectrum import first_index_at, spectra_at_zero
from detectors.rules.starts.first_passing import FirstPassingDetector

SHORTEST = 3  # values of a part, of whose variance anything can be said


class Geweke(FirstPassingDetector):
    slug, version = "geweke", "1"
    title = "Geweke's test"
    code, slot = "GZ", 35
    source = Source(
        "Geweke 1992, Evaluating the accuracy of sampling-based approaches to the calculation of "
        "posterior moments, Bayesian Statistics 4",
        url="https://cran.r-project.org/package=coda",
        section="cran/coda: R/geweke.R, geweke.diag and geweke.plot",
    )
    label = "difference of beginning and end, in standard errors"
    meaning = "Of the mean of what follows each start; below the line they are equal by chance."

    class Params(Detector.Params):
        first: float = parameter(
            0.1, low=0.001, high=0.9, help="Share of the rest that is its beginning."
        )
        last: float = parameter(0.5, low=0.001, high=0.9, help="Share of the rest that is its end.")
        p_value: float = parameter(
            0.05, low=1e-9, high=0.999, help="Smaller chances of such a difference do not pass."
        )
        starts: int = parameter(
            20, low=2, high=1000, unit="starts", help="Tested, from the first value to the middle."
        )

        def check(self) -> None:
            total = self.first + self.last
            self.require(total <= 1, f"first and last must be 1 at most together; got {total:g}")

    params: Params

    @property
    def limit(self) -> float:
        return NormalDist().inv_cdf(1 - self.params.p_value / 2)

    @property
    def least_length(self) -> int:
        return math.ceil(2 * SHORTEST / min(self.params.first, self.params.last))

    def figures(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        y = values - values[-1]  # equal values have equal means, to the last bit
        for window_start in np.linspace(1, (1 + y.size) / 2, self.params.starts).tolist():
            start = first_index_at(window_start)
            # Beginning and end of the rest, rounded outwards
            n, first_number = y.size, start + 1
            first_stop = math.ceil(first_number + self.params.first * (n - first_number))
            last_begin = math.floor(n - self.params.last * (n - first_number))
            first, last = ends = y[start:first_stop], y[last_begin - 1 :]
            first_density, last_density = spectra_at_zero(ends).tolist()
            error = math.sqrt(first_density / first.size + last_density / last.size)
            difference = float(abs(first.mean() - last.mean()))
            noiseless_z = math.inf if difference else 0.0
            yield start, difference / error if error else noiseless_z
