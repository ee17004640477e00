"""Every method replayed on every series of a comparison: seconds, and what would be measured.

Values are read once, a few series at a time; what is kept of a series are some numbers a method.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import islice, repeat
from typing import Final

import numpy as np

from analysis.comparison.inputs import ComparedSeries, ComparisonInputs, detections_of
from analysis.comparison.table import TRUTH
from analysis.cost.configured_tests import RunLengths
from analysis.cost.intervals import DeviationPair
from analysis.references.iteration_seconds import seconds_until
from analysis.runs.models import Detection
from analysis.statistics.answers import Answers, Bools, Floats, Indices
from analysis.statistics.benchmark_replay import (
    Accounting,
    Replay,
    ReplayRules,
    iterations_to_see,
    replay,
)
from analysis.statistics.measurement_deviation import RatioInterval
from detectors.intervals.steady_interval import measurement_ends, precisions_of_sums, running_sums
from series.values.read_ahead import read_arrays

AT_ONCE: Final = 64  # series whose sums are in memory together
ACCOUNTINGS: Final[tuple[Accounting, ...]] = ("published", "honest")


# --- when the methods knew --------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class StoredDecisions:
    """Decisions of each method, aligned with the lines of a comparison: NaN where there is none.

    decided_at    the last iteration that it had to see
    milliseconds  that its answer took to compute
    """

    decided_at: Mapping[str, Floats]
    milliseconds: Mapping[str, Floats]
    digest: str = field(default="")

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, decisions: object) -> bool:
        return isinstance(decisions, StoredDecisions) and decisions.digest == self.digest


def stored_decisions(inputs: ComparisonInputs) -> StoredDecisions:
    """Decisions of the comparison's methods, read from their stored detections."""
    name_by_key = {look.key: look.name for look in inputs.looks if look.name in inputs.methods}
    index_by_pk = {line.pk: line_index for line_index, line in enumerate(inputs.lines)}
    decision_ends = {name: np.full(len(index_by_pk), np.nan) for name in name_by_key.values()}
    durations = {name: np.full(len(index_by_pk), np.nan) for name in name_by_key.values()}
    fields = ("series_id", "detector_key", "decided_at", "milliseconds")
    filters = {"outcome": Detection.Outcome.ANSWER, "detector_key__in": list(name_by_key)}
    for pk, key, decided_at, milliseconds in detections_of(inputs.lines, *fields, **filters):
        line_index = index_by_pk[pk]
        decision_ends[name_by_key[key]][line_index] = np.nan if decided_at is None else decided_at
        durations[name_by_key[key]][line_index] = np.nan if milliseconds is None else milliseconds
    digest = hashlib.sha256()
    for arrays in (decision_ends, durations):
        for name, array in arrays.items():
            digest.update(name.encode() + array.tobytes())
    return StoredDecisions(decision_ends, durations, digest.hexdigest())


def inputs_with_truth(inputs: ComparisonInputs) -> ComparisonInputs:
    """The inputs with the yardstick among the methods: the mark that they are to reach."""
    methods = {**inputs.methods, TRUTH: inputs.truth.answers}
    return replace(inputs, methods=methods, digest=f"{inputs.digest} {TRUTH}")


def decisions_with_truth(decisions: StoredDecisions, n: int) -> StoredDecisions:
    """The decisions with those of the yardstick, of which nobody asks when it knew."""
    truth_column = {TRUTH: np.full(n, np.nan)}
    decision_ends, milliseconds = (
        {**decisions.decided_at, **truth_column},
        {**decisions.milliseconds, **truth_column},
    )
    return StoredDecisions(decision_ends, milliseconds, decisions.digest)


# --- the replay -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class MethodReplay:
    """One method by one accounting; float64 (n,), NaN where unknown.

    seconds       of all that is run, from the start of the process on
    signed        from the yardstick's start to that of the measurement: positive is too late
    wasted        of steady iterations that are run before the measurement
    contaminated  of iterations that are measured and not steady
    precision     half of the 95 % interval of the measured mean, a share of it: no time
    left_out      before the measurement, from the start of the process on
    error         of the measured mean against the steady mean, a share of that: no time
    """

    replay: Replay
    seconds: Floats
    signed: Floats
    wasted: Floats
    contaminated: Floats
    precision: Floats
    left_out: Floats
    error: Floats


FIGURE_NAMES: Final = tuple(field.name for field in fields(MethodReplay))[1:]


