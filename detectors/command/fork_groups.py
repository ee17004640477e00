"""A method's answer for all forks of a benchmark: `python -m detectors forks`."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, TextIO

import numpy as np

from detectors.arrays.safe_range import mean_in_range
from detectors.contract import NEVER, Detector, DetectorError
from detectors.detection_rows import SeriesInFile, aligned
from detectors.methods.barrett import Barrett
from detectors.methods.split_rhat import SplitRhat
from detectors.methods.welch import Welch, average_of_forks
from detectors.planning.fork_stopping import enough_forks
from detectors.planning.forks import (
    Fork,
    ForkSpread,
    ForksSummary,
    PerformanceChange,
    compare_forks,
    summarise_forks,
)
from detectors.planning.run_stopping import RunStop, enough_runs
from detectors.rules.online.stopping import StoppingRule
from detectors.rules.segments.benchmark_classes import MEANING, class_of_starts

Name = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ForkGroup:
    """Forks that were measured in one file, on one occasion.

    name: system, benchmark and parameters, each may be empty.
    """

    file: str
    recording: str
    name: Name
    forks: tuple[SeriesInFile, ...]

    @property
    def full_name(self) -> str:
        return "|".join(name_part for name_part in self.name if name_part)


@dataclass(frozen=True, slots=True)
class ForkGroupAnswer:
    """One benchmark by one method.

    starts        first steady iterations of the forks that have an answer; NEVER for never
    problems      of the forks without one
    summary       of Barrett's method: what its publication prints
    enough_count  of a stopping rule: so many forks are enough; 0 if all of them are not
    common_start  of a method that judges all forks at once: of their mean (Welch), or all with one
                  another (split R-hat)
    run_stop      PT4Cloud's rule on the steady means of forks
    """

    benchmark: ForkGroup
    method: Detector
    starts: tuple[int, ...]
    problems: tuple[str, ...]
    summary: ForksSummary | None = None
    enough_count: int | None = None
    common_start: int | None = None
    run_stop: RunStop | None = None

    @property
    def benchmark_class(self) -> str:
        """Empty where no fork has an answer."""
        if self.summary is not None:
            return self.summary.benchmark_class
        return class_of_starts(self.starts) if self.starts else ""

    @property
    def steady(self) -> list[int]:
        return [start for start in self.starts if start != NEVER]

    @property
    def span(self) -> ForkSpread | None:
        """First steady iterations of the steady forks: median, least and largest."""
        if not self.steady:
            return None
        return ForkSpread(float(np.median(self.steady)), min(self.steady), max(self.steady))

    @property
    def words(self) -> str:
        """The class in plain words, with what decides it."""
        if not self.starts:
            return "no fork has an answer"
        steady_words = f"{len(self.steady)} of {len(self.starts)} steady"
        return f"{MEANING[self.benchmark_class]} ({steady_words})"  # type: ignore[index]  # a class


def fork_group_answer(method: Detector, benchmark: ForkGroup) -> ForkGroupAnswer:
    """Ask the method for every fork, and for what it says of all of them."""
    starts: list[int] = []
    problems: list[str] = []
    answered_jobs: list[SeriesInFile] = []
    means: list[float] = []
    for job in benchmark.forks:
        try:
            starts.append(start := method.answer(job.values, job.context).steady_start)
            answered_jobs.append(job)
            if start != NEVER:
                means.append(mean_in_range(job.values[start:]))
        except DetectorError as error:
            problems.append(f"{job.series}: {error}")
    summary = enough_count = None
    if isinstance(method, Barrett) and answered_jobs:
        read_values = [method.reads(job.values, job.context)[0] for job in answered_jobs]
        classified_forks: list[Fork] = [(values, method.judge(values)) for values in read_values]
        summary = summarise_forks(classified_forks)
    if isinstance(method, StoppingRule) and len(answered_jobs) > 1:
        enough_count = _enough_forks(method, answered_jobs)
    common_start = _common_start(method, answered_jobs) if answered_jobs else None
    return ForkGroupAnswer(
        benchmark,
        method,
        tuple(starts),
        tuple(problems),
        summary,
        enough_count,
        common_start,
        enough_runs(means),
    )


def _common_start(method: Detector, jobs: Sequence[SeriesInFile]) -> int | None:
    """Start over all forks together; None of a method that judges one fork at a time."""
    if isinstance(method, Welch):
        mean = average_of_forks([job.values for job in jobs])
        return method.answer(mean, jobs[0].context).steady_start
    if isinstance(method, SplitRhat):
        return method.of_forks([job.values for job in jobs]).steady_start
    return None


def _enough_forks(rule: StoppingRule, jobs: Sequence[SeriesInFile]) -> int | None:
    """Number of forks that are enough; None where a fork ends before its measurement."""
    try:
        stop = enough_forks(rule, [(job.values, job.context) for job in jobs], len(jobs))
    except DetectorError:
        return None
    return stop.forks if stop.holds else 0


@dataclass(frozen=True, slots=True)
class ForkGroupRow:
    """The columns, in their order. None is an empty cell: "does not apply".

    The last three say what changed against the same benchmark of other files, by intervals.
    """

    file: str
    recording: str
    system: str
    benchmark: str
    params: str
    forks: int
    method: str
    version: str
    method_params: str
    benchmark_class: str = field(metadata={"column": "class"})
    steady: int
    never: int
    no_answer: int
    start_median: float | None
    start_low: float | None
    start_high: float | None
    flat: int | None
    warm_up: int | None
    slowdown: int | None
    no_steady_state: int | None
    seconds_median: float | None
    seconds_low: float | None
    seconds_high: float | None
    performance: float | None
    half_width: float | None
    enough_forks: int | None
    enough_runs: int | None
    start_of_all: int | None
    problem: str
    iteration_change: str | None
    performance_change: str | None
    variation_change: str | None


COLUMNS: Final = tuple(each.metadata.get("column", each.name) for each in fields(ForkGroupRow))
NOTHING: Final = (None, None, None)


def fork_group_row(answer: ForkGroupAnswer, base: ForkGroupAnswer | None = None) -> ForkGroupRow:
    """One benchmark as a row; `base` is the same one as it was."""
    system, benchmark, params = answer.benchmark.name
    summary = answer.summary
    counts = summary.counts if summary else {}
    level = summary.performance if summary else None
    change = change_of(base, answer)
    return ForkGroupRow(
        answer.benchmark.file,
        answer.benchmark.recording,
        system,
        benchmark,
        params,
        len(answer.benchmark.forks),
        answer.method.slug,
        answer.method.version,
        answer.method.params.as_text(),
        answer.benchmark_class,
        len(answer.steady),
        len(answer.starts) - len(answer.steady),
        len(answer.problems),
        *_spread(summary.iteration if summary else answer.span),
        counts.get("flat"),
        counts.get("warm-up"),
        counts.get("slowdown"),
        counts.get("no-steady-state"),
        *_spread(summary.time if summary else None),
        level.median if level else None,
        level.half_width if level else None,
        answer.enough_count,
        _enough_runs(answer),
        answer.common_start,
        "; ".join(answer.problems),
        *((change.iteration, change.performance, change.variation) if change else NOTHING),
    )


def _enough_runs(answer: ForkGroupAnswer) -> int | None:
    """Steady forks that are enough by PT4Cloud's rule; 0 if all are not, None of too few."""
    if answer.run_stop is None or not answer.run_stop.similarities:
        return None
    return answer.run_stop.runs if answer.run_stop.holds else 0


