"""A series as the operations behind it, for rules of harnesses that count operations.

A recorded iteration holds whole operations, and its value is their mean: each of them is taken
to have lasted so long. A harness runs rounds of operations; where one begins or ends within an
iteration, a part of its operations is counted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from detectors.api import Context, Detection, Values, draw
from detectors.contract import NotAvailable
from detectors.rules.harnesses.configured import (
    TIMES,
    HarnessRule,
    detection_after,
    durations,
    unrecorded_iterations,
)

MOST_OPERATIONS: Final = 1e15  # of an iteration; what would be shorter takes no time to speak of
MOST_SECONDS: Final = 1e300
FIRST_MISSING: Final = (
    "warm-up was run before the first recorded value, and the rule looks at it from the start of "
    "the process on"
)
SHORTEST_ROUND: Final = 1e-9  # s, as clocks tell: harnesses never divide by less


@dataclass(frozen=True, slots=True, eq=False)
class RecordedOperations:
    """Operations of a series in the order in which they ran.

    ends     operations before the first iteration and until the end of each: float64 (n + 1,)
    seconds  until then: float64 (n + 1,)
    """

    ends: Values
    seconds: Values

    @classmethod
    def from_values(
        cls, values: Values, context: Context, iteration_time: float
    ) -> RecordedOperations:
        """Raises BadSeries for a value that is no duration.

        Raises NotAvailable where values are no times, and where a process ran operations before
        the first value: the rules look at operations from its start on.

        iteration_time: seconds of an iteration where the series does not say.
        """
        if context.unit not in TIMES:
            reason = f"values are in {context.unit}: operations cannot be counted"
            raise NotAvailable(f"{reason}; expected times, such as s/op")
        if unrecorded_iterations(context):
            raise NotAvailable(FIRST_MISSING)
        with np.errstate(over="ignore"):
            operation_counts = np.rint(durations(values, context, iteration_time) / values)
            operation_counts = np.minimum(operation_counts, MOST_OPERATIONS)
            seconds = np.minimum(np.cumsum(operation_counts * values), MOST_SECONDS)
        return cls(np.r_[0.0, np.cumsum(operation_counts)], np.r_[0.0, seconds])

    def elapsed(self, operations: Values) -> Values:
        """Seconds until so many operations are over; infinite beyond the end of the series."""
        return np.interp(operations, self.ends, self.seconds, right=np.inf)

    def round(self, begin: float, operations: float) -> float:
        """Seconds of so many operations after the first `begin`, at least `SHORTEST_ROUND`.

        Infinite where the series ends before they are over.
        """
        stop = begin + operations
        if stop > self.ends[-1]:
            return np.inf
        seconds_before, seconds_after = self.elapsed(np.array([begin, stop]))
        return max(float(seconds_after - seconds_before), SHORTEST_ROUND)

    def until(self, seconds: float) -> float:
        """Operations that are over, or have begun, after so many seconds."""
        return float(np.ceil(np.interp(seconds, self.seconds, self.ends)))

    def iterations(self, operations: float) -> int:
        """Recorded iterations that hold the first so many operations; all where they do not."""
        return min(int(np.searchsorted(self.ends, operations)), self.ends.size - 1)


Following = Callable[[float, float], float]
"""From operations and seconds of a round to the operations of the next; 0 after the last one."""


def ramp(recording: RecordedOperations, begin: float, next_operations: Following) -> list[float]:
    """Operations of rounds that follow one another after `begin`; the first is one operation."""
    rounds = [1.0]
    while operations := next_operations(rounds[-1], recording.round(begin, rounds[-1])):
        begin += rounds[-1]
        rounds.append(operations)
    return rounds


@dataclass(frozen=True, slots=True, eq=False)
class HarnessStages:
    """Stages of a harness on a series, in operations.

    warmup       until its warm-up is over; infinite where it never measures
    measured     of the measurement after it
    calibration  of these, until it knows how many operations make a round
    rounds       ends of the rounds that its rule looked at, after where the first begins
    flags        as of a detection
    """

    warmup: float
    measured: float
    calibration: float = 0.0
    rounds: Values | None = None
    flags: tuple[str, ...] = ()


class OperationsRule(HarnessRule):
    """A rule of a harness that counts operations, or the time of rounds of them."""

    @abstractmethod
    def stages(self, recording: RecordedOperations) -> HarnessStages:
        """Stages that the harness would run."""

    def windows(self, values: Values, context: Context) -> tuple[int, int]:
        return self.windows_of(RecordedOperations.from_values(values, context, self.iteration_time))

    def windows_of(self, recording: RecordedOperations) -> tuple[int, int]:
        """Warm-up and measurement of a series whose operations are counted, as rules of one kind
        share them.
        """
        return self._windows(recording, self.stages(recording))

    def detect(self, values: Values, context: Context) -> Detection:
        recording, stages = self._recording_and_stages(values, context)
        detection = detection_after(recording.iterations(stages.warmup), values.size)
        return replace(detection, flags=stages.flags or detection.flags)

    def evidence(self, values: Values, context: Context) -> draw.Drawings:
        recording, stages = self._recording_and_stages(values, context)
        warmup, measurement = self._windows(recording, stages)
        calibration = min(recording.iterations(stages.calibration), warmup)
        spans = {
            "calibration": (0, calibration),
            "warm-up": (calibration, warmup),
            "measurement": (warmup, warmup + measurement),
        }
        meaning = "Iterations that hold the operations of each stage."
        bands = draw.stage_bands(spans, "as the harness would run it", meaning)
        return (bands, *_round_curves(recording, stages.rounds))

    def _recording_and_stages(
        self, values: Values, context: Context
    ) -> tuple[RecordedOperations, HarnessStages]:
        recording = RecordedOperations.from_values(values, context, self.iteration_time)
        return recording, self.stages(recording)

    def _windows(self, recording: RecordedOperations, stages: HarnessStages) -> tuple[int, int]:
        """The measurement begins with a whole iteration."""
        warmup = recording.iterations(stages.warmup)
        stop = recording.iterations(float(recording.ends[warmup]) + stages.measured)
        return warmup, stop - warmup


def _round_curves(recording: RecordedOperations, rounds: Values | None) -> draw.Drawings:
    """The rounds that the rule looked at; those within one iteration are one place."""
    if rounds is None or rounds.size < 2:
        return ()
    operation_seconds = np.diff(recording.elapsed(rounds)) / np.diff(rounds)
    x, last = np.unique([recording.iterations(end) - 1 for end in rounds[:0:-1]], return_index=True)
    curve = draw.Curve(
        operation_seconds[::-1][last],
        label="time of an operation in each round",
        x=x.astype(np.int64),
        unit="s",
        shape="line",
        meaning="The rounds that the rule looks at, each at the iteration in which it ends.",
    )
    return (curve,)
