"""The table of costs: one object that page, files and command render."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, Final

import numpy as np

from analysis.comparison.inputs import ComparedSeries, ComparisonInputs, forks_of
from analysis.comparison.table import TRUTH, ComparisonResult
from analysis.cost import intervals
from analysis.cost.configured_tests import RunLengths, run_lengths
from analysis.cost.intervals import DeviationPair, Span
from analysis.cost.query import CostQuery
from analysis.cost.replay import (
    ACCOUNTINGS,
    MethodReplay,
    StoredDecisions,
    decisions_with_truth,
    inputs_with_truth,
    replay_methods,
    stored_decisions,
)
from analysis.statistics.answers import Bools, Floats, Indices
from analysis.statistics.measurement_deviation import RatioInterval
from analysis.statistics.result_quality import (
    BenchmarkOutcome,
    Better,
    QualityTally,
    deviations,
    gain_verdict,
    quartiles,
    tally,
    warm_up_errors,
)
from analysis.web.series_columns import NAMING

USUAL: Final = ("developer", "jmh-default", "fixed", "fixed-time")
"""Methods that a team would use without any detector, the likeliest baseline first."""
TALLY_COLUMNS: Final = (
    "quality_improvement",
    "time_improvement",
    "quality_regression",
    "time_regression",
    "none",
    "net",
)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedBenchmark:
    """One benchmark in one recording: places of its forks among the lines of the comparison.

    iteration  how long one lasts; of forks that differ all lengths
    """

    line: ComparedSeries
    line_indices: Indices
    iteration: str

    @property
    def forks(self) -> int:
        return self.line_indices.size


@dataclass(frozen=True, slots=True)
class BenchmarkCost:
    """One method on one benchmark.

    forks      on which the method has an answer, and, with common series, every other
    measured   of these, forks of which something is measured
    never, capped   forks on which it says never; whose warm-up the cap ended
    warm_up    median of the iterations before the measurement, from the start of the process
    seconds    of all forks, as publications count; None where unknown
    seconds_honest   of all forks, charged for all that the method had to see
    wasted, contaminated   seconds; None without a yardstick
    interval   of its result against the steady state; None where there is none
    outcome    what counts against another method; None where its seconds are unknown
    against_baseline   verdict on the method
    """

    group: RecordedBenchmark
    method: str
    interval: RatioInterval | None
    outcome: BenchmarkOutcome | None
    against_baseline: Better | None
    forks: int
    measured: int
    never: int
    capped: int
    warm_up: float | None
    seconds: float | None
    seconds_honest: float | None
    wasted: float | None
    contaminated: float | None


class ComparisonCosts:
    """Costs of the methods of a comparison; figures are computed when they are asked for."""

    def __init__(self, comparison: ComparisonResult, query: CostQuery) -> None:
        self.compared, self.query = comparison, query
        self.decisions: StoredDecisions = stored_decisions(comparison.inputs)
        self.runs: RunLengths = run_lengths(
            comparison.inputs, query.measured, query.forks, self.baseline
        )
        inputs = inputs_with_truth(comparison.inputs)
        decisions = decisions_with_truth(self.decisions, len(comparison.lines))
        self.replay_table = replay_methods(inputs, decisions, query.cap, self.runs, query.until)

    @property
    def inputs(self) -> ComparisonInputs:
        return self.compared.inputs

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(self.inputs.methods)

    @property
    def has_seconds(self) -> bool:
        """True if the seconds of any series are known."""
        return bool(self.replay_table.is_timed.any())

    @cached_property
    def lengths(self) -> dict[str, int]:
        """Number of series by the duration of an iteration in words."""
        return dict(Counter(line.iteration for line in self.inputs.lines))

    @property
    def unrecorded_count(self) -> int:
        """Series of which warm-up was run before the first recorded value."""
        return int((self.replay_table.recorded_from > 0).sum())

    @property
    def can_judge(self) -> bool:
        """True if the yardstick calls any series steady, so that results can be judged."""
        return bool(self.inputs.truth.answers.steady.any())

    @cached_property
    def baseline(self) -> str:
        """The name of the baseline; empty without a second method."""
        if self.query.baseline in self.methods:
            return self.query.baseline
        slugs = {self.compared.looks[name].slug: name for name in reversed(self.methods)}
        default_names = [slugs[slug] for slug in USUAL if slug in slugs]
        return next(iter([*default_names, *self.methods]), "") if len(self.methods) > 1 else ""

    @cached_property
    def groups(self) -> tuple[RecordedBenchmark, ...]:
        """The benchmarks, in the order of the comparison."""
        return tuple(map(self._group, forks_of(self.inputs.lines).values()))

    def _group(self, fork_indices: list[int]) -> RecordedBenchmark:
        lines = [self.inputs.lines[fork_index] for fork_index in fork_indices]
        lengths = dict.fromkeys(line.iteration for line in lines)
        return RecordedBenchmark(lines[0], np.array(fork_indices, np.int64), "; ".join(lengths))

    def method_replay(self, method: str) -> MethodReplay:
        """Replay by the chosen accounting; people decide, so nothing is charged for truth."""
        accounting = "published" if method == TRUTH else self.query.accounting
        return self.replay_table.replays[accounting][method]

    def counted_mask(self, method: str) -> Bools:
        """Series that count for a method, or for the yardstick as one: bool (n,)."""
        if method == TRUTH:
            return self.inputs.truth.answers.steady & self.runs.is_run
        is_given = self._common_mask if self.inputs.common else self.inputs.methods[method].given
        return is_given & self.runs.is_run

    @cached_property
    def _common_mask(self) -> Bools:
        """Series on which every method that decides has an answer."""
        common_mask = np.ones(len(self.inputs.lines), np.bool_)
        for name in self.inputs.deciding or self.methods:
            common_mask &= self.inputs.methods[name].given
        return common_mask

    @cached_property
    def _group_indices(self) -> Indices:
        """The number of each line's group: int64 (n,)."""
        group_indices = np.zeros(len(self.inputs.lines), np.int64)
        for group_index, group in enumerate(self.groups):
            group_indices[group.line_indices] = group_index
        return group_indices

    def _sums(self, numbers: Floats, mask: Bools) -> Floats:
        """Sums by group, over the series in `mask`; NaN where any number is unknown."""
        sums = np.bincount(self._group_indices[mask], numbers[mask], minlength=len(self.groups))
        return sums.astype(np.float64)  # sums of no series are integers

    def _counts(self, mask: Bools) -> Floats:
        return self._sums(np.ones(mask.size), mask)

    def _measured_mask(self, method: str) -> Bools:
        """Series of which something is measured: bool (n,)."""
        return self.method_replay(method).replay.measures & self.counted_mask(method)

    def warm_up(self, method: str) -> Indices:
        """Iterations before the measurement, from the start of the process: int64 (n,)."""
        return self.method_replay(method).replay.start + self.replay_table.recorded_from

    # --- intervals ----------------------------------------------------------------------------
    @cached_property
    def pairs(self) -> dict[tuple[int, str], DeviationPair]:
        """Pairs (benchmark index, method) for which an interval can be computed."""
        steady_spans = [self._steady_spans(group) for group in self.groups]
        names = (*self.methods, TRUTH)
        spans = {name: self._measured_spans(name) for name in names}
        return {
            (group_index, name): DeviationPair(spans[name][group_index], group_spans)
            for group_index, group_spans in enumerate(steady_spans)
            for name in names
            if group_spans and spans[name][group_index]
        }

    def _steady_spans(self, group: RecordedBenchmark) -> tuple[Span, ...]:
        truth, lines = self.inputs.truth.answers, self.inputs.lines
        steady_indices = [
            fork_index for fork_index in group.line_indices.tolist() if truth.steady[fork_index]
        ]
        spans = (
            (lines[fork_index].pk, int(truth.index[fork_index]), lines[fork_index].n)
            for fork_index in steady_indices
        )
        return tuple(span for span in spans if span[1] < span[2])

    def _measured_spans(self, method: str) -> list[tuple[Span, ...]]:
        """Measured spans by number of the group."""
        spans_by_group: list[list[Span]] = [[] for _ in self.groups]
        replay, group_indices = self.method_replay(method).replay, self._group_indices.tolist()
        start, stop = replay.start.tolist(), replay.stop.tolist()
        for line_index in np.flatnonzero(self._measured_mask(method)).tolist():
            spans_by_group[group_indices[line_index]].append(
                (self.inputs.lines[line_index].pk, start[line_index], stop[line_index])
            )
        return [tuple(spans) for spans in spans_by_group]

    @cached_property
    def exact_intervals(self) -> dict[DeviationPair, RatioInterval | None]:
        """Cached intervals; `compute` adds missing ones."""
        return intervals.stored_intervals(self.pairs.values())

    @property
    def missing_pairs(self) -> list[DeviationPair]:
        """Pairs that are not computed yet, benchmark by benchmark, without repetition."""
        return [p for p in dict.fromkeys(self.pairs.values()) if p not in self.exact_intervals]

    def compute(self, seconds: float | None = None) -> None:
        """Go on with the exact intervals, for so long or to the end."""
        if waiting_pairs := self.missing_pairs:
            intervals.compute_intervals(waiting_pairs, seconds)
            del self.exact_intervals

    def interval(self, group_index: int, method: str) -> RatioInterval | None:
        """The exact interval, or a preview while there is none."""
        pair = self.pairs.get((group_index, method))
        if pair is None:
            return None
        return self.exact_intervals[pair] if pair in self.exact_intervals else self._previews[pair]

    @cached_property
    def _previews(self) -> dict[DeviationPair, RatioInterval | None]:
        """Previews of all waiting pairs; kept with the replay, so that each is drawn once."""
        previews = self.replay_table.previews
        missing_pairs = [pair for pair in self.missing_pairs if pair not in previews]
        previews.update(intervals.interval_previews(missing_pairs))
        return previews

    # --- figures ------------------------------------------------------------------------------
    @cached_property
    def benchmark_costs(self) -> dict[str, tuple[BenchmarkCost, ...]]:
        """Every method on every benchmark on which it has an answer, by name."""
        baseline_rows = self._rows(self.baseline, {}) if self.baseline else ()
        baseline_outcomes = {row.group: row.outcome for row in baseline_rows}
        return {
            name: baseline_rows if name == self.baseline else self._rows(name, baseline_outcomes)
            for name in self.methods
        }

    @cached_property
    def truth_by_benchmark(self) -> tuple[BenchmarkCost, ...]:
        """Costs of a test that began to measure where the yardstick says."""
        return self._rows(TRUTH, {})

    def _rows(
        self, name: str, baseline_outcomes: Mapping[RecordedBenchmark, BenchmarkOutcome | None]
    ) -> tuple[BenchmarkCost, ...]:
        """One method; `baseline_outcomes` has the outcomes that it is held against."""
        replay, is_counted, is_measured = (
            self.method_replay(name),
            self.counted_mask(name),
            self._measured_mask(name),
        )
        masks = {
            "forks": is_counted,
            "measured": is_measured,
            "never": is_counted & replay.replay.never,
            "capped": is_counted & replay.replay.capped,
        }
        published_replay, honest_replay = (
            self.replay_table.replays[accounting][name] for accounting in ACCOUNTINGS
        )
        columns: dict[str, list[Any]] = {
            **{key: self._counts(mask).astype(int).tolist() for key, mask in masks.items()},
            "warm_up": self._medians(self.warm_up(name), is_measured),
            "seconds": _cells(self._sums(published_replay.seconds, is_counted)),
            "seconds_honest": _cells(self._sums(honest_replay.seconds, is_counted)),
            "wasted": _cells(self._known_sums(replay.wasted, is_counted)),
            "contaminated": _cells(self._known_sums(replay.contaminated, is_counted)),
        }
        seconds_column = "seconds_honest" if self.query.accounting == "honest" else "seconds"
        rows = []
        for group_index in np.flatnonzero(columns["forks"]).tolist():
            group, interval = self.groups[group_index], self.interval(group_index, name)
            figures = {key: values[group_index] for key, values in columns.items()}
            interval_differs, spent_seconds = (
                None if interval is None else interval.differs,
                figures[seconds_column],
            )
            outcome = (
                None if spent_seconds is None else BenchmarkOutcome(interval_differs, spent_seconds)
            )
            baseline_row = baseline_outcomes.get(group)
            verdict = gain_verdict(outcome, baseline_row) if outcome and baseline_row else None
            rows.append(BenchmarkCost(group, name, interval, outcome, verdict, **figures))
        return tuple(rows)

    def _known_sums(self, numbers: Floats, mask: Bools) -> Floats:
        """Sums by group, over the numbers that are known; NaN where none is."""
        known_mask = mask & ~np.isnan(numbers)
        return np.where(self._counts(known_mask) > 0, self._sums(numbers, known_mask), np.nan)

    def _medians(self, starts: Indices, mask: Bools) -> list[float | None]:
        starts_by_group: list[list[int]] = [[] for _ in self.groups]
        for i, start in zip(self._group_indices[mask].tolist(), starts[mask].tolist(), strict=True):
            starts_by_group[i].append(start)
        return [
            float(median(starts_of_group)) if starts_of_group else None
            for starts_of_group in starts_by_group
        ]

    @cached_property
    def method_cells(self) -> dict[str, dict[str, Any]]:
        """Cells of every method by column of the file, by name, in the order of the comparison."""
        return {name: self._method_cells(name) for name in self.methods}

    def _method_cells(self, name: str) -> dict[str, Any]:
        """One method on all benchmarks.

        forks      on which it has an answer, and, with common series, every other
        untimed    benchmarks without seconds: how long their iterations last is not known
        warm_up    quartiles of the iterations before the measurement, over forks, from the start
                   of the process
        seconds    total of all benchmarks, and quartiles over benchmarks
        error      sizes of warm-up estimation errors, in seconds, over forks
        deviation  of results from those of the steady state, over benchmarks
        precision  half of the 95 % interval of a measured mean, a share of it, over forks
        overhead   computing its answers, a share of the time of what it had to see
        """
        look, rows = self.compared.looks[name], self.benchmark_costs[name]
        method_replay, truth = self.method_replay(name), self.inputs.truth.answers
        replay, is_counted = method_replay.replay, self.counted_mask(name)
        is_measured = is_counted & replay.measures
        is_missed = is_counted & truth.steady & ~replay.measures
        results = deviations([row.interval for row in rows], self.query.over)
        has_tally = self.baseline not in {"", name}
        quality_tally = self.tally_against(name, self.baseline) if has_tally else None
        is_exact = has_tally and self.all_exact(name) and self.all_exact(self.baseline)
        return {
            "method": look.slug,
            "version": look.version,
            "params": look.key.partition("?")[2],
            "benchmarks": len(rows),
            "untimed": [row.seconds for row in rows].count(None),
            "forks": int(is_counted.sum()),
            "never": int((is_counted & replay.never).sum()),
            "capped": int((is_counted & replay.capped).sum()),
            **quartiles(self.warm_up(name)[is_measured]).cells("warm_up"),
            **_spent_seconds("seconds", [row.seconds for row in rows]),
            **_spent_seconds("seconds_honest", [row.seconds_honest for row in rows]),
            **warm_up_errors(method_replay.signed[is_counted], missed_count=int(is_missed.sum())),
            "wasted": _known_sum(method_replay.wasted[is_counted]),
            "contaminated": _known_sum(method_replay.contaminated[is_counted]),
            "judged": results.n,
            "differs": results.differs,
            "close": results.close,
            **results.sizes.cells("deviation"),
            "interval": interval_word(is_exact=results.exact) if results.n else None,
            **quartiles(method_replay.precision[is_measured]).cells("precision"),
            "overhead": self._overhead(name, is_counted),
            **tally_cells(quality_tally, is_exact=is_exact),
        }

    def estimation_errors(self, name: str) -> Floats:
        """Seconds from the yardstick's start to that of the measurement; NaN where unknown."""
        return np.where(self.counted_mask(name), self.method_replay(name).signed, np.nan)

    def tally_against(self, name: str, baseline: str) -> QualityTally:
        """Tally of gains and losses of a method against another, benchmark by benchmark."""
        baseline_outcomes = {row.group: row.outcome for row in self.benchmark_costs[baseline]}
        pairs = (
            (row.outcome, baseline_outcomes.get(row.group)) for row in self.benchmark_costs[name]
        )
        return tally(
            [
                gain_verdict(outcome, baseline_outcome)
                for outcome, baseline_outcome in pairs
                if outcome and baseline_outcome
            ]
        )

    def _overhead(self, name: str, is_counted: Bools) -> float | None:
        milliseconds = self.decisions.milliseconds[name]
        judged_seconds = self.replay_table.judged_seconds[name]
        is_timed = is_counted & ~np.isnan(milliseconds) & ~np.isnan(judged_seconds)
        total = float(judged_seconds[is_timed].sum())
        return float(milliseconds[is_timed].sum()) / 1e3 / total if total > 0 else None

    def all_exact(self, name: str) -> bool:
        """True if no interval of a method is a preview."""
        row_intervals = (row.interval for row in self.benchmark_costs[name])
        return all(interval.exact for interval in row_intervals if interval is not None)

    def fork_cells(self, method: str, line_index: int) -> dict[str, Any]:
        """One method on one series: cells by column of the file; seconds are None where unknown.

        precision  half of the 95 % interval of the measured mean, a share of it
        """
        line, method_replay = self.inputs.lines[line_index], self.method_replay(method)
        replay, decision_end = method_replay.replay, self.decisions.decided_at[method][line_index]
        published_replay, honest_replay = (
            self.replay_table.replays[accounting][method] for accounting in ACCOUNTINGS
        )
        return {
            **dict(zip(NAMING, line.named, strict=True)),
            "iteration": line.iteration,
            "method": method,
            "truth": self.inputs.truth.answers.value(line_index),
            "answer": self.inputs.methods[method].value(line_index),
            "decided_at": None if np.isnan(decision_end) else int(decision_end),
            "start": int(replay.start[line_index]),
            "stop": int(replay.stop[line_index]),
            "capped": int(replay.capped[line_index]),
            "seconds": _cell(published_replay.seconds[line_index]),
            "seconds_honest": _cell(honest_replay.seconds[line_index]),
            "error": _cell(method_replay.signed[line_index]),
            "wasted": _cell(method_replay.wasted[line_index]),
            "contaminated": _cell(method_replay.contaminated[line_index]),
            "precision": _cell(method_replay.precision[line_index]),
        }


