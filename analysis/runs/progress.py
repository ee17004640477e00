"""Progress of a run as its page shows it: counts and times only, never an answer of a series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np
from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum, Value
from django.utils import timezone

from analysis.methods.method_style import MethodStyle, style_of
from analysis.runs.models import Chunk, Detection, Run
from analysis.runs.selection import SeriesSelection
from analysis.runs.start_address import start_query
from analysis.work.progress import JobProgress, job_progress
from annotate.blind import open_series
from people.models import User
from people.templatetags.writing import grouped
from series.models import Series

EXAMPLES = 20  # series named for each kind of failure
TIME_READINGS = 20  # how often the computing times of a method are read during a run
SLOW_AFTER = 10.0  # seconds of one series after which the page names it
UNKNOWN_SERIES = "a series that you have yet to answer"


@dataclass(frozen=True, slots=True)
class MethodLine:
    """One method of a run. `done` counts what was stored before, too; times in milliseconds."""

    method: MethodStyle
    total: int
    done: int
    failed: int
    too_short: int
    too_long: int
    not_available: int
    stored_before: int
    workers: tuple[str, ...]  # workers that compute it now
    median: float | None
    p95: float | None
    preset: str = ""  # the study's name for its parameters

    @property
    def is_complete(self) -> bool:
        return self.done >= self.total

    @property
    def was_stored(self) -> bool:
        """True if no answer of the method was left to compute."""
        return self.stored_before >= self.total

    @property
    def is_well(self) -> bool:
        """True if this run has computed all answers of the method, and nothing but answers."""
        return self.is_complete and not (self.was_stored or self.failed or self.not_available)

    @property
    def words(self) -> str:
        """State of the method, and its reason."""
        if self.was_stored:
            return "stored before"
        parts = [", ".join(self.workers)]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self.too_short:
            parts.append(f"{self.too_short} too short")
        if self.too_long:
            parts.append(f"{self.too_long} too long")
        if self.not_available:
            parts.append(f"{self.not_available} not available")
        done_phrase = "done" if self.is_complete and not self.failed else ""
        return ", ".join(phrase for phrase in (done_phrase, *parts) if phrase) or "waits"


@dataclass(frozen=True, slots=True)
class UnansweredGroup:
    """Series on which a method failed, for one reason."""

    method: MethodStyle
    reason: str
    count: int
    examples: tuple[Series, ...]  # without series that the reader has yet to answer
    hidden_count: int


@dataclass(frozen=True, slots=True)
class UnansweredReason:
    """Why series got no iteration, for every method that says the same: one line of the page."""

    outcome: str  # as people read it: too short, too long, not available
    reason: str
    count: int
    methods: tuple[MethodStyle, ...]
    run_query: str = ""  # query of a new run of the methods that lacked something

    @property
    def titles(self) -> str:
        return ", ".join(method.title for method in self.methods)

    @property
    def codes(self) -> str:
        return ", ".join(method.code for method in self.methods)


@dataclass(frozen=True, slots=True)
class SlowSeries:
    """A series that workers have been at for a while, and the methods that compute it now.

    series: None where the reader has yet to answer it.
    """

    series: Series | None
    name: str
    methods: tuple[SlowMethod, ...]  # longest first

    @property
    def seconds(self) -> float:
        return self.methods[0].seconds


@dataclass(frozen=True, slots=True)
class SlowMethod:
    """A method that has computed one series for so many seconds so far."""

    method: MethodStyle
    worker: str
    seconds: float


@dataclass(frozen=True, slots=True)
class RunResults:
    """Results that a run's page shows beside its progress."""

    methods: tuple[MethodLine, ...]
    answered_count: int  # a series that is too short or too long is answered, too
    too_short: int
    too_long: int
    not_available: int
    differing_count: int
    failures: tuple[UnansweredGroup, ...]
    unread_reasons: tuple[UnansweredReason, ...]  # too short, too long, not available: no errors
    slow_series: tuple[SlowSeries, ...]
    left_out_names: tuple[str, ...]  # names of series

    @property
    def unread_words(self) -> str:
        """Counts of what methods do not read: `45 too short, 6 not available`."""
        return count_phrases(
            (self.too_short, "too short"),
            (self.too_long, "too long"),
            (self.not_available, "not available"),
        )

    @property
    def computed_lines(self) -> list[MethodLine]:
        return [line for line in self.methods if not line.was_stored]

    @property
    def stored_lines(self) -> list[MethodLine]:
        return [line for line in self.methods if line.was_stored]


