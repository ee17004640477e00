"""Kelly's test alone: is a window noise about a level, or does it drift?

Kelly & Hedengren judge windows; reading a start from them is KB-KSSD's: the unbroken run of
steady windows that ends with the series. Without kernels and without substituted outliers, this
shows what those add.
"""

from __future__ import annotations

import numpy as np

from detectors.api import Context, Detection, Detector, Source, Values, draw, parameter
from detectors.kernels.kb_kssd import NO_STEP, copy_in_range, probabilities
from detectors.kernels.kb_kssd_variants import last_run, residual_probabilities

SHORTEST = 3  # a drift and a deviation from it


class Kelly(Detector):
    slug, version = "kelly", "1"
    title = "Kelly's test"
    code, slot = "KE", 20
    source = Source(
        "Kelly & Hedengren 2013, A steady-state detection (SSD) algorithm to detect "
        "non-stationary drifts in processes, Journal of Process Control 23(3)",
        doi="10.1016/j.jprocont.2012.12.001",
    )
    family = "Published detectors"

    class Params(Detector.Params):
        prob_window: int = parameter(
            500, low=3, high=100_000, unit="iterations", help="Length of a window."
        )
        t_crit: float = parameter(
            4.0,
            low=1e-6,
            high=1e6,
            unit="standard deviations",
            help="Half width of the band in which a value counts as steady.",
        )
        prob_threshold: float = parameter(
            0.95, low=0.0, high=1.0, help="Least share of such values in a steady window."
        )
        min_steady_length: int = parameter(
            1,
            low=0,
            high=1_000_000,
            unit="iterations",
            help="A steady state of no more values than this, at the end, does not count.",
        )
        ar_order: int = parameter(
            0,
            low=0,
            high=100,
            unit="iterations",
            help="The test judges the residuals of an autoregressive model of each window, of at "
            "most this order (chosen by BIC); 0: the values themselves.",
        )

    params: Params

    @property
    def least_length(self) -> int:
        return SHORTEST

    def detect(self, values: Values, context: Context) -> Detection:
        starts, kelly_probabilities = self._probabilities(values)
        p = self.params
        start = last_run(
            starts, kelly_probabilities, NO_STEP, p.prob_threshold, p.min_steady_length
        )
        return Detection(start, published_index=start)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        starts, kelly_probabilities = self._probabilities(values)
        curve = draw.Curve(
            np.r_[kelly_probabilities, kelly_probabilities[-1]],
            label="Kelly's probability of a steady window",
            x=starts.astype(np.int64),
            threshold=self.params.prob_threshold,
            shape="steps",
            meaning="Share of values in the band; steady from the first of the windows that reach "
            "the line without a break up to the end.",
        )
        return (curve,)

    def _probabilities(self, values: Values) -> tuple[Values, Values]:
        """(starts of the windows and n, their probabilities)."""
        p, x = self.params, copy_in_range(values)
        if p.ar_order:
            return residual_probabilities(x, NO_STEP, p.prob_window, p.t_crit, p.ar_order)
        return probabilities(x, NO_STEP, p.prob_window, p.t_crit)
