"""Machine time against results that are right, by where methods begin to measure.

    python -m evidence.replication.result_starts [FOLDER]

A test is run again on paper: warm up until a method's answer (never: the `CAP` of the cost page),
measure until the 95 % interval of the mean is ± 1 %, or 5 %, or 100 iterations, and compare the
mean with that of everything from the panel's answer on. It is right if they differ by no more; its
time is warm-up and measurement, in iterations. A method with a setting is asked with many values
of it: its least time for a share of right tests is that of the best mixture of two values. Twice:
on the fork that was answered, and on the other forks of its benchmark, against their published
steady starts. Learned methods answer by models that have not seen a series' system. Intervals
resample systems.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.statistics.answers import Floats, Indices
from analysis.statistics.benchmark_replay import CAP
from detectors.contract import NEVER, Context, Detector, DetectorError, Values
from detectors.intervals.steady_interval import span_precisions
from detectors.methods.kb_kssd import KbKssd
from detectors.methods.plateau import Plateau
from detectors.methods.plateau_result import LEAST, PlateauResult
from detectors.panel.panel_grid import GRID, quantile_of, running_maximum
from detectors.panel.series_features import SeriesFeatures
from detectors.registry import registry
from detectors.training.figures.method_figures import method_name
from detectors.training.labels.published import panel_of_folder
from evidence.replication.published_files import study_command
from evidence.replication.published_study import PublishedStudy
from formats.markdown import head, row

STEP: Final = 10  # iterations between two looks at the interval
CONSTANTS: Final = range(0, 2001, 20)
DRAWS: Final = 1000
SHARES: Final = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9)
WORTHS: Final = (0.0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0)
QUANTILES: Final = tuple(np.arange(0.05, 0.96, 0.05).tolist())
THRESHOLDS: Final = (0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)
OTHERS: Final = (
    *("plateau", "plateau-online", "rocket", "kb-kssd", "sdm", "t-test", "laaber-cov"),
    *("georges", "jumpavg", "exact-bayes", "mser", "max-ess", "geweke"),
)
"""One or two of each family."""
OWN: Final = "plateau-result"
PANEL: Final = "where the panel says"
Curve = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedFork:
    """A fork whose steady mean is known. values: (n,) in any unit, `steady` in the same."""

    benchmark: str
    values: Values
    steady: float

    @property
    def system(self) -> str:
        return self.benchmark.partition("#")[0]


@dataclass(frozen=True, slots=True)
class MeasuringRule:
    """Rule by which a test measures: until ± error, or so many iterations; right is within the
    error.
    """

    error: float
    measured: int = 0

    def outcomes(self, fork: JudgedFork, starts: Indices) -> Floats:
        """Time, and whether the result is right, of tests that begin there: (2, starts)."""
        begins, begin_indices = np.unique(
            np.clip(starts, 0, fork.values.size - 1), return_inverse=True
        )
        stops = np.array([self.stop(fork.values, begin) for begin in begins.tolist()])
        total = np.append(0.0, np.cumsum(fork.values))
        means = (total[stops] - total[begins]) / (stops - begins)
        is_right = np.abs(means / fork.steady - 1) <= self.error
        return np.stack([stops.astype(np.float64), is_right])[:, begin_indices]

    def stop(self, values: Values, start: int) -> int:
        """End of the measurement: behind the last value where it never is precise enough."""
        if self.measured:
            return min(start + self.measured, values.size)
        stops = np.arange(start + LEAST, values.size + 1, STEP)
        is_wide = span_precisions(values, np.full_like(stops, start), stops) > self.error
        return values.size if is_wide.all() else int(stops[is_wide.argmin()])

    @property
    def words(self) -> str:
        if self.measured:
            return f"{self.measured} iterations are measured; right: within {self.error:.0%}"
        return f"Measured until ±{self.error:.0%}; right: within {self.error:.0%}"


RULES: Final = (MeasuringRule(0.01), MeasuringRule(0.05), MeasuringRule(0.01, 100))


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTests:
    """Tests of one family of methods. times, right: (settings, tests); systems: (tests,)."""

    name: str
    times: Floats
    right: Floats

    def curve(self) -> Curve:
        """Mean time and share right of each setting."""
        return self.times.mean(axis=1), self.right.mean(axis=1)

    def curves(self, systems: Sequence[str]) -> Iterator[Curve]:
        """Curves of resamples of whole systems; systems: of each test."""
        _, system_indices = np.unique(systems, return_inverse=True)
        member = np.eye(int(system_indices.max()) + 1)[system_indices]  # (tests, systems)
        times, right_counts, count = self.times @ member, self.right @ member, member.sum(axis=0)
        rng = np.random.default_rng(0)
        for _ in range(DRAWS):
            system_draws = rng.integers(0, count.size, count.size)
            tests = count[system_draws].sum()
            yield (
                times[:, system_draws].sum(axis=1) / tests,
                right_counts[:, system_draws].sum(axis=1) / tests,
            )


def time_for(curve: Curve, share: float) -> float:
    """Least mean time at which a mixture of at most two settings is right so often; inf: none."""
    times, shares = curve
    is_enough = shares >= share
    if not is_enough.any():
        return float("inf")
    indices_above, indices_below = np.flatnonzero(is_enough), np.flatnonzero(~is_enough)
    smallest_time = float(times[indices_above].min())
    mixing_share = (share - shares[indices_below]) / (
        shares[indices_above][:, np.newaxis] - shares[indices_below]
    )
    mixed_times = times[indices_below] + mixing_share * (
        times[indices_above][:, np.newaxis] - times[indices_below]
    )
    return min(smallest_time, float(mixed_times.min(initial=np.inf)))


def _print_starts(study: PublishedStudy, _: Namespace) -> int:
    panel = panel_of_folder(study.folder)
    marked_forks = [
        JudgedFork(
            marked_series.group,
            marked_series.values,
            float(marked_series.values[marked_series.start :].mean()),
        )
        for marked_series in panel.marked
    ]
    fork_indices, truth = (
        np.arange(len(marked_forks)),
        np.array([[marked_series.start for marked_series in panel.marked]]),
    )
    _questions(
        marked_forks, fork_indices, fork_indices, "the fork that was answered", {PANEL: truth}
    )
    sisters = [fork for forks in other_forks(study) for fork in forks]
    names = np.array([fork.benchmark for fork in sisters])
    pairs = (names[:, np.newaxis] == names) & ~np.eye(names.size, dtype=np.bool_)
    answered_indices, tested_indices = np.nonzero(pairs)
    _questions(sisters, answered_indices, tested_indices, "other forks of the benchmark", {})
    return 0


def _questions(
    forks: Sequence[JudgedFork],
    answered_indices: Indices,
    tested_indices: Indices,
    forks_words: str,
    more_starts: dict[str, Indices],
) -> None:
    """Every rule on tests of `tested_indices` that begin where the answer for `answered_indices`
    says.
    """
    starts_of_methods = starts_of_others(forks) | more_starts
    systems = [forks[fork_index].system for fork_index in answered_indices.tolist()]
    for rule in RULES:
        print(f"\n{rule.words}, on {forks_words}\n", flush=True)
        _tables(
            judge_tests(
                forks,
                rule,
                own_starts(forks, rule) | starts_of_methods,
                answered_indices,
                tested_indices,
            ),
            systems,
        )


def other_forks(study: PublishedStudy) -> Iterator[list[JudgedFork]]:
    """The steady forks of each benchmark that has all at hand."""
    for benchmark in study.measured:
        if len(benchmark.steady) < 2 or len(benchmark.forks) < len(benchmark.steady):
            continue
        yield [
            JudgedFork(benchmark.name, fork, float(fork[last + 1 :].mean()))
            for fork, last in zip(benchmark.forks, benchmark.steady, strict=True)
            if last >= 0
        ]


# --- answers ----------------------------------------------------------------------------------
def own_starts(forks: Sequence[JudgedFork], rule: MeasuringRule) -> dict[str, Indices]:
    """Starts at which plateau-result begins to measure under a rule: (settings, forks), by name."""
    settings = {"error": rule.error, "measured": rule.measured}
    single_methods = (PlateauResult(**settings, chance=0.0), PlateauResult(**settings))
    return {
        OWN: np.array([_least_loss_starts(PlateauResult(**settings), fork) for fork in forks]).T,
        f"{OWN}, shift=0": np.array(
            [_least_loss_starts(PlateauResult(**settings, shift=0.0), f) for f in forks]
        ).T,
        **{method_name(method): _method_starts([method], forks) for method in single_methods},
    }


def _least_loss_starts(method: PlateauResult, fork: JudgedFork) -> list[int]:
    """The answers for each worth; what a start is worth does not change what is known of it."""
    reading = method.read(fork.values, method.params.judge(fork.values, fork.benchmark))
    losses = (reading.costs(weight * fork.values.size, method.params.shift) for weight in WORTHS)
    return [int(reading.starts[expected_losses.argmin()]) for expected_losses in losses]


def starts_of_others(forks: Sequence[JudgedFork]) -> dict[str, Indices]:
    """Starts of methods that do not know how is measured: (settings, forks), by name."""
    starts_by_name = {
        "plateau, quantile": np.array([_quantiles(fork) for fork in forks]).T,
        "constant": np.repeat(np.array(CONSTANTS)[:, np.newaxis], len(forks), axis=1),
        "kb-kssd, prob_threshold": _method_starts(
            [KbKssd(prob_threshold=p) for p in THRESHOLDS], forks
        ),
    }
    return starts_by_name | {
        method_name(method): _method_starts([method], forks) for method in _other_methods()
    }


def _other_methods() -> Iterator[Detector]:
    """Methods that answer with nothing but the values, with their defaults."""
    yield Plateau(chance=0.0)
    for slug, detector in registry().items():
        if slug in OTHERS and not detector.missing():
            yield detector()


def _method_starts(methods: Sequence[Detector], forks: Sequence[JudgedFork]) -> Indices:
    return np.array([[start_of(method, fork) or 0 for fork in forks] for method in methods])


def start_of(method: Detector, fork: JudgedFork) -> int | None:
    """Start of the measurement; None where the method cannot answer."""
    try:
        steady_start = method.answer(fork.values, Context(benchmark=fork.benchmark)).steady_start
    except DetectorError:
        return None
    return CAP if steady_start == NEVER else steady_start


def _quantiles(fork: JudgedFork) -> list[int]:
    """Quantiles of the distribution of the panel's answer."""
    model = Plateau().params.judge(fork.values, fork.benchmark).model
    cdf = running_maximum(model.starts.sums(SeriesFeatures.from_values(fork.values).rows))
    return [int(quantile_of(cdf, GRID, share) * fork.values.size / 3000) for share in QUANTILES]