def comparison_costs(
    comparison: ComparisonResult | None, query: CostQuery
) -> ComparisonCosts | None:
    """Costs of a comparison; None where nothing is compared, or no method has an answer."""
    return ComparisonCosts(comparison, query) if comparison and comparison.inputs.methods else None


def _known_sum(seconds: Floats) -> float | None:
    """The sum of those that are known; None where none is."""
    known_seconds = seconds[~np.isnan(seconds)]
    return float(known_seconds.sum()) if known_seconds.size else None


def _spent_seconds(column: str, seconds: Sequence[float | None]) -> dict[str, float | None]:
    """Total and quartiles of known seconds."""
    known_seconds = [cell for cell in seconds if cell is not None]
    total = sum(known_seconds) if known_seconds else None
    return {f"{column}_total": total, **quartiles(known_seconds).cells(column)}


def interval_word(*, is_exact: bool) -> str:
    """Words for how intervals were drawn."""
    return "exact" if is_exact else "preview"


def tally_cells(tally: QualityTally | None, *, is_exact: bool) -> dict[str, Any]:
    """Cells of a tally, empty without one."""
    cells: dict[str, Any] = {name: getattr(tally, name, None) for name in TALLY_COLUMNS}
    return {**cells, "tally_interval": interval_word(is_exact=is_exact) if tally else None}


def _cells(numbers: Floats) -> list[float | None]:
    is_unknown = np.isnan(numbers).tolist()
    return [
        None if is_nan else number
        for is_nan, number in zip(is_unknown, numbers.tolist(), strict=True)
    ]


def _cell(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
