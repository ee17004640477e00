"""`plateau plan FILE...`: how to run benchmarks, from recordings of their forks."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from typing import Any, Final

from numpy.typing import ArrayLike

from detectors.__main__ import (
    ANSWERED,
    ERRORS,
    USAGE,
    UsageError,
    add_command,
    complain,
    reader_may_leave,
)
from detectors.command.file_series import series_of_measurement
from detectors.contract import Context, Detector, DetectorError, Values, as_series
from detectors.planning.benchmark_plan import (
    BenchmarkPlan,
    MeasuredFork,
    RepeatCosts,
    benchmark_plan,
)
from detectors.planning.equal_iterations import EqualIterations
from detectors.planning.harness_commands import HARNESSES
from detectors.planning.plan_rows import (
    WRITERS,
    PlannedBenchmark,
    mean_iteration,
    planned_benchmark,
)
from detectors.registry import DEFAULT_METHOD, from_key
from formats import Measurement
from formats.iterations import EXPECTED, IterationLength, length_of, stated_settings
from plateau_perf.measured_files import series_in_files

FORK_SECONDS: Final = 1.0
"""To start a fork, where nobody says how long that takes."""


def plan(
    forks: Sequence[ArrayLike],
    *,
    seconds: float | None = None,
    fork_seconds: float = FORK_SECONDS,
    target: float = 0.01,
    confidence: float = 0.95,
    method: str = DEFAULT_METHOD,
    context: Context | None = None,
    recorded_from: int = 0,
) -> BenchmarkPlan:
    """Plan how a benchmark is run, given recordings of its forks.

    Args:
        forks: One series each.
        seconds: Length of an iteration; without it the values are how long iterations last.
        fork_seconds: That the start of a fork takes.
        target: The result may be off by this share of the mean.
        confidence: With which probability it is not off by more.
        method: Which says where a fork becomes steady.
        context: Unit and mode, where the method uses them.
        recorded_from: Iterations that each fork ran before its first value.

    Raises:
        DetectorError: A fork has no answer: `BadSeries`, `TooShort`.

    Example:
        >>> noise = np.random.default_rng(1).normal(10, 0.1, (5, 400))
        >>> found = plan(noise, seconds=0.1, method="fixed?iteration=20")
        >>> found.recommended.warm_up, found.lacking
        (10, '')
    """
    detector, full_context = from_key(method), context or Context()
    recorded_forks = [
        _measured_fork(detector, as_series(fork), full_context, recorded_from, EqualIterations())
        for fork in forks
    ]
    costs = RepeatCosts(
        mean_iteration(recorded_forks) if seconds is None else seconds, fork_seconds
    )
    return benchmark_plan(recorded_forks, costs, target=target, confidence=confidence)


def _measured_fork(
    method: Detector,
    values: Values,
    context: Context,
    recorded_start: int,
    iterations: EqualIterations,
) -> MeasuredFork:
    start = method.answer(values, context).steady_start
    return MeasuredFork(iterations.values(values), iterations.index(start), recorded_start)


# --- the command ---
def add_plan(commands: Any) -> None:
    parser = add_command(commands, "plan", plan_files)
    parser.add_argument("files", metavar="FILE", nargs="+", help="files or folders")
    parser.add_argument("--target", metavar="PERCENT", type=float, default=1.0, help="default: 1")
    parser.add_argument("--confidence", metavar="PERCENT", type=float, default=95.0)
    parser.add_argument(
        "--method", metavar="SLUG", default=DEFAULT_METHOD, help="default: %(default)s"
    )
    parser.add_argument("--iteration", metavar="TEXT", default="", help=EXPECTED)
    parser.add_argument("--fork-seconds", metavar="S", type=float, default=FORK_SECONDS)
    parser.add_argument("--most-seconds", metavar="S", type=float, default=math.inf)
    parser.add_argument(
        "--harness", choices=tuple(HARNESSES), default="", help="default: that of the files"
    )
    parser.add_argument("--format", choices=tuple(WRITERS), default="text")


def plan_files(options: argparse.Namespace) -> int:
    """Say with how many warm-up iterations, iterations and forks benchmarks are to be run.

    Forks are series with the same system, benchmark and parameters. Status 0: every benchmark has
    a recommendation that reaches the target; 1: some have none; 2: usage, or a file that cannot
    be read.
    """
    _check(options)
    file_problems: list[object] = []
    groups: dict[tuple[str, str, str], list[tuple[str, Measurement]]] = {}
    for path, measurement in series_in_files(options.files, file_problems):
        key = (measurement.system, measurement.benchmark, measurement.params)
        groups.setdefault(key, []).append((str(path), measurement))
    planned_benchmarks = [_plan_benchmark(name, forks, options) for name, forks in groups.items()]
    with reader_may_leave():
        WRITERS[options.format](planned_benchmarks, sys.stdout)
    for problem in file_problems:
        complain(problem)
    is_reached = all(
        benchmark.plan is not None and not benchmark.plan.lacking
        for benchmark in planned_benchmarks
    )
    return USAGE if file_problems else ANSWERED if is_reached else ERRORS


def _check(options: argparse.Namespace) -> None:
    if not 0 < options.target < math.inf:
        raise UsageError(f"--target: found {options.target:g}, expected more than 0 percent")
    if not 0 < options.confidence < 100:
        raise UsageError(f"--confidence: found {options.confidence:g}, expected 0 to 100 percent")
    for name in ("fork_seconds", "most_seconds"):
        if not getattr(options, name) >= 0:
            raise UsageError(f"--{name.replace('_', '-')}: expected 0 or more seconds")
    from_key(options.method)
    try:
        stated_settings(options.iteration)
    except ValueError as error:
        raise UsageError(f"--iteration: {error}") from None


def _plan_benchmark(
    name: tuple[str, str, str],
    forks: Sequence[tuple[str, Measurement]],
    options: argparse.Namespace,
) -> PlannedBenchmark:
    benchmark_name = "|".join(text for text in name if text) or forks[0][1].label
    lengths = [_length(measurement, options) for _, measurement in forks]
    try:
        recorded_forks = [
            _ask_method(file, measurement, options.method, length)
            for (file, measurement), length in zip(forks, lengths, strict=True)
        ]
    except DetectorError as error:
        return PlannedBenchmark(benchmark_name, len(forks), None, problem=str(error))
    first_measurement, length = forks[0][1], lengths[0]
    if length is None:
        problem = "nobody says how long an iteration lasts: --iteration '100 ms' tells it"
        return PlannedBenchmark(benchmark_name, len(forks), None, problem=problem)
    return planned_benchmark(
        benchmark_name,
        first_measurement.benchmark or benchmark_name,
        recorded_forks,
        seconds=length.seconds,
        fork_seconds=options.fork_seconds,
        harness=options.harness,
        settings=first_measurement.settings,
        steady_by=from_key(options.method).title,
        target=options.target / 100,
        confidence=options.confidence / 100,
        most_seconds=options.most_seconds,
    )


def _length(measurement: Measurement, options: argparse.Namespace) -> IterationLength | None:
    settings = {**measurement.settings, **stated_settings(options.iteration)}
    return length_of(measurement.unit, measurement.mode, settings)


def _ask_method(
    file: str, measurement: Measurement, method: str, length: IterationLength | None
) -> MeasuredFork:
    job = series_of_measurement(file, measurement)
    recorded_start, iterations = 0, EqualIterations()
    if length is not None:
        recorded_start = length.recorded_from
        iterations = EqualIterations(min(length.warmup, job.values.size), length.warmup_share)
    return _measured_fork(from_key(method), job.values, job.context, recorded_start, iterations)