# --- judging ----------------------------------------------------------------------------------
def judge_tests(
    forks: Sequence[JudgedFork],
    rule: MeasuringRule,
    starts: dict[str, Indices],
    answered_indices: Indices,
    tested_indices: Indices,
) -> list[JudgedTests]:
    """Tests of `tested_indices` that begin where the answer for `answered_indices` says: places of
    forks.
    """
    all_starts = np.concatenate(list(starts.values()))[:, answered_indices]
    outcomes = np.empty((2, *all_starts.shape))
    for fork_index in np.unique(tested_indices).tolist():
        columns = np.flatnonzero(tested_indices == fork_index)
        outcomes_of_fork = rule.outcomes(forks[fork_index], all_starts[:, columns].ravel())
        outcomes[:, :, columns] = outcomes_of_fork.reshape(2, -1, columns.size)
    fork_ends = np.cumsum([method_starts.shape[0] for method_starts in starts.values()])[:-1]
    parts = zip(starts, np.split(outcomes, fork_ends, axis=1), strict=True)
    return [JudgedTests(name, times, is_right) for name, (times, is_right) in parts]


def _tables(judged_tests: Sequence[JudgedTests], systems: Sequence[str]) -> None:
    """Print for each method the time of plateau-result for as many right tests; then the curves."""
    own_tests, *other_tests = judged_tests
    curves = {
        method_tests.name: list(method_tests.curves(systems)) for method_tests in judged_tests
    }
    print(head("method", "right", "time", OWN, "saved"))
    for method_tests in other_tests:
        if method_tests.times.shape[0] == 1:
            print(row(*_comparison_row(own_tests, method_tests, curves, None)))
    print()
    print(head("family", "right", "time", OWN, "saved"))
    for method_tests in other_tests:
        highest_share = max(own_tests.curve()[1].max(), method_tests.curve()[1].max())
        for share in SHARES if method_tests.times.shape[0] > 1 else ():
            if share <= highest_share:
                print(row(*_comparison_row(own_tests, method_tests, curves, share)))


