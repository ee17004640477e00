"""benchmark-ips: two seconds of warm-up; by a proposal until two runs in a row agree to 1 %."""

from __future__ import annotations

from typing import Final

import numpy as np

from detectors.api import Detector, Source, Values, parameter
from detectors.rules.harnesses.configured import iteration_time_parameter
from detectors.rules.harnesses.operations import HarnessStages, OperationsRule, RecordedOperations

RUN: Final = 0.1  # s that a run of the second half should take
MOST: Final = 2**30  # operations of a run of the first half
ALIKE: Final = 0.01
LONGEST: Final = 30.0  # s of the proposal's warm-up


class BenchmarkIps(OperationsRule):
    slug, version = "benchmark-ips", "3"
    title = "benchmark-ips"
    code, slot = "IPS", 52
    source = Source(
        "benchmark-ips; evanphx/benchmark-ips: lib/benchmark/ips/job.rb, and pull request 135",
        url="https://github.com/evanphx/benchmark-ips",
        section="run_warmup",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        warmup: float = parameter(
            2.0,
            low=1e-9,
            high=1e6,
            unit="s",
            help="Time of the warm-up; of the proposal the least.",
        )
        rule: str = parameter(
            "released",
            choices=("released", "pull-135"),
            help="When the time is over (released), or after it when two runs of 0.1 s in a row "
            "agree to 1 %, and after 30 s in any case (pull request 135).",
        )
        time: float = parameter(5.0, low=1e-9, high=1e6, unit="s", help="Time of the measurement.")
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        operations_done, passed_seconds, cycles = self._double_operations(recording)
        if self.params.rule == "pull-135":
            return self._stages_until_alike(recording, operations_done, passed_seconds, cycles)
        missing_operations = max(recording.until(self.params.warmup - RUN) - operations_done, 0.0)
        return self._measured_stages(
            recording, operations_done + np.ceil(missing_operations / cycles) * cycles
        )

    def _double_operations(self, recording: RecordedOperations) -> tuple[float, float, float]:
        """Half of the warm-up: operations, seconds, and operations that take 0.1 s then."""
        operations_done, passed_seconds, last, operations = 0.0, 0.0, 0.0, 1.0
        while passed_seconds + 2 * last < self.params.warmup / 2 and operations <= MOST:
            last = recording.round(operations_done, operations)
            operations_done, passed_seconds, operations = (
                operations_done + operations,
                passed_seconds + last,
                2 * operations,
            )
        return operations_done, passed_seconds, _run_operations(operations / 2, last)

    def _stages_until_alike(
        self,
        recording: RecordedOperations,
        operations_done: float,
        passed_seconds: float,
        cycles: float,
    ) -> HarnessStages:
        round_ends, are_alike = [operations_done], False
        while passed_seconds < LONGEST and not (
            are_alike and passed_seconds + RUN >= self.params.warmup
        ):
            round_seconds = recording.round(operations_done, cycles)
            operations_done, passed_seconds = (
                operations_done + cycles,
                passed_seconds + round_seconds,
            )
            round_ends.append(operations_done)
            are_alike = abs(_run_operations(cycles, round_seconds) - cycles) <= ALIKE * cycles
            cycles = _run_operations(cycles, round_seconds)
        flags = () if are_alike or np.isinf(passed_seconds) else ("capped",)
        looked_at = np.array([end for end in round_ends if end <= recording.ends[-1]])
        return self._measured_stages(recording, operations_done, looked_at, flags)

    def _measured_stages(
        self,
        recording: RecordedOperations,
        operations_done: float,
        rounds: Values | None = None,
        flags: tuple[str, ...] = (),
    ) -> HarnessStages:
        began_at = float(recording.elapsed(np.array([operations_done]))[0])
        stop = recording.until(began_at + self.params.time)
        return HarnessStages(
            operations_done, max(stop - operations_done, 1.0), rounds=rounds, flags=flags
        )


def _run_operations(operations: float, seconds: float) -> float:
    """Operations that take 0.1 s, if so many took so long."""
    return max(RUN / seconds * operations // 1, 1.0)
