"""Go's `testing`: rounds that grow until one lasts a second, which alone is measured."""

from __future__ import annotations

from typing import Final

from detectors.api import Detector, Source, parameter
from detectors.rules.harnesses.configured import iteration_time_parameter
from detectors.rules.harnesses.operations import (
    HarnessStages,
    OperationsRule,
    RecordedOperations,
    ramp,
)

MOST: Final = 1_000_000_000  # operations of a round
NANOSECONDS: Final = 1e9


class GoTesting(OperationsRule):
    slug, version = "go-testing", "3"
    title = "Go testing"
    code, slot = "GO", 54
    source = Source(
        "Go, package testing; golang/go: src/testing/benchmark.go",
        url="https://github.com/golang/go",
        section="predictN and launch",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        benchtime: float = parameter(
            1.0, low=1e-9, high=1e6, unit="s", help="A round of so long is the measurement."
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        *rounds_before, measured_operations = ramp(recording, 0.0, self._next_operations)
        return HarnessStages(
            sum(rounds_before), measured_operations, calibration=sum(rounds_before)
        )

    def _next_operations(self, operations: float, seconds: float) -> float:
        """A fifth more than would fill the time, at most 100 times as many, at least one more."""
        if seconds >= self.params.benchtime or operations >= MOST:
            return 0
        wanted_operations = (
            self.params.benchtime * NANOSECONDS * operations // (seconds * NANOSECONDS)
        )
        wanted_operations += wanted_operations // 5
        return min(max(min(wanted_operations, 100 * operations), operations + 1), MOST)
