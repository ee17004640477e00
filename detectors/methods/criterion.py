"""Criterion.rs: rounds of 1, 2, 4, … operations until three seconds are over."""

from __future__ import annotations

from math import ceil
from typing import Final

from detectors.api import Detector, Source, parameter
from detectors.rules.harnesses.configured import iteration_time_parameter
from detectors.rules.harnesses.operations import (
    HarnessStages,
    OperationsRule,
    RecordedOperations,
    ramp,
)

SAMPLES: Final = 100
LONGEST: Final = 2.0  # times the wished measurement: above, samples do not grow


class Criterion(OperationsRule):
    slug, version = "criterion", "3"
    title = "Criterion.rs"
    code, slot = "CRI", 53
    source = Source(
        "Criterion.rs; bheisler/criterion.rs: src/routine.rs, src/lib.rs",
        url="https://github.com/bheisler/criterion.rs",
        section="warm_up and choose_sampling_mode",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        warm_up_time: float = parameter(
            3.0,
            low=1e-9,
            high=1e6,
            unit="s",
            help="The round in which so long is over is the last.",
        )
        measurement_time: float = parameter(
            5.0, low=1e-9, high=1e6, unit="s", help="Wished length of the measurement."
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        passed = 0.0

        def next_operations(operations: float, seconds: float) -> float:
            nonlocal passed
            passed += seconds
            return 2 * operations if passed <= self.params.warm_up_time else 0

        warmup = sum(ramp(recording, 0.0, next_operations))
        return HarnessStages(warmup, self._measured_operations(passed / warmup))

    def _measured_operations(self, mean: float) -> float:
        """Operations of 100 samples of n, 2 n, 3 n, …; of equal ones where that takes too long."""
        time, growing_iterations = self.params.measurement_time, SAMPLES * (SAMPLES + 1) // 2
        if mean > LONGEST * time:  # also where the series ended before
            return SAMPLES
        linear_iterations = growing_iterations * ceil(time / mean / growing_iterations)
        if linear_iterations * mean <= LONGEST * time:
            return linear_iterations
        return SAMPLES * ceil(time / mean / SAMPLES)
