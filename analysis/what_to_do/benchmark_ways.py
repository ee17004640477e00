"""Ways on the recorded forks of one benchmark: the plan, then rules of harnesses, then methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from analysis.harness.outcomes import HarnessOutcome, outcomes_of
from analysis.harness.rules import HARNESSES, HarnessChoice
from analysis.methods.series_context import context_of_series
from analysis.planner.reads import PREFERRED, PlannedFork, PlanPage, StartSource
from analysis.references.iteration_seconds import seconds_until
from analysis.what_to_do.ways import MeasuredWindows, Way, WaysTable, way_from_windows, window_error
from detectors.contract import NEVER
from detectors.planning.benchmark_plan import RepeatCosts
from detectors.planning.harness_commands import HarnessName
from formats.iterations import context_settings, length_of

UNPLANNED: Final = 100  # iterations that are measured where no plan says how many
ENDS_TOO_EARLY: Final = "the series end before it would measure"
NEVER_STEADY: Final = "it calls these forks never steady"
RULES: Final[dict[HarnessName, str]] = {
    "jmh": "jmh-default",
    "jmh-annotations": "jmh-default",
    "pyperf": "pyperf",
    "benchmarkdotnet": "benchmark-dotnet",
    "google": "google-benchmark",
    "criterion": "criterion",
    "go": "go-testing",
    "hyperfine": "developer",  # hyperfine has no rule: its user states the warm-up runs
}
"""Rule by default of the harness that a command is written for."""
OWN_RULE: Final = "developer"


@dataclass(frozen=True, slots=True)
class TestSize:
    """Measured iterations of a fork and number of forks, with what repeating them costs."""

    iteration_count: int
    fork_count: int
    costs: RepeatCosts

    def seconds(self, warm_up: float) -> float:
        """Machine time of the whole test with so many iterations left out, on average."""
        return self.costs.seconds(round(warm_up), self.iteration_count, self.fork_count)


def benchmark_ways(
    page: PlanPage, harness: HarnessName, length_settings: dict[str, object]
) -> WaysTable:
    """Every way on the steady forks of a page with a warm-up.

    harness    that the command is written for
    iteration  settings that say how long an iteration lasts, beside the stored ones
    """
    plan, forks = page.plan, [fork for fork in page.forks if fork.measured_fork.steady]
    if plan is None or plan.warm_up is None or page.source is None:
        raise ValueError("a page without a warm-up has no ways")
    best_configuration = plan.recommended
    test = TestSize(
        best_configuration.iterations if best_configuration else UNPLANNED,
        best_configuration.forks if best_configuration else len(page.forks),
        plan.costs,
    )
    warm_up = best_configuration.warm_up if best_configuration else plan.warm_up.iterations
    ways = [
        _answer_way(page.source, forks, warm_up, test),
        *_harness_ways(forks, test, length_settings),
        *_method_ways(page, forks, test),
    ]
    return WaysTable(
        unit="iterations",
        ways=ways,
        starts=np.sort(np.array([fork.measured_fork.warm_up for fork in forks], np.float64)),
        fork_count=test.fork_count,
        first=(RULES[harness], OWN_RULE, *PREFERRED),
    )


def _answer_way(
    source: StartSource, forks: Sequence[PlannedFork], warm_up: int, test: TestSize
) -> Way:
    windows = _windows(((fork, warm_up - fork.measured_fork.recorded_from) for fork in forks), test)
    return way_from_windows(
        "answer",
        source.title,
        windows,
        test.seconds(warm_up),
        words=f"leave out {warm_up}",
        symbol=source.style.symbol if source.style else "symbol-truth",
    )


# --- methods --------------------------------------------------------------------------------------
def _method_ways(page: PlanPage, forks: Sequence[PlannedFork], test: TestSize) -> Iterator[Way]:
    for source in page.sources:
        if source.style is not None and source != page.source:
            yield _method_way(source, forks, test)


def _method_way(source: StartSource, forks: Sequence[PlannedFork], test: TestSize) -> Way:
    start_by_fork = {fork: source.starts[fork.series.pk] for fork in forks}
    decided_forks = [
        (fork, fork.equal_iterations.index(start))
        for fork, start in start_by_fork.items()
        if start is not None
    ]
    windows = _windows(((fork, start) for fork, start in decided_forks if start != NEVER), test)
    is_never = any(start == NEVER for _, start in decided_forks)
    return way_from_windows(
        "method",
        source.title,
        windows,
        test.seconds(float(windows.left_out.mean())) if windows.left_out.size else None,
        name=source.code,
        symbol=source.style.symbol if source.style else "",
        reason=NEVER_STEADY if is_never else ENDS_TOO_EARLY,
    )


def _windows(
    forks_and_begins: Iterable[tuple[PlannedFork, int]], test: TestSize
) -> MeasuredWindows:
    """Windows of forks from a recorded iteration on; none where the fork ends before it."""
    return MeasuredWindows.from_rows(
        _window(fork, begin, test)
        for fork, begin in forks_and_begins
        if begin < fork.measured_fork.values.size
    )


def _window(fork: PlannedFork, begin: int, test: TestSize) -> tuple[float, float, bool, float]:
    values, start = fork.measured_fork.values, fork.measured_fork.start
    stop = min(begin + test.iteration_count, values.size)
    left_out = begin + fork.measured_fork.recorded_from
    error = window_error(values, begin, stop, min(start, values.size - 1))
    return left_out, error, begin < start, test.costs.seconds(left_out, stop - begin, 1)


# --- harnesses ------------------------------------------------------------------------------------
def _harness_ways(
    forks: Sequence[PlannedFork], test: TestSize, length_settings: dict[str, object]
) -> list[Way]:
    forks_and_outcomes = [(fork, _outcomes(fork, length_settings)) for fork in forks]
    forks_with_outcomes = [
        (fork, outcome_by_name)
        for fork, outcome_by_name in forks_and_outcomes
        if outcome_by_name is not None
    ]
    return [
        _harness_way(
            choice,
            [(fork, outcome_by_name[choice.name]) for fork, outcome_by_name in forks_with_outcomes],
            test,
        )
        for choice in HARNESSES
    ]


def _outcomes(
    fork: PlannedFork, length_settings: dict[str, object]
) -> dict[str, HarnessOutcome] | None:
    """Outcome of each rule by its name; None where nobody says how long an iteration lasts."""
    series, values = fork.series, fork.measured_fork.values
    unit, mode = series.benchmark.unit, series.benchmark.mode
    settings = {**series.settings, **length_settings}
    if fork.equal_iterations.share != 1.0:
        settings |= {"warmup_values": 0}  # no iteration has a length of its own any more
    length = length_of(unit, mode, settings)
    seconds_before = seconds_until(values, unit, length)
    if length is None or seconds_before is None:
        return None
    context = replace(
        context_of_series(series),
        settings=context_settings(unit, mode, settings),
        seconds_per_iteration=length.seconds,
    )
    return outcomes_of(
        HARNESSES, values, context, seconds_before, min(fork.measured_fork.start, values.size - 1)
    )


def _harness_way(
    choice: HarnessChoice, outcomes: Sequence[tuple[PlannedFork, HarnessOutcome]], test: TestSize
) -> Way:
    windows = MeasuredWindows.from_rows(
        (
            outcome.warmup + fork.measured_fork.recorded_from,
            outcome.error,
            outcome.warmup < fork.measured_fork.start,
            test.costs.fork + outcome.spent,
        )
        for fork, outcome in outcomes
        if not outcome.reason
    )
    reasons = Counter(outcome.reason for _, outcome in outcomes if outcome.reason)
    return way_from_windows(
        "harness",
        choice.title,
        windows,
        test.fork_count * float(windows.seconds.mean()) if windows.seconds.size else None,
        name=choice.name,
        words=choice.words,
        reason=reasons.most_common(1)[0][0] if reasons else "",
    )
