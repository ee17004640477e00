"""Google Benchmark: rounds that grow until one is long enough, after a warm-up of such rounds."""

from __future__ import annotations

from functools import partial
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
AIMED: Final = 1.4  # times the least time, so that the next round is long enough
SIGNIFICANT: Final = 0.1  # share of the least time, below which a round says little
GROWTH: Final = 10.0  # at most, after a round that says little


class GoogleBenchmark(OperationsRule):
    slug, version = "google-benchmark", "3"
    title = "Google Benchmark"
    code, slot = "GB", 55
    source = Source(
        "Google Benchmark; google/benchmark: src/benchmark_runner.cc",
        url="https://github.com/google/benchmark",
        section="RunWarmUp, PredictNumItersNeeded and ShouldReportIterationResults",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        min_warmup_time: float = parameter(
            0.0,
            low=0.0,
            high=1e6,
            unit="s",
            help="Rounds grow until one lasts so long, before those of the measurement; 0, as "
            "nobody configures it: no warm-up.",
        )
        min_time: float = parameter(
            0.5, low=1e-9, high=1e6, unit="s", help="A round of so long is the measurement."
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        p = self.params
        warm_iterations = sum(ramp(recording, 0.0, partial(_next_operations, p.min_warmup_time)))
        begin = warm_iterations if p.min_warmup_time else 0.0
        *rounds_before, measured_operations = ramp(
            recording, begin, partial(_next_operations, p.min_time)
        )
        return HarnessStages(begin + sum(rounds_before), measured_operations)


def _next_operations(least_seconds: float, operations: float, seconds: float) -> float:
    if seconds >= least_seconds or operations >= MOST:
        return 0
    factor = AIMED * least_seconds / seconds
    factor = factor if seconds > SIGNIFICANT * least_seconds else min(GROWTH, factor)
    return min((0.5 + max(factor * operations, operations + 1)) // 1, MOST)