def count_phrases(*counts: tuple[int, str]) -> str:
    """Join the counts that are not 0: `16 too short, 8 too long`."""
    return ", ".join(f"{grouped(count)} {noun}" for count, noun in counts if count)


def method_style(key: str) -> MethodStyle:
    """A detector key as pages show it; one that this installation lacks keeps its slug."""
    style = style_of(key)
    return style if "@" in key else replace(style, params=())  # a slug alone means the defaults


def read_progress(run: Run, user: User) -> tuple[JobProgress, RunResults]:
    """Everything that the page of a run shows, read afresh."""
    progress = job_progress(run)
    held_chunks = [unit for unit in progress.held if isinstance(unit, Chunk)]
    count_by_outcome = outcome_counts(run, progress)
    lines = _lines(run, held_chunks, count_by_outcome)
    unavailable_count = sum(line.not_available for line in lines)
    series_by_id = _visible_series_by_id(run.left_out, user) if run.left_out else {}
    results = RunResults(
        # Answers stored before stand below those being computed.
        methods=tuple(sorted(lines, key=lambda line: line.was_stored)),
        answered_count=progress.done - progress.failed - unavailable_count,
        too_short=sum(line.too_short for line in lines),
        too_long=sum(line.too_long for line in lines),
        not_available=unavailable_count,
        differing_count=_differing_count(run),
        failures=_failures(run, user) if progress.failed else (),
        unread_reasons=_unread_reasons(run, user, progress) if count_by_outcome else (),
        slow_series=slow_now(held_chunks, user),
        left_out_names=tuple(
            name_of_series(series_by_id.get(public_id)) for public_id in run.left_out
        ),
    )
    return progress, results


def slow_now(
    held_chunks: Sequence[Chunk], user: User, moment: datetime | None = None
) -> tuple[SlowSeries, ...]:
    """Series that a method has been at for more than SLOW_AFTER seconds, the slowest first."""
    moment = moment or timezone.now()
    methods_by_series: dict[str, list[SlowMethod]] = {}
    for chunk in held_chunks:
        start_time = chunk.current_since
        seconds = (moment - start_time).total_seconds() if start_time else 0.0
        if chunk.current and seconds > SLOW_AFTER:
            worker = chunk.worker.partition("@")[0]
            slow_method = SlowMethod(method_style(chunk.detector_key), worker, seconds)
            methods_by_series.setdefault(chunk.current, []).append(slow_method)
    series_by_id = _visible_series_by_id(methods_by_series, user)
    slow_series = [
        SlowSeries(
            series=series_by_id.get(public_id),
            name=name_of_series(series_by_id.get(public_id)),
            methods=tuple(sorted(slow_methods, key=lambda slow_method: -slow_method.seconds)),
        )
        for public_id, slow_methods in methods_by_series.items()
    ]
    return tuple(sorted(slow_series, key=lambda series: -series.seconds))


def _visible_series_by_id(public_ids: Iterable[str], user: User) -> dict[str, Series]:
    """Series by public id, without those whose answers are hidden from the reader."""
    rows = Series.objects.filter(public_id__in=list(public_ids))
    rows = rows.select_related("benchmark__dataset__study", "recording")
    blind_pks = set(open_series(user).filter(pk__in=rows).values_list("pk", flat=True))
    return {series.public_id: series for series in rows if series.pk not in blind_pks}


def name_of_series(series: Series | None) -> str:
    """Benchmark and fork; a stand-in where the reader has yet to answer the series."""
    if series is None:
        return UNKNOWN_SERIES
    return f"{series.benchmark.short_name}, fork {series.fork}"


