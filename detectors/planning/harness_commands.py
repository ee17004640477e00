"""The command line of a harness for a number of warm-up iterations, iterations and forks. Pure.

Where a harness counts time instead of iterations, the time of so many iterations is given to it.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

HarnessName = Literal[
    "jmh", "jmh-annotations", "pyperf", "benchmarkdotnet", "google", "criterion", "go", "hyperfine"
]
RECORDED_BY: Final = "harness"
"""The setting of a recording that names the harness of its file, as `HarnessName`."""


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """Run to command: iterations of `seconds` each; `one_operation`: each is one call.

    benchmark  its name, as the harness knows it
    package    of Go, with which the name begins; empty: that of the folder
    """

    benchmark: str
    warm_up: int
    iterations: int
    forks: int
    seconds: float
    one_operation: bool = False
    package: str = ""


@dataclass(frozen=True, slots=True)
class HarnessCommand:
    """Command and note that are printed for one harness.

    note  what the harness has no option for; may be empty
    run   what the text asks for
    """

    name: HarnessName
    title: str
    text: str
    note: str
    run: HarnessRun


def harness_command(name: HarnessName, run: HarnessRun) -> HarnessCommand:
    """The command line, or the lines of source where the harness has no options for it."""
    title, write_command = HARNESSES[name]
    text, note = write_command(run)
    return HarnessCommand(name, title, text, note, run)


def recording_harness(settings: Mapping[str, object]) -> HarnessName:
    """The harness whose file had these settings; JMH where they name none that has a command."""
    name = settings.get(RECORDED_BY)
    return next((harness for harness in HARNESSES if harness == name), "jmh")


def _jmh_command(run: HarnessRun) -> tuple[str, str]:
    # The pattern that JMH takes is found anywhere in a name: only its end is bound.
    name = shlex.quote(f"{re.escape(run.benchmark)}$")
    counts = f"-wi {run.warm_up} -i {run.iterations} -f {run.forks}"
    if run.one_operation:
        return f"java -jar benchmarks.jar {name} -bm ss {counts}", ""
    is_whole_seconds = run.seconds >= 1 and float(run.seconds).is_integer()
    span = f"{run.seconds:.0f}s" if is_whole_seconds else f"{_milliseconds(run.seconds)}ms"
    return (
        (
            f"java -jar benchmarks.jar {name} -wi {run.warm_up} -w {span} "
            f"-i {run.iterations} -r {span} -f {run.forks}"
        ),
        "",
    )


def _jmh_annotations(run: HarnessRun) -> tuple[str, str]:
    time = ""
    if not run.one_operation:
        time = f", time = {_milliseconds(run.seconds)}, timeUnit = TimeUnit.MILLISECONDS"
    mode = "@BenchmarkMode(Mode.SingleShotTime)\n" if run.one_operation else ""
    return (
        (
            f"{mode}@Warmup(iterations = {run.warm_up}{time})\n"
            f"@Measurement(iterations = {run.iterations}{time})\n"
            f"@Fork({run.forks})"
        ),
        "",
    )


def _pyperf(run: HarnessRun) -> tuple[str, str]:
    counts = f"--warmups {run.warm_up} --values {run.iterations} --processes {run.forks}"
    loops = " --loops 1" if run.one_operation else f" --min-time {run.seconds:g}"
    return f"python bench.py {counts}{loops}", ""


def _benchmark_dot_net(run: HarnessRun) -> tuple[str, str]:
    text = (
        f"[SimpleJob(launchCount: {run.forks}, warmupCount: {run.warm_up}, "
        f"iterationCount: {run.iterations}{', invocationCount: 1' if run.one_operation else ''})]"
    )
    if run.one_operation:
        return text, ""
    return text, f"The length of an iteration is set by [IterationTime({run.seconds * 1000:g})]."


def _google(run: HarnessRun) -> tuple[str, str]:
    name = shlex.quote(f"^{re.escape(run.benchmark)}$")
    span = f"--benchmark_min_time={'1x' if run.one_operation else f'{run.seconds:g}s'}"
    text = (
        f"for fork in $(seq {run.forks}); do ./benchmarks --benchmark_filter={name} "
        f"--benchmark_min_warmup_time={run.warm_up * run.seconds:g} {span} "
        f"--benchmark_repetitions={run.iterations} --benchmark_out=fork$fork.json; done"
    )
    return text, "Forks are runs of the program; the warm-up is a time and is repeated each time."


def _criterion(run: HarnessRun) -> tuple[str, str]:
    samples = max(run.iterations, 10)
    text = (
        f"for fork in $(seq {run.forks}); do cargo bench -- {shlex.quote(run.benchmark)} "
        f"--warm-up-time {_criterion_seconds(run.warm_up * run.seconds)} --sample-size {samples} "
        f"--measurement-time {_criterion_seconds(samples * run.seconds)}; done"
    )
    return text, "Forks are runs of the program; Criterion takes ten samples at the least."


def _go_command(run: HarnessRun) -> tuple[str, str]:
    name = f"Benchmark{run.benchmark.removeprefix(f'{run.package}/')}"
    pattern = shlex.quote("/".join(f"^{re.escape(level)}$" for level in name.split("/")))
    # Go refuses an exponent, and a length of zero.
    milliseconds = f"{max(run.seconds * 1000, 1e-6):.6f}".rstrip("0").rstrip(".")
    length = "1x" if run.one_operation else f"{milliseconds}ms"
    command = (
        f"for fork in $(seq {run.forks}); do go test -run '^$' -bench {pattern} "
        f"-benchtime {length} -count {run.warm_up + run.iterations} "
        f"{shlex.quote(run.package or '.')} > fork$fork.txt; done"
    )
    warm_up_words = f"the first {run.warm_up} lines of each file" if run.warm_up else "no line"
    return command, f"Forks are runs of the program; {warm_up_words} are warm-up."


def _hyperfine_command(run: HarnessRun) -> tuple[str, str]:
    runs = run.iterations * run.forks
    command = (
        f"hyperfine --warmup {run.warm_up} --runs {runs} --export-json times.json "
        f"{shlex.quote(run.benchmark)}"
    )
    return command, "Each run is a process of its own, so forks add runs and no warm-up."


HARNESSES: Final[dict[HarnessName, tuple[str, Callable[[HarnessRun], tuple[str, str]]]]] = {
    "jmh": ("JMH", _jmh_command),
    "jmh-annotations": ("JMH annotations", _jmh_annotations),
    "pyperf": ("pyperf", _pyperf),
    "benchmarkdotnet": ("BenchmarkDotNet", _benchmark_dot_net),
    "google": ("Google Benchmark", _google),
    "criterion": ("Criterion.rs", _criterion),
    "go": ("Go", _go_command),
    "hyperfine": ("hyperfine", _hyperfine_command),
}


def _milliseconds(seconds: float) -> int:
    return max(math.ceil(seconds * 1000 - 1e-9), 1)


def _criterion_seconds(seconds: float) -> str:
    """Criterion refuses a time of zero."""
    return f"{max(seconds, 0.001):g}"