def change_of(
    base: ForkGroupAnswer | None, answer_after: ForkGroupAnswer
) -> PerformanceChange | None:
    """Change by Barrett's summaries; None where there is nothing to compare with."""
    if base is None or base.summary is None or answer_after.summary is None:
        return None
    return compare_forks(base.summary, answer_after.summary)


def _spread(spread: ForkSpread | None) -> tuple[float | None, float | None, float | None]:
    return (spread.median, spread.low, spread.high) if spread else NOTHING


def write_csv(rows: Iterable[ForkGroupRow], output: TextIO) -> None:
    """Every column; an empty cell is "does not apply"."""
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        record = _record(row)
        writer.writerow("" if record[name] is None else record[name] for name in COLUMNS)


def write_jsonl(rows: Iterable[ForkGroupRow], output: TextIO) -> None:
    """One object a line, with the columns as names."""
    records = map(_record, rows)
    output.writelines(json.dumps(r, ensure_ascii=False, allow_nan=False) + "\n" for r in records)


def _record(row: ForkGroupRow) -> dict[str, Any]:
    names = (field.name for field in fields(ForkGroupRow))
    return {column: getattr(row, name) for column, name in zip(COLUMNS, names, strict=True)}


HEADS: Final = (
    "file",
    "recording",
    "benchmark",
    "forks",
    "class",
    "in words",
    "steady from",
    "performance",
    "enough forks",
    "enough runs",
    "all forks",
    "changed",
    "problem",
)


def write_table(
    answer_pairs: Iterable[tuple[ForkGroupAnswer, ForkGroupAnswer | None]], output: TextIO
) -> None:
    """Write an aligned table for people, in words, without the columns that nobody needs to
    read.
    """
    output.write(
        aligned([HEADS, *(_table_row(answer_after, base) for answer_after, base in answer_pairs)])
    )


def _table_row(answer: ForkGroupAnswer, base: ForkGroupAnswer | None) -> tuple[str, ...]:
    level = answer.summary.performance if answer.summary else None
    change = change_of(base, answer)
    return (
        answer.benchmark.file,
        answer.benchmark.recording,
        answer.benchmark.full_name,
        str(len(answer.benchmark.forks)),
        answer.benchmark_class,
        answer.words,
        _start_words(answer),
        f"{level.median:.6g} ± {level.half_width:.2g}" if level else "",
        _fork_words(answer.enough_count, len(answer.starts)),
        _fork_words(_enough_runs(answer), len(answer.steady)),
        _common_start_words(answer),
        _change_words(change) if change else "",
        answer.problems[0] if answer.problems else "",
    )


def _start_words(answer: ForkGroupAnswer) -> str:
    span = answer.summary.iteration if answer.summary else answer.span
    if span is None:
        return ""
    if span.low == span.high:
        return f"{span.median:g}"
    return f"{span.median:g} ({span.low:g} to {span.high:g})"


def _fork_words(enough_count: int | None, count: int) -> str:
    if enough_count is None:
        return ""
    return str(enough_count) if enough_count else f"more than {count}"


def _common_start_words(answer: ForkGroupAnswer) -> str:
    if answer.common_start is None:
        return ""
    return "never" if answer.common_start == NEVER else str(answer.common_start)


def _change_words(change: PerformanceChange) -> str:
    """`iteration same, performance better; overall better`."""
    parts = [f"iteration {change.iteration}", f"performance {change.performance}"]
    if change.variation != "unknown":
        parts.append(f"variation {change.variation}")
    return f"{', '.join(parts)}; overall {change.overall}"