def _unread_reasons(run: Run, user: User, progress: JobProgress) -> tuple[UnansweredReason, ...]:
    """Series that methods do not read, by reason: one line each, whatever the methods are."""
    outcomes = Detection.Outcome
    rows = run.detections.exclude(outcome__in=[outcomes.ANSWER, outcomes.FAILED]).order_by()
    reason_rows = rows.values_list("outcome", "detector_key", "error")
    # A reason may tell of a series that the reader has yet to answer: those are counted only.
    blind_series = open_series(user).filter(benchmark__dataset__study=run.study)
    if blind_series.exists():
        is_hidden = Exists(blind_series.filter(pk=OuterRef("series")))
        counted_reasons = reason_rows.annotate(hidden=is_hidden, n=Count("pk"))
    else:
        query = reason_rows.annotate(hidden=Value(value=False), n=Count("pk"))
        counted_reasons = cached_figures(progress, "unread", lambda: list(query))
    counts: Counter[tuple[str, str]] = Counter()
    keys_by_reason: dict[tuple[str, str], set[str]] = {}
    for outcome, key, error, is_hidden, count in counted_reasons:
        reason = outcome, "hidden until you have answered" if is_hidden else failure_reason(error)
        counts[reason] += count
        keys_by_reason.setdefault(reason, set()).add(key)
    return tuple(
        UnansweredReason(
            outcome=outcomes(outcome).label,
            reason=text,
            count=count,
            methods=tuple(method_style(key) for key in sorted(keys_by_reason[outcome, text])),
            run_query=start_query(sorted(keys_by_reason[outcome, text]), run.selection)
            if outcome == outcomes.NOT_AVAILABLE
            else "",
        )
        for (outcome, text), count in counts.most_common()
    )


def _lines(
    run: Run, held_chunks: Sequence[Chunk], count_by_outcome: Counter[tuple[str, str]]
) -> list[MethodLine]:
    moment, counts = timezone.now(), _series_counts(run)
    presets = _presets(run)
    leased_chunks = [chunk for chunk in held_chunks if chunk.lease and chunk.lease > moment]
    lines = []
    for key in run.detectors:
        size, done_count, failed_count = counts.get(key, (0, 0, 0))
        stored_count = run.stored_by_key.get(key, 0)
        median, p95 = _median_and_p95(run, key, stored_count + done_count)
        line = MethodLine(
            method=method_style(key),
            total=stored_count + size,
            done=stored_count + done_count,
            failed=failed_count,
            too_short=count_by_outcome[key, Detection.Outcome.TOO_SHORT],
            too_long=count_by_outcome[key, Detection.Outcome.TOO_LONG],
            not_available=count_by_outcome[key, Detection.Outcome.NOT_AVAILABLE],
            stored_before=stored_count,
            workers=tuple(
                chunk.worker.partition("@")[0]
                for chunk in leased_chunks
                if chunk.detector_key == key
            ),
            median=median,
            p95=p95,
            preset=presets.get(key, ""),
        )
        lines.append(line)
    return lines


def _series_counts(run: Run) -> dict[str, tuple[int, int, int]]:
    """Numbers of series by detector key: of its chunks, looked at, and failed."""
    sums = Sum("size"), Sum("done_count"), Sum("failed_count")
    rows = run.units.values_list("detector_key").annotate(*sums).order_by()
    return {key: (size, done_count, failed_count) for key, size, done_count, failed_count in rows}


def outcome_counts(run: Run, progress: JobProgress) -> Counter[tuple[str, str]]:
    """Count the series that a method cannot answer, by detector key and outcome.

    Kept until the run has looked at one series more.
    """

    def read() -> Counter[tuple[str, str]]:
        outcomes = Detection.Outcome
        rows = run.detections.exclude(outcome__in=[outcomes.ANSWER, outcomes.FAILED])
        counted_rows = (
            rows.values_list("detector_key", "outcome").annotate(n=Count("pk")).order_by()
        )
        return Counter({(key, outcome): n for key, outcome, n in counted_rows})

    counts: Counter[tuple[str, str]] = cached_figures(progress, "outcomes", read)
    return counts


def cached_figures(progress: JobProgress, name: str, read_figures: Callable[[], Any]) -> Any:
    """Result of `read_figures`, kept for as long as no unit of the job tells of another series."""
    stage = f"{progress.done}:{progress.failed}:{progress.state}"
    return cache.get_or_set(f"{name}:{progress.job.pk}:{stage}", read_figures, timeout=60)


def _presets(run: Run) -> dict[str, str]:
    """Names of the study's presets by detector key, for parameters other than the defaults."""
    keys = [key for key in run.detectors if method_style(key).params]
    if not keys:
        return {}
    presets = run.study.presets.filter(detector_key__in=keys).order_by("-name")
    return dict(presets.values_list("detector_key", "name"))


