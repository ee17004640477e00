"""SDM, slope detection: the first batch whose regression line is as good as level.

The slope is in units of the series per iteration: its critical value means something for one
unit only. The published one is for seconds.
"""

from __future__ import annotations

from detectors.api import Detector, Source, parameter
from detectors.kernels.batches import SLOPE
from detectors.rules.online.batches import BatchTest, batch_parameter


class Sdm(BatchTest):
    slug, version = "sdm", "1"
    title = "SDM (slope detection)"
    code, slot = "SDM", 2
    source = Source(
        "Bethea & Rhinehart 1991, Applied Engineering Statistics; as package ossdem computes it",
        url="https://github.com/cepalium/online-steady-state-detection",
    )
    family = "Published detectors"
    which, together = SLOPE, 1
    statistic = "angle of the batch's slope"

    class Params(Detector.Params):
        slope_crit: float = parameter(
            1e-8,
            low=1e-300,
            high=1.6,
            unit="radians, of series units an iteration",
            help="A batch passes when the angle of its slope is smaller.",
        )
        batch: int = batch_parameter()

    params: Params

    @property
    def critical(self) -> float:
        return self.params.slope_crit
