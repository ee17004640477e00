"""Plans of benchmarks with their commands, as text, CSV and JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Literal, TextIO

import numpy as np

from detectors.planning.benchmark_plan import (
    BenchmarkPlan,
    MeasuredFork,
    RepeatCosts,
    benchmark_plan,
)
from detectors.planning.harness_commands import (
    HarnessCommand,
    HarnessName,
    HarnessRun,
    harness_command,
    recording_harness,
)
from detectors.planning.plan_words import plan_note, plan_sentence, trial_words

CONFIGURED_PARTS = ("warmup", "measurement")


@dataclass(frozen=True, slots=True)
class PlannedBenchmark:
    """One benchmark: its name, how many recorded forks, its plan and how to run that.

    steady_by  who says where forks become steady: a yardstick or a method
    plan is None, and `problem` says why, where a fork has no answer, or nobody says how long an
    iteration lasts; command is None where nothing is recommended.
    """

    name: str
    forks: int
    plan: BenchmarkPlan | None
    command: HarnessCommand | None = None
    problem: str = ""
    steady_by: str = ""


def planned_benchmark(
    name: str,
    benchmark: str,
    forks: Sequence[MeasuredFork],
    *,
    seconds: float | None,
    fork_seconds: float,
    harness: HarnessName | Literal[""],
    settings: Mapping[str, object],
    steady_by: str,
    **plan_options: float,
) -> PlannedBenchmark:
    """The plan of a benchmark, and how its harness is told.

    name              that the row has; `benchmark`, that the harness knows
    seconds           length of an iteration; None: of one operation, as long as its value says
    harness           that the command is written for; empty: the one that recorded the forks
    settings          that the forks were recorded with, which say how long the present test takes
    steady_by         who says where forks become steady
    plan_options      target, confidence and more of `benchmark_plan`
    """
    iteration_seconds = mean_iteration(forks) if seconds is None else seconds
    costs = RepeatCosts(iteration_seconds, fork_seconds)
    present_seconds = configured_seconds(settings, costs)
    plan = benchmark_plan(forks, costs, present=present_seconds, **plan_options)
    best_configuration = plan.recommended
    if best_configuration is None:
        return PlannedBenchmark(name, len(forks), plan, steady_by=steady_by)
    counts = best_configuration.warm_up, best_configuration.iterations, best_configuration.forks
    run = HarnessRun(
        *(benchmark, *counts, iteration_seconds),
        one_operation=seconds is None,
        package=str(settings.get("package", "")),
    )
    command = harness_command(harness or recording_harness(settings), run)
    return PlannedBenchmark(name, len(forks), plan, command, steady_by=steady_by)


def configured_seconds(settings: Mapping[str, object], costs: RepeatCosts) -> float | None:
    """Machine time of a test as it is configured; None where the settings do not say it.

    Iterations without a length of their own last as long as recorded ones.
    """
    counts = [settings.get(f"{stage}_iterations") for stage in CONFIGURED_PARTS]
    forks = settings.get("forks")
    if not isinstance(forks, int) or not all(isinstance(count, int) for count in counts):
        return None
    lengths = [settings.get(f"{stage}_seconds") for stage in CONFIGURED_PARTS]
    seconds = [
        count * (length if isinstance(length, int | float) and length > 0 else costs.iteration)
        for count, length in zip(counts, lengths, strict=True)
        if isinstance(count, int)
    ]
    return forks * (costs.fork + sum(seconds)) or None


def mean_iteration(forks: Sequence[MeasuredFork]) -> float:
    """Seconds of an iteration, of forks whose values are how long each one lasted."""
    return float(np.mean(np.concatenate([fork.values for fork in forks])))


@dataclass(frozen=True, slots=True)
class PlanRow:
    """The columns, in their order; None is an empty cell."""

    benchmark: str
    forks_recorded: Annotated[int, "forks whose start is known"]
    forks_never_steady: Annotated[int | None, "of them"]
    warm_up: Annotated[int | None, "iterations to leave out, from the start of the process"]
    unrecorded: Annotated[int | None, "of them, run before the first recorded value"]
    warm_up_low: Annotated[int | None, "95 % interval of the start that is to be covered"]
    warm_up_high: Annotated[int | None, "its upper end"]
    iterations: Annotated[int | None, "to measure in each fork"]
    forks: Annotated[int | None, "to run"]
    precision: Annotated[
        float | None, "that is promised: the target, or the nearest in reach, a share of the mean"
    ]
    half_width: Annotated[float | None, "of the results around their mean, a share of it"]
    bias: Annotated[
        float | None, "of these iterations in the recorded forks, a share of the steady mean"
    ]
    bias_most: Annotated[float | None, "upper bound of its size"]
    seconds: Annotated[float | None, "machine time"]
    trials_kept: Annotated[
        float | None, "share kept in trials of plans of such a precision, at 95 %; else empty"
    ]
    trials_oracle: Annotated[float | None, "their median time over the least possible"]
    lacking: Annotated[
        str, "why the target is not planned; out of reach, too long: the nearest in reach may be"
    ]
    steady_by: Annotated[str, "who says where forks become steady: a yardstick or a method"]
    command: Annotated[str, "of the harness, or lines of source"]


def plan_row(benchmark: PlannedBenchmark) -> PlanRow:
    warm_up = benchmark.plan.warm_up if benchmark.plan else None
    best_configuration = benchmark.plan.recommended if benchmark.plan else None
    trials = benchmark.plan.trials if benchmark.plan else None
    return PlanRow(
        benchmark=benchmark.name,
        forks_recorded=benchmark.forks,
        forks_never_steady=warm_up.never if warm_up else None,
        warm_up=best_configuration.warm_up
        if best_configuration
        else warm_up.iterations
        if warm_up
        else None,
        unrecorded=warm_up.unrecorded if warm_up else None,
        warm_up_low=warm_up.low if warm_up else None,
        warm_up_high=warm_up.high if warm_up else None,
        iterations=best_configuration.iterations if best_configuration else None,
        forks=best_configuration.forks if best_configuration else None,
        precision=benchmark.plan.precision if benchmark.plan and best_configuration else None,
        half_width=best_configuration.half_width if best_configuration else None,
        bias=best_configuration.bias if best_configuration else None,
        bias_most=best_configuration.bias_most if best_configuration else None,
        seconds=best_configuration.seconds if best_configuration else None,
        trials_kept=trials.kept if trials else None,
        trials_oracle=trials.oracle if trials else None,
        lacking=benchmark.plan.lacking if benchmark.plan else benchmark.problem,
        steady_by=benchmark.steady_by,
        command=benchmark.command.text if benchmark.command else "",
    )


COLUMNS = tuple(each.name for each in fields(PlanRow))


def write_text(benchmarks: Iterable[PlannedBenchmark], output_file: TextIO) -> None:
    """A paragraph a benchmark: the answer, the command, how far it holds."""
    output_file.write(
        "\n\n".join("\n".join(_paragraph(benchmark)) for benchmark in benchmarks) + "\n"
    )


def _paragraph(benchmark: PlannedBenchmark) -> Iterator[str]:
    yardstick_words = f", steady by {benchmark.steady_by}" if benchmark.steady_by else ""
    yield f"{benchmark.name} ({benchmark.forks} forks{yardstick_words})"
    if benchmark.plan is None:
        yield f"  {benchmark.problem}"
        return
    yield f"  {plan_sentence(benchmark.plan)}"
    if benchmark.command is not None:
        yield from (f"    {line}" for line in benchmark.command.text.splitlines())
        if benchmark.command.note:
            yield f"  {benchmark.command.note}"
    for note in (plan_note(benchmark.plan), trial_words(benchmark.plan)):
        if note:
            yield f"  {note}"


def write_csv(benchmarks: Iterable[PlannedBenchmark], output_file: TextIO) -> None:
    writer = csv.writer(output_file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for benchmark in benchmarks:
        cells = asdict(plan_row(benchmark)).values()
        writer.writerow("" if cell is None else cell for cell in cells)


def write_jsonl(benchmarks: Iterable[PlannedBenchmark], output_file: TextIO) -> None:
    output_file.writelines(
        json.dumps(asdict(plan_row(benchmark)), ensure_ascii=False, allow_nan=False) + "\n"
        for benchmark in benchmarks
    )


WRITERS = {"text": write_text, "csv": write_csv, "jsonl": write_jsonl}
