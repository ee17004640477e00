"""Rules of harnesses against their sources: as loops that run operation by operation, and pyperf.

A source is followed line by line on a clock that an operation moves on by its time; the rules
themselves count whole rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import mean, median, stdev
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pyperf._worker import WorkerTask

from detectors.contract import NEVER, Bands, Context, Curve, Detection, NotAvailable, as_series
from detectors.methods.benchmark_dotnet import FOLLOWED, BenchmarkDotNet, stop_after
from detectors.methods.benchmark_ips import BenchmarkIps
from detectors.methods.criterion import Criterion
from detectors.methods.go_testing import GoTesting
from detectors.methods.google_benchmark import GoogleBenchmark
from detectors.methods.pyperf import Pyperf
from detectors.methods.sailfish import Sailfish, steady_mask
from detectors.rules.harnesses.configured import HarnessRule

ONE_EACH = Context(settings={"operations_per_iteration": 1})
SIXTEENTHS = 1 / 16  # all times below are sums of such parts: no rounding can part two formulations


class OperationClock:
    """Runs the operations of a series; asked for more than there are it says so."""

    def __init__(self, operations: list[float]) -> None:
        self.left, self.ran = iter(operations), 0

    def run(self, operations: float) -> float:
        duration = sum(next(self.left) for _ in range(int(operations)))
        self.ran += int(operations)
        return duration


def go_operations(clock: OperationClock) -> int:
    n, duration, operations_before = 1, clock.run(1), 0
    while duration < 1:
        operations_before, last = clock.ran, n
        n = int(1e9) * n // int(duration * 1e9)
        n = max(min(n + n // 5, 100 * last), last + 1)
        duration = clock.run(n)
    return operations_before


def google_operations(clock: OperationClock, warmup: float = 0.0) -> int:
    operations_before = 0
    for least_seconds in [0.5] if not warmup else [warmup, 0.5]:
        iterations, operations_before = 1, clock.ran
        while (duration := clock.run(iterations)) < least_seconds:
            operations_before, factor = clock.ran, least_seconds * 1.4 / duration
            factor = factor if duration / least_seconds > 0.1 else min(10.0, factor)
            iterations = int(0.5 + max(factor * iterations, iterations + 1.0))
    return operations_before


def criterion_operations(clock: OperationClock) -> int:
    seconds, iterations = 0.0, 1
    while True:
        seconds += clock.run(iterations)
        if seconds > 3:
            return clock.ran
        iterations *= 2


def ips_operations(clock: OperationClock, *, repeats_until_alike: bool = False) -> int:
    seconds, duration, cycles, iters = 0.0, 0.0, 1, 1
    while seconds + 2 * duration < 1:
        duration = clock.run(cycles)
        seconds, iters, cycles = seconds + duration, cycles, 2 * cycles
    cycles, are_alike = max(int(0.1 / duration * iters), 1), False
    while seconds + 0.1 < 2 or (repeats_until_alike and seconds < 30 and not are_alike):
        duration = clock.run(cycles)
        seconds, last = seconds + duration, cycles
        if repeats_until_alike:
            cycles = max(int(0.1 / duration * last), 1)
            are_alike = abs(cycles - last) / last <= 0.01
    return clock.ran


def dotnet(clock: OperationClock) -> int:
    first = clock.run(1)
    if 0.5 / first < 1.5 and first < 10:
        first = clock.run(1)
    invocations = 1
    if 0.5 / first >= 1.5:
        invocations = 2 if np.ceil(0.5 / first) < 16 else 16
        clock.run(0 if invocations == 2 else 16)
        while clock.run(invocations) < 0.5:
            invocations += 1 if invocations < 16 else invocations
    times: list[float] = []
    while len(times) < 50 and (len(times) < 6 or fluctuations(times) < 4):
        times.append(clock.run(invocations))
    return clock.ran


def fluctuations(times: list[float]) -> int:
    direction, count = -1, 0
    for time_before, time_after in pairwise(times):
        new_direction = int(np.sign(time_after - time_before))
        if new_direction != direction or new_direction == 0:
            direction, count = new_direction, count + 1
    return count


def sailfish(clock: OperationClock) -> int:
    durations: list[float] = []
    while len(durations) < 50:
        durations.append(clock.run(1))
        last_durations = durations[-6:]
        if len(durations) < 10:
            continue
        drift = abs(median(last_durations[3:]) - median(last_durations[:3])) / median(
            last_durations[:3]
        )
        if drift <= 0.05 and stdev(last_durations) / mean(last_durations) <= 0.15:
            break
    return clock.ran


class RecordedWorker(WorkerTask):
    """pyperf's own worker, which asks the clock instead of running code."""

    def __init__(self, operations: list[float], loops: int = 0) -> None:
        clock = OperationClock(operations)
        self.args = SimpleNamespace(
            hook=None,
            verbose=False,
            min_time=0.1,
            recalibrate_loops=False,
            recalibrate_warmups=False,
            warmups=None,
            values=3,
        )
        self.task_func = lambda _, loops: clock.run(loops)
        self.metadata: dict[str, Any] = {"unit": "second"}
        self.loops, self.inner_loops = loops, None
        self.warmups: list[Any] = []