def _median_and_p95(run: Run, key: str, done_count: int) -> tuple[float | None, float | None]:
    """Median and 95th percentile of a method's milliseconds, read TIME_READINGS times a run."""
    reading = done_count // max(run.series_count // TIME_READINGS, 1)
    name = f"times:{run.pk}:{hex_key(key)}:{reading}:{done_count >= run.series_count}"
    percentiles = cache.get_or_set(name, partial(_percentiles, run, key), timeout=3600)
    return percentiles or (None, None)


def _percentiles(run: Run, key: str) -> tuple[float | None, float | None]:
    series = SeriesSelection.from_json(run.selection).series(run.study)
    rows = Detection.objects.filter(
        detector_key=key, series__in=series, milliseconds__isnull=False
    ).values_list("milliseconds", flat=True)
    times = np.fromiter(rows, dtype=np.float64)
    median, p95 = np.percentile(times, [50, 95]).tolist() if times.size else (None, None)
    return median, p95


def hex_key(key: str) -> str:
    """A key as a part of a cache's key, whatever characters it has."""
    return key.encode().hex()[-160:]


def _differing_count(run: Run) -> int:
    if not run.again:
        return 0
    return sum(len(keys) for keys in run.units.values_list("differing", flat=True))


def _failures(run: Run, user: User) -> tuple[UnansweredGroup, ...]:
    """Failures of one kind together, the most frequent first.

    The text of a failure may speak of a series: whoever has yet to answer it
    learns neither its name nor what the method said of it.
    """
    rows = run.detections.filter(outcome=Detection.Outcome.FAILED).order_by("series")
    pks_by_failure: dict[tuple[str, str], list[int]] = {}
    for key, error, series in rows.values_list("detector_key", "error", "series"):
        pks_by_failure.setdefault((key, failure_reason(error)), []).append(series)
    if not pks_by_failure:
        return ()
    example_pks = [pk for pks in pks_by_failure.values() for pk in pks[:EXAMPLES]]
    blind_pks = set(open_series(user).filter(pk__in=example_pks).values_list("pk", flat=True))
    series_by_pk = Series.objects.select_related("benchmark__dataset__study", "recording").in_bulk(
        example_pks
    )
    return tuple(
        UnansweredGroup(
            method=method_style(key),
            reason="hidden until you have answered" if blind_pks.issuperset(pks) else reason,
            count=len(pks),
            examples=tuple(series_by_pk[pk] for pk in pks[:EXAMPLES] if pk not in blind_pks),
            hidden_count=sum(pk in blind_pks for pk in pks[:EXAMPLES]),
        )
        for (key, reason), pks in sorted(pks_by_failure.items(), key=lambda group: -len(group[1]))
    )


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Figures of a run, for its command. lacking: number of series by method and reason."""

    answered_count: int  # too short is an answer, and so is too long
    too_short: int
    too_long: int
    not_available: int
    failed: int
    differing_count: int
    unavailable_counts: Mapping[tuple[str, str], int]

    @property
    def is_well(self) -> bool:
        """True if every series was answered, and repeated answers equal the stored ones."""
        return not (self.not_available or self.failed or self.differing_count)


def run_summary(run: Run) -> RunSummary:
    """The counts of a run's chunks and what it stored."""
    counts = run.units.all().counts_of(run)
    outcomes = Detection.Outcome
    unavailable_counts = _unavailable_counts(run.detections.filter(outcome=outcomes.NOT_AVAILABLE))
    return RunSummary(
        answered_count=counts.done - counts.failed - sum(unavailable_counts.values()),
        too_short=run.detections.filter(outcome=outcomes.TOO_SHORT).count(),
        too_long=run.detections.filter(outcome=outcomes.TOO_LONG).count(),
        not_available=sum(unavailable_counts.values()),
        failed=counts.failed,
        differing_count=_differing_count(run),
        unavailable_counts=unavailable_counts,
    )


def _unavailable_counts(detections: QuerySet[Detection]) -> Mapping[tuple[str, str], int]:
    rows = detections.values_list("detector_key", "error").order_by("detector_key", "series")
    return Counter((method_style(key).slug, failure_reason(error)) for key, error in rows)


def failure_reason(error: str) -> str:
    """Kind of a failure, without the figures of a series: `needs at least 6 values`."""
    first_line = error.strip().partition("\n")[0]
    reason = first_line.partition("; got ")[0]
    for outcome in ("too short: ", "too long: ", "not available: "):
        reason = reason.removeprefix(outcome)
    return reason