@dataclass(frozen=True, slots=True, eq=False)
class ReplayTable:
    """Every method by both accountings.

    judged_seconds  seconds of the iterations that each method had to see for its answer
    is_timed        bool (n,): the seconds of the series are known
    recorded_from   int64 (n,): warm-up iterations that were run before the first recorded one
    previews        of intervals, kept as long as this is
    """

    replays: Mapping[Accounting, Mapping[str, MethodReplay]]
    judged_seconds: Mapping[str, Floats]
    is_timed: Bools
    recorded_from: Indices
    previews: dict[DeviationPair, RatioInterval | None] = field(default_factory=dict)


@lru_cache(maxsize=4)
def replay_methods(
    inputs: ComparisonInputs,
    decisions: StoredDecisions,
    cap: int | None,
    runs: RunLengths,
    precision: float = 0.0,
) -> ReplayTable:
    """Replay every method; the same question is read and computed once.

    precision: share of the mean to which half of its interval has to come; 0: `runs.measured` do.
    """
    names, lengths = list(inputs.methods), inputs.lengths
    recorded_starts = np.array([line.recorded_from for line in inputs.lines], np.int64)
    replays = _replays(inputs, decisions, cap, repeat(runs.lengths), recorded_starts)
    if precision:
        measured_iterations = _measured_iterations(inputs.lines, replays, runs.lengths, precision)
        replays = _replays(inputs, decisions, cap, measured_iterations, recorded_starts)
    seen_lengths = [
        iterations_to_see(inputs.methods[name], decisions.decided_at[name], lengths)
        for name in names
    ]
    columns = _ReplayColumns.from_replays(replays, seen_lengths, inputs.truth.answers, lengths)
    arrays = read_arrays([line.pk for line in inputs.lines], int(lengths.max(initial=1)))
    for offset in range(0, lengths.size, AT_ONCE):
        batch = slice(offset, offset + AT_ONCE)
        columns.fill(batch, list(islice(arrays, AT_ONCE)), inputs.lines[batch])
    figures = iter(zip(*columns.figures.values(), strict=True))
    replays_by_accounting = {
        accounting: {
            name: MethodReplay(method_replay, *next(figures))
            for name, method_replay in replays_by_method.items()
        }
        for accounting, replays_by_method in replays.items()
    }
    judged_by_method = dict(zip(names, columns.judged_seconds, strict=True))
    return ReplayTable(replays_by_accounting, judged_by_method, columns.is_timed, recorded_starts)


Replays = Mapping[Accounting, Mapping[str, Replay]]


def _replays(
    inputs: ComparisonInputs,
    decisions: StoredDecisions,
    cap: int | None,
    measured_indices: Iterable[Indices],
    recorded_starts: Indices,
) -> Replays:
    """measured_indices: of every method's measurements, by one accounting after the other."""
    measured_iterations = iter(measured_indices)
    return {
        accounting: {
            name: replay(
                answers,
                decisions.decided_at[name],
                inputs.lengths,
                ReplayRules(accounting, cap),
                next(measured_iterations),
                unrecorded_counts=recorded_starts,
            )
            for name, answers in inputs.methods.items()
        }
        for accounting in ACCOUNTINGS
    }


def _measured_iterations(
    lines: Sequence[ComparedSeries], replays: Replays, least_iterations: Indices, precision: float
) -> Indices:
    """Iterations of each measurement in `replays` if it goes on until it is precise enough."""
    starts = np.array(
        [
            method_replay.start
            for replay_by_method in replays.values()
            for method_replay in replay_by_method.values()
        ]
    )
    iterations = np.zeros_like(starts)
    for i, values in enumerate(read_arrays([line.pk for line in lines])):
        unique_starts, unique_index = np.unique(starts[:, i], return_inverse=True)
        stops = measurement_ends(values, unique_starts, precision, int(least_iterations[i]))
        iterations[:, i] = (stops - unique_starts)[unique_index]
    return iterations