def pyperf(operations: list[float]) -> int:
    first = RecordedWorker(operations)
    first.calibrate_loops()
    second_worker = RecordedWorker(operations, first.loops)
    second_worker.calibrate_warmups()
    warmups: int = second_worker.metadata["calibrate_warmups"]
    return warmups * first.loops


def falling_operations(scale: float, *, steps: int, noise: int, seed: int) -> list[float]:
    """Operations of whole sixteenths of `scale`, which fall in steps to a noisy level."""
    rng = np.random.default_rng(seed)
    level = np.maximum(64 - np.arange(4000) // steps * 4, 16)
    operations: list[float] = (
        (level + rng.integers(0, noise + 1, 4000)) * SIXTEENTHS * scale
    ).tolist()
    return operations


SERIES = {
    "long operations": falling_operations(0.25, steps=3, noise=2, seed=1),
    "short ones": falling_operations(2**-6, steps=20, noise=1, seed=2),
    "noisy": falling_operations(2**-6, steps=5, noise=12, seed=3),
    "level": falling_operations(2**-5, steps=1, noise=0, seed=4),
    "single ones": falling_operations(2.0, steps=2, noise=1, seed=5),
}
LOOPS: list[tuple[HarnessRule, Callable[[OperationClock], int]]] = [
    (GoTesting(), go_operations),
    (GoogleBenchmark(), google_operations),
    (GoogleBenchmark(min_warmup_time=1.0), lambda clock: google_operations(clock, 1.0)),
    (Criterion(), criterion_operations),
    (BenchmarkIps(), ips_operations),
    (BenchmarkIps(rule="pull-135"), lambda clock: ips_operations(clock, repeats_until_alike=True)),
    (BenchmarkDotNet(), dotnet),
    (Sailfish(rule="until-steady"), sailfish),
]


@pytest.mark.parity(
    "go-testing", "google-benchmark", "criterion", "benchmark-ips", "benchmark-dotnet", "sailfish"
)
@pytest.mark.parametrize("name", SERIES)
def test_warms_up_as_the_source_does(name: str) -> None:
    operations = SERIES[name]

    expected = [source(OperationClock(operations)) for _, source in LOOPS]

    assert [rule.answer(operations, ONE_EACH).steady_start for rule, _ in LOOPS] == expected


@pytest.mark.parity("pyperf")
@pytest.mark.parametrize("name", ["short ones", "noisy", "level"])
def test_calibrates_as_pyperf_itself_does(name: str) -> None:
    jitter = np.random.default_rng(6).exponential(1 / 64, 8 * 4000)  # pyperf divides by a spread
    operations = (np.tile(SERIES[name], 8) * (1 + jitter)).tolist()

    detection = Pyperf(warmups=-1).answer(operations, ONE_EACH)

    assert detection.steady_start == pyperf(operations)
    worker = RecordedWorker(operations)
    worker.calibrate_loops()
    assert Pyperf().answer(operations, ONE_EACH).steady_start == int(worker.loops)


def test_pyperf_gives_up_after_300_values_as_itself() -> None:
    operations = np.geomspace(1e5, 1.0, 3000).tolist()

    with pytest.raises(SystemExit):
        pyperf(operations)

    detection = Pyperf(warmups=-1).answer(operations, ONE_EACH)
    assert detection == Detection(NEVER, 2999, 2999, ("gave-up",))


def test_the_page_of_benchmark_dotnet_names_the_release_that_is_followed() -> None:
    page = (Path(__file__).parents[3] / "docs/detectors/benchmark-dotnet.md").read_text("utf-8")

    assert f"**Source.** BenchmarkDotNet {FOLLOWED}, " in page
    assert BenchmarkDotNet.source.url.endswith(f"/tree/v{FOLLOWED}")


@pytest.mark.parametrize(
    ("times", "warmup"),
    [
        (np.ones(50), 6),
        (np.arange(50), 50),
        (np.arange(50) % 2, 6),
        (np.maximum(9 - np.arange(50), 0), 14),
    ],
)
def test_the_cases_of_benchmark_dotnet(times: Any, warmup: int) -> None:
    """dotnet/BenchmarkDotNet: tests/BenchmarkDotNet.Tests/Engine/EngineWarmupStageTests.cs."""
    assert stop_after(as_series(times), 6, 50, 4) == warmup


@pytest.mark.parametrize(
    ("durations", "is_steady"),
    [
        ([10] * 6, True),
        ([100, 80, 40, 20, 10, 10, 10, 10, 10, 10], True),
        ([60, 50, 40, 30, 20, 10], False),
        ([20, 20, 20, 20, 40, 0], False),
        ([100_000, 12, 12, 11, 12, 12, 11, 12], True),
    ],
)
def test_the_cases_of_sailfish(durations: list[float], *, is_steady: bool) -> None:
    """paulegradie/Sailfish: source/Tests.Library, SteadyStateWarmupDetectorTests."""
    assert steady_mask(as_series(durations))[-1] == is_steady


def test_operations_are_counted_within_the_iterations_that_were_recorded() -> None:
    """100 operations of 1 ms an iteration; Go runs 1, 100 and then about 1,200."""
    values = np.full(40, 0.001)

    assert GoTesting().windows(as_series(values), Context()) == (2, 12)
    assert GoTesting().answer(values) == Detection(2, 1, 1)
    assert Sailfish().answer(values) == Detection(1, 0, 0)
    assert GoTesting().answer(1 / values, Context("ops/s")) == Detection(2, 1, 1)


RULES = [rule for rule, _ in LOOPS] + [Pyperf(), Pyperf(warmups=-1), Sailfish()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_a_series_that_ends_before_the_warm_up_is_over_is_never_steady(rule: HarnessRule) -> None:
    assert rule.answer([]) == Detection(NEVER, -1, -1, ("exhausted",))
    assert rule.answer([0.02], ONE_EACH) == Detection(NEVER, 0, 0, ("exhausted",))
    assert rule.answer(np.full(5, 1e-310)).steady_start >= NEVER  # ends, whatever the times


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
def test_what_is_no_time_has_no_operations(rule: HarnessRule) -> None:
    with pytest.raises(NotAvailable, match="values are in MB: operations cannot be counted"):
        rule.answer(np.ones(9), Context(unit="MB", seconds_per_iteration=1.0))


@pytest.mark.parametrize(
    ("rule", "values", "context"),
    [
        (BenchmarkDotNet(), np.linspace(9.0, 1.0, 300), ONE_EACH),
        (BenchmarkIps(rule="pull-135"), 0.001 * 0.98 ** np.arange(400), Context()),
        (Sailfish(rule="until-steady"), np.tile([0.003, 0.03], 99), ONE_EACH),
    ],
)
def test_what_never_looks_steady_is_ended_by_the_cap(
    rule: HarnessRule, values: Any, context: Context
) -> None:
    assert rule.answer(values, context).flags == ("capped",)


def bands(rule: HarnessRule, values: Any) -> Iterator[tuple[str, tuple[int, int]]]:
    first, *_ = rule.evidence(as_series(values), ONE_EACH)
    assert isinstance(first, Bands)
    return zip(first.notes, first.spans, strict=True)


def test_evidence_shows_the_stages_and_the_rounds_that_were_judged() -> None:
    values = np.tile([0.5, 0.25], 50)  # two of them, twice: a round of 0.75 s

    rule = BenchmarkDotNet()
    curve = rule.evidence(as_series(values), ONE_EACH)[1]

    assert dict(bands(rule, values)) == {
        "calibration": (0, 4),
        "warm-up": (4, 16),
        "measurement": (16, 46),
    }
    assert isinstance(curve, Curve)
    assert curve.x is not None
    assert curve.x.tolist() == [5, 7, 9, 11, 13, 15]
    assert curve.y.tolist() == [0.375] * 6
