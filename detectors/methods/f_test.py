"""Boesler & Weber's F-test: two neighbouring batches with about the same variance.

The answer is the start of the first of the two batches. Means are not looked at: two batches on
a slope of equal noise pass.
"""

from __future__ import annotations

from detectors.api import Detector, Source, parameter
from detectors.kernels.batches import VARIANCES
from detectors.rules.online.batches import BatchTest, batch_parameter


class FTest(BatchTest):
    slug, version = "f-test", "1"
    title = "F-test of batch variances"
    code, slot = "FT", 4
    source = Source(
        "Boesler & Weber 2017, Steady state detection for computational fluid dynamics; "
        "as package ossdem computes it",
        doi="10.48550/arXiv.1709.03158",
        url="https://github.com/cepalium/online-steady-state-detection",
    )
    family = "Published detectors"
    which, together = VARIANCES, 2
    statistic = "F of two neighbouring batches"

    class Params(Detector.Params):
        f_crit: float = parameter(
            1.2,
            low=1.0,
            high=1e6,
            help="Two batches pass when the ratio of their variances is smaller.",
        )
        batch: int = batch_parameter()

    params: Params

    @property
    def critical(self) -> float:
        return self.params.f_crit
