"""Rank-normalised split R-hat (Vehtari et al. 2021): do the halves of what is left agree?

The publication compares the halves of several Markov chains. The forks of a benchmark are such
chains, and `of_forks` is their answer; the halves of a single fork are two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from detectors.api import NEVER, Detection, Detector, Source, Values, parameter
from detectors.arrays.special_functions import missing_scipy
from detectors.rules.starts.first_passing import FirstPassingDetector
from detectors.rules.starts.rank_rhat import SplitForks

SHORTEST = 4  # values of a rest: two in each half, of whose variance something can be said


class SplitRhat(FirstPassingDetector):
    slug, version = "split-rhat", "1"
    title = "Split R-hat"
    code, slot = "RH", 37
    source = Source(
        "Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, Rank-normalization, folding, and "
        "localization: an improved R-hat for assessing convergence of MCMC, Bayesian Analysis "
        "16(2)",
        doi="10.1214/20-BA1221",
        section="4; arviz-devs/arviz: arviz/stats/diagnostics.py, _rhat_rank",
    )
    label = "rank-normalised split R-hat"
    meaning = "How much more the halves of the rest differ than values within them; 1: not at all."

    class Params(Detector.Params):
        most: float = parameter(
            1.01, low=1.0, high=100.0, help="An R-hat below this passes; the publication's choice."
        )
        starts: int = parameter(
            20, low=1, high=1000, unit="starts", help="Tested, from the first value to the middle."
        )

    params: Params

    @classmethod
    def missing(cls) -> str:
        return missing_scipy()

    @property
    def limit(self) -> float:
        return self.params.most

    @property
    def least_length(self) -> int:
        return 2 * SHORTEST

    def figures(self, values: Values, *, whole: bool) -> Iterator[tuple[int, float]]:
        return self._figures([values], np.inf if whole else self.limit)

    def of_forks(self, forks: Sequence[Values]) -> Detection:
        """The first start from which the halves of all forks agree: for a benchmark as a whole.

        forks: one or more, as `reads` gives them, each of `least_length` values or more. The longer
        ones count as long as the shortest.
        """
        figures = self._figures(forks, self.limit)
        passing_starts = (start for start, figure in figures if figure < self.limit)
        start = next(passing_starts, NEVER)
        return Detection(start, published_index=start)

    def _figures(self, forks: Sequence[Values], limit: float) -> Iterator[tuple[int, float]]:
        chains = SplitForks(forks)
        for number in range(self.params.starts):
            start = number * chains.n // (2 * self.params.starts)
            yield start, chains.rhat(start, limit)
