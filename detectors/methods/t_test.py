"""Boesler & Weber's t-test: two neighbouring batches with practically the same mean.

The answer is the start of the first of the two batches. The published critical value is so
small that means are equal by accident only.
"""

from __future__ import annotations

from detectors.api import Detector, Source, parameter
from detectors.kernels.batches import MEANS
from detectors.rules.online.batches import BatchTest, batch_parameter


class TTest(BatchTest):
    slug, version = "t-test", "1"
    title = "t-test of batch means"
    code, slot = "TT", 3
    source = Source(
        "Boesler & Weber 2017, Steady state detection for computational fluid dynamics; "
        "as package ossdem computes it",
        doi="10.48550/arXiv.1709.03158",
        url="https://github.com/cepalium/online-steady-state-detection",
    )
    family = "Published detectors"
    which, together = MEANS, 2
    statistic = "T of two neighbouring batches"

    class Params(Detector.Params):
        t_crit: float = parameter(
            0.009, low=1e-9, high=1e6, help="Two batches pass when their T is smaller."
        )
        batch: int = batch_parameter()

    params: Params

    @property
    def critical(self) -> float:
        return self.params.t_crit
