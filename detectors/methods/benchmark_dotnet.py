"""BenchmarkDotNet: warm-up iterations until their times have turned up or down four times."""

from __future__ import annotations

from typing import Final

import numpy as np

from detectors.api import Detector, Source, Values, parameter
from detectors.rules.harnesses.configured import iteration_time_parameter
from detectors.rules.harnesses.operations import HarnessStages, OperationsRule, RecordedOperations

FOLLOWED: Final = "0.15.8"
"""The release whose engine is simulated; later ones have a stage for the compiler before it."""
UNROLLED: Final = 16  # operations of the first round of a short benchmark
FEWEST: Final = 2  # of one that a round of 16 would be too long for
SLOW: Final = 1.5  # times that an operation fits a round, below which it is a round
RECOMPILED: Final = 10.0  # s: a first operation below that is looked at again
MEASURED: Final = 15  # iterations at least


class BenchmarkDotNet(OperationsRule):
    slug, version = "benchmark-dotnet", "3"
    title = "BenchmarkDotNet"
    code, slot = "BDN", 50
    source = Source(
        f"BenchmarkDotNet {FOLLOWED}; dotnet/BenchmarkDotNet: src/BenchmarkDotNet/Engines/"
        "EngineWarmupStage.cs, EnginePilotStage.cs, EngineFactory.cs",
        url=f"https://github.com/dotnet/BenchmarkDotNet/tree/v{FOLLOWED}",
        section="automatic warm-up of the throughput strategy",
    )
    family = "Harnesses"

    class Params(Detector.Params):
        fewest: int = parameter(
            6,
            low=1,
            high=100_000,
            unit="iterations",
            help="So many iterations of warm-up at least.",
        )
        most: int = parameter(
            50,
            low=1,
            high=100_000,
            unit="iterations",
            help="So many iterations of warm-up at most.",
        )
        turns: int = parameter(
            4, low=1, high=100_000, help="Changes of direction, and equal times, that end it."
        )
        round_time: float = parameter(
            0.5, low=1e-9, high=1e6, unit="s", help="An iteration lasts so long at least."
        )
        iteration_time: float = iteration_time_parameter()

    params: Params

    def stages(self, recording: RecordedOperations) -> HarnessStages:
        p = self.params
        begin, operations = self._pilot(recording)
        ends = begin + operations * np.arange(p.most + 1)
        ends = ends[ends <= recording.ends[-1]]
        times = np.diff(recording.elapsed(ends))
        run = stop_after(times, min(p.fewest, p.most), p.most, p.turns)
        warmup = np.inf if run > times.size else begin + operations * run
        is_capped = run == p.most and turns_of(times[: p.most]) < p.turns
        return HarnessStages(
            float(warmup),
            MEASURED * operations,
            calibration=begin,
            rounds=ends[: run + 1],
            flags=("capped",) if is_capped and np.isfinite(warmup) else (),
        )

    def _pilot(self, recording: RecordedOperations) -> tuple[float, float]:
        """Operations until a round is long enough, and those of the round."""
        first_seconds, operations_done = recording.round(0, 1), 1.0
        if self.params.round_time / first_seconds < SLOW and first_seconds < RECOMPILED:
            first_seconds, operations_done = recording.round(operations_done, 1), 2.0
        fits = self.params.round_time / first_seconds
        if fits < SLOW:
            return operations_done, 1.0
        is_short = fits > UNROLLED - 1
        operations_done, operations = (
            (operations_done + UNROLLED, float(UNROLLED))
            if is_short
            else (operations_done, float(FEWEST))
        )
        while recording.round(operations_done, operations) < self.params.round_time:
            operations_done += operations
            operations = operations + 1 if operations < UNROLLED else 2 * operations
        return operations_done + operations, operations


def turns_of(times: Values) -> int:
    """Changes of direction, the first one from falling, and equal neighbours."""
    direction = np.sign(np.diff(times))
    return int(((direction != np.r_[-1, direction[:-1]]) | (direction == 0)).sum())


def stop_after(times: Values, least_runs: int, most_runs: int, turns: int) -> int:
    """Iterations of warm-up; more than there are times where these do not say.

    times: of up to `most_runs` iterations.
    """
    for run in range(least_runs, min(times.size, most_runs) + 1):
        if turns_of(times[:run]) >= turns:
            return run
    return most_runs