@dataclass(frozen=True, slots=True, eq=False)
class _ReplayColumns:
    """Figures of all methods, filled some series at a time: their sums follow one another.

    starts, stops, is_given  of all methods by both accountings, (rows, n)
    seen_lengths             iterations that each method had to see
    figures                  by their names in `MethodReplay`, (rows, n) each
    truth_starts             first steady iteration, at most the length of the series: int64 (n,)
    is_steady, is_never      what the yardstick says: bool (n,)
    """

    starts: Indices
    stops: Indices
    is_given: Bools
    seen_lengths: Indices
    truth_starts: Indices
    is_steady: Bools
    is_never: Bools
    figures: Mapping[str, Floats]
    judged_seconds: Floats
    is_timed: Bools

    @classmethod
    def from_replays(
        cls, replays: Replays, seen_lengths: Sequence[Indices], truth: Answers, lengths: Indices
    ) -> _ReplayColumns:
        rows = [
            method_replay
            for replay_by_method in replays.values()
            for method_replay in replay_by_method.values()
        ]
        shape, seen_shape = (len(rows), lengths.size), (len(seen_lengths), lengths.size)
        truth_starts = np.where(truth.steady, truth.index, 0).astype(np.int64)
        return cls(
            starts=np.array([row.start for row in rows], np.int64).reshape(shape),
            stops=np.array([row.stop for row in rows], np.int64).reshape(shape),
            is_given=np.array([row.given for row in rows], np.bool_).reshape(shape),
            seen_lengths=np.array(seen_lengths, np.int64).reshape(seen_shape),
            truth_starts=np.minimum(truth_starts, lengths),
            is_steady=truth.steady,
            is_never=truth.never,
            figures={name: np.full(shape, np.nan) for name in FIGURE_NAMES},
            judged_seconds=np.full(seen_shape, np.nan),
            is_timed=np.zeros(lengths.size, np.bool_),
        )

    def fill(
        self, columns: slice, arrays: Sequence[Floats], lines: Sequence[ComparedSeries]
    ) -> None:
        """Fill the columns `columns` from the values of its series."""
        starts, stops, is_given = (
            rows[:, columns] for rows in (self.starts, self.stops, self.is_given)
        )
        sizes = np.array([values.size + 1 for values in arrays], np.int64)
        offsets = np.cumsum(sizes) - sizes  # index at which the sums of each series begin
        sums = np.concatenate([running_sums(values) for values in arrays])
        precisions = precisions_of_sums(sums, (starts + offsets).ravel(), (stops + offsets).ravel())
        self.figures["precision"][:, columns] = np.where(
            is_given, precisions.reshape(starts.shape), np.nan
        )
        errors = self._errors(columns, sums, offsets, offsets + sizes - 1)
        self.figures["error"][:, columns] = np.where(is_given, errors, np.nan)
        curves = [
            seconds_until(values, line.unit, line.length)
            for values, line in zip(arrays, lines, strict=True)
        ]
        self.is_timed[columns] = is_timed = np.array([curve is not None for curve in curves])
        if not is_timed.any():
            return
        elapsed = np.concatenate(
            [
                np.full(size, np.nan) if curve is None else curve
                for curve, size in zip(curves, sizes.tolist(), strict=True)
            ]
        )
        self.judged_seconds[:, columns] = elapsed[self.seen_lengths[:, columns] + offsets]
        for name, seconds in self._seconds(columns, elapsed, offsets).items():
            self.figures[name][:, columns] = np.where(is_given, seconds, np.nan)

    def _errors(self, columns: slice, sums: Floats, offsets: Indices, ends: Indices) -> Floats:
        """Distance of each measured mean from the steady mean, a share; NaN where there is none.

        offsets, ends  places of the first and the last sum of each series
        """
        starts, stops = self.starts[:, columns], self.stops[:, columns]
        truth_offsets, counts = self.truth_starts[columns] + offsets, stops - starts
        with np.errstate(invalid="ignore", divide="ignore"):
            steady_means = np.where(
                self.is_steady[columns],
                (sums[ends] - sums[truth_offsets]) / (ends - truth_offsets),
                np.nan,
            )
            means = (sums[stops + offsets] - sums[starts + offsets]) / counts
            errors: Floats = np.abs(means / steady_means - 1)
        return np.where(np.isfinite(errors), errors, np.nan)

    def _seconds(self, columns: slice, elapsed: Floats, offsets: Indices) -> dict[str, Floats]:
        """Seconds of all that is run, and its errors where the yardstick has an answer."""
        starts, stops = self.starts[:, columns], self.stops[:, columns]
        truth, is_never = self.truth_starts[columns], self.is_never[columns]
        is_steady = self.is_steady[columns]
        start_seconds, stop_seconds = elapsed[starts + offsets], elapsed[stops + offsets]
        signed_seconds = start_seconds - elapsed[truth + offsets]
        early_seconds = np.maximum(elapsed[np.minimum(stops, truth) + offsets] - start_seconds, 0.0)
        wasted_seconds = np.where(is_never, 0.0 * stop_seconds, np.nan)
        contaminated_seconds = np.where(is_never, stop_seconds - start_seconds, np.nan)
        return {
            "seconds": stop_seconds,
            "left_out": start_seconds,
            "signed": np.where(is_steady & (stops > starts), signed_seconds, np.nan),
            "wasted": np.where(is_steady, np.maximum(signed_seconds, 0.0), wasted_seconds),
            "contaminated": np.where(is_steady, early_seconds, contaminated_seconds),
        }