def _comparison_row(
    own_tests: JudgedTests,
    other_tests: JudgedTests,
    curves: dict[str, list[Curve]],
    share: float | None,
) -> tuple[str, ...]:
    """One row, at a share of right tests; None: that of the other's only setting.

    Its interval is over the resamples in which any of the two is right so often.
    """
    right_share = float(other_tests.right.mean()) if share is None else share
    own_time, their_time = (
        time_for(own_tests.curve(), right_share),
        time_for(other_tests.curve(), right_share),
    )
    saved_shares = []
    for own_curve, other_curve in zip(
        curves[own_tests.name], curves[other_tests.name], strict=True
    ):
        equal_share = float(other_curve[1][0]) if share is None else share
        saved_shares.append(
            _saved_share(time_for(own_curve, equal_share), time_for(other_curve, equal_share))
        )
    known_shares = [share_saved for share_saved in saved_shares if not np.isnan(share_saved)]
    low, high = np.percentile(known_shares, (2.5, 97.5), method="nearest").tolist()
    interval = f"{_percent(_saved_share(own_time, their_time))} [{_percent(low)}, {_percent(high)}]"
    return other_tests.name, f"{right_share:.2f}", _time(their_time), _time(own_time), interval


def _saved_share(own_time: float, their_time: float) -> float:
    """Share of the other's time that is saved; without an end where one never is right so often."""
    if np.isinf(own_time):
        return float("nan") if np.isinf(their_time) else -float("inf")
    return float("inf") if np.isinf(their_time) else 1 - own_time / their_time


def _time(time: float) -> str:
    return "never" if np.isinf(time) else f"{time:.0f}"


def _percent(share: float) -> str:
    return f"{share:+.0%}" if np.isfinite(share) else ("all" if share > 0 else "never")


main = study_command(_print_starts)

if __name__ == "__main__":
    raise SystemExit(main())
