"""What the page of a run shows: counts and times only, never an answer of a series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import parse_qsl, urlencode

import numpy as np
from django.core.cache import cache
from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from analysis.methods.method_style import MethodStyle, style_of
from analysis.runs.models import Chunk, Detection, Run
from analysis.runs.selection import SeriesSelection
from analysis.work.progress import JobProgress, job_progress
from annotate.blind import open_series
from people.models import User
from series.models import Series

EXAMPLES = 20  # series named for each kind of failure


@dataclass(frozen=True, slots=True)
class MethodLine:
    """One method of a run. `done` counts what was stored before, too; times in milliseconds."""

    method: MethodStyle
    total: int
    done: int
    failed: int
    too_short: int
    not_available: int
    stored_before: int
    at_work: tuple[str, ...]  # workers that compute it now
    median: float | None
    p95: float | None
    preset: str = ""  # the study's name for its parameters

    @property
    def complete(self) -> bool:
        return self.done >= self.total

    @property
    def was_stored(self) -> bool:
        """Whether nothing of it was left to compute."""
        return self.stored_before >= self.total

    @property
    def is_well(self) -> bool:
        """Whether this run has computed all of it, and answers are all that came."""
        return self.complete and not (self.was_stored or self.failed or self.not_available)

    @property
    def words(self) -> str:
        """Where it stands, and why."""
        if self.was_stored:
            return "stored before"
        parts = [", ".join(self.at_work)]
        if self.failed:
            parts.append(f"{self.failed} failed")
        if self.too_short:
            parts.append(f"{self.too_short} too short")
        if self.not_available:
            parts.append(f"{self.not_available} not available")
        done = "done" if self.complete and not self.failed else ""
        return ", ".join(part for part in (done, *parts) if part) or "waits"


@dataclass(frozen=True, slots=True)
class UnansweredGroup:
    """Series that a method did not answer, for one reason: too short, something lacks, failed."""

    method: MethodStyle
    text: str
    count: int
    examples: tuple[Series, ...]  # without those that the reader has yet to answer
    hidden: int
    form: str = ""  # the query that fills in the form of a new run of the method


@dataclass(frozen=True, slots=True)
class RunResults:
    """What a run's page shows beside its progress."""

    methods: tuple[MethodLine, ...]
    answered: int  # a series that is too short is answered, too
    too_short: int
    not_available: int
    differing: int
    failures: tuple[UnansweredGroup, ...]
    short: tuple[UnansweredGroup, ...]
    lacking: tuple[UnansweredGroup, ...]

    @property
    def computing(self) -> list[MethodLine]:
        return [line for line in self.methods if not line.was_stored]

    @property
    def stored(self) -> list[MethodLine]:
        return [line for line in self.methods if line.was_stored]


def method_of(key: str) -> MethodStyle:
    """A detector key as pages show it; one that this installation lacks keeps its slug."""
    look = style_of(key)
    return look if "@" in key else replace(look, params=())  # a slug alone means the defaults


def progress_of(run: Run, user: User) -> tuple[JobProgress, RunResults]:
    """Everything that the page of a run shows, read afresh."""
    progress = job_progress(run)
    lines = _lines(run, [each for each in progress.held if isinstance(each, Chunk)])
    groups = _groups(run, user)
    not_available = sum(line.not_available for line in lines)
    results = RunResults(
        # What was stored before stands below what is being computed.
        methods=tuple(sorted(lines, key=lambda line: line.was_stored)),
        answered=progress.done - progress.failed - not_available,
        too_short=sum(line.too_short for line in lines),
        not_available=not_available,
        differing=_differing(run),
        failures=groups.get(Detection.Outcome.FAILED, ()),
        short=groups.get(Detection.Outcome.TOO_SHORT, ()),
        lacking=groups.get(Detection.Outcome.NOT_AVAILABLE, ()),
    )
    left = sum((line.total - line.done) * (line.median or 0.0) for line in lines)
    return replace(progress, milliseconds_left=left), results


def _lines(run: Run, held: Sequence[Chunk]) -> list[MethodLine]:
    now, counts = timezone.now(), _counts(run)
    without, presets = _without(run), _presets(run)
    at_work = [each for each in held if each.lease and each.lease > now]
    lines = []
    for key in run.detectors:
        size, done, failed = counts.get(key, (0, 0, 0))
        stored = run.stored_by_key.get(key, 0)
        median, p95 = _times(run, key, stored + done)
        line = MethodLine(
            method=method_of(key),
            total=stored + size,
            done=stored + done,
            failed=failed,
            too_short=without[key, Detection.Outcome.TOO_SHORT],
            not_available=without[key, Detection.Outcome.NOT_AVAILABLE],
            stored_before=stored,
            at_work=tuple(
                each.worker.partition("@")[0] for each in at_work if each.detector_key == key
            ),
            median=median,
            p95=p95,
            preset=presets.get(key, ""),
        )
        lines.append(line)
    return lines


def _counts(run: Run) -> dict[str, tuple[int, int, int]]:
    """By detector key how many series its chunks have, have looked at, and failed on."""
    sums = Sum("size"), Sum("done_count"), Sum("failed_count")
    rows = run.units.values_list("detector_key").annotate(*sums).order_by()
    return {key: (size, done, failed) for key, size, done, failed in rows}


def _without(run: Run) -> Counter[tuple[str, str]]:
    """How many series are too short, or lack something, by detector key and outcome."""
    named = Detection.Outcome
    rows = run.detections.filter(outcome__in=[named.TOO_SHORT, named.NOT_AVAILABLE])
    counted = rows.values_list("detector_key", "outcome").annotate(n=Count("pk")).order_by()
    return Counter({(key, outcome): n for key, outcome, n in counted})


def _presets(run: Run) -> dict[str, str]:
    """What the study calls the run's parameters, by detector key; asked where any differ."""
    keys = [key for key in run.detectors if method_of(key).params]
    if not keys:
        return {}
    found = run.study.presets.filter(detector_key__in=keys).order_by("-name")
    return dict(found.values_list("detector_key", "name"))


def _times(run: Run, key: str, done: int) -> tuple[float | None, float | None]:
    """Median and 95th percentile of a method's milliseconds; kept while nothing new is stored."""
    name = f"times:{run.pk}:{hash_of(key)}:{done}"
    found = cache.get_or_set(name, partial(_percentiles, run, key), timeout=3600)
    return found or (None, None)


def _percentiles(run: Run, key: str) -> tuple[float | None, float | None]:
    series = SeriesSelection.from_json(run.selection).series(run.study)
    rows = Detection.objects.filter(
        detector_key=key, series__in=series, milliseconds__isnull=False
    ).values_list("milliseconds", flat=True)
    times = np.fromiter(rows, dtype=np.float64)
    median, p95 = np.percentile(times, [50, 95]).tolist() if times.size else (None, None)
    return median, p95


def hash_of(key: str) -> str:
    """A key as a part of a cache's key, whatever characters it has."""
    return key.encode().hex()[-160:]


def _differing(run: Run) -> int:
    if not run.again:
        return 0
    return sum(len(each) for each in run.units.values_list("differing", flat=True))


def _groups(run: Run, user: User) -> dict[str, tuple[UnansweredGroup, ...]]:
    """By outcome what has no answer: of the same kind together, the most frequent first.

    The text of a failure may speak of a series: whoever has yet to answer it
    learns neither its name nor what the method said of it.
    """
    rows = run.detections.exclude(outcome=Detection.Outcome.ANSWER).order_by("series")
    found: dict[tuple[str, str, str], list[int]] = {}
    for outcome, key, error, series in rows.values_list(
        "outcome", "detector_key", "error", "series"
    ):
        found.setdefault((outcome, key, kind_of(error)), []).append(series)
    if not found:
        return {}
    named = [pk for ids in found.values() for pk in ids[:EXAMPLES]]
    blind = set(open_series(user).filter(pk__in=named).values_list("pk", flat=True))
    known = Series.objects.select_related("benchmark__dataset__study", "recording").in_bulk(named)
    groups: dict[str, tuple[UnansweredGroup, ...]] = {}
    for (outcome, key, text), ids in sorted(found.items(), key=lambda item: -len(item[1])):
        group = UnansweredGroup(
            method=method_of(key),
            text="hidden until you answer its series" if blind.issuperset(ids) else text,
            count=len(ids),
            examples=tuple(known[pk] for pk in ids[:EXAMPLES] if pk not in blind),
            hidden=sum(pk in blind for pk in ids[:EXAMPLES]),
            form=_form(run, key),
        )
        groups[outcome] = (*groups.get(outcome, ()), group)
    return groups


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run has computed, as a command says it. lacking: by method and reason how many."""

    answered: int  # too short is an answer
    too_short: int
    not_available: int
    failed: int
    differing: int
    lacking: Mapping[tuple[str, str], int]

    @property
    def well(self) -> bool:
        """Whether every series was answered, as before where it was asked again."""
        return not (self.not_available or self.failed or self.differing)


def run_summary(run: Run) -> RunSummary:
    """The counts of a run's chunks and what it stored."""
    counts = run.units.all().counts_of(run)
    named = Detection.Outcome
    lacking = _lacking(run.detections.filter(outcome=named.NOT_AVAILABLE))
    return RunSummary(
        answered=counts.done - counts.failed - sum(lacking.values()),
        too_short=run.detections.filter(outcome=named.TOO_SHORT).count(),
        not_available=sum(lacking.values()),
        failed=counts.failed,
        differing=_differing(run),
        lacking=lacking,
    )


def _lacking(found: QuerySet[Detection]) -> Mapping[tuple[str, str], int]:
    rows = found.values_list("detector_key", "error").order_by("detector_key", "series")
    return Counter((method_of(key).slug, kind_of(error)) for key, error in rows)


def _form(run: Run, key: str) -> str:
    """The query that fills in the form of a new run: the same series, this method as it was."""
    name, _, parameters = key.partition("?")
    slug = name.partition("@")[0]
    fields = {f"{slug}.{name}": value for name, value in parse_qsl(parameters)}
    return urlencode({**run.selection, "methods": slug, **fields})


def kind_of(error: str) -> str:
    """What failures of one kind share: `needs at least 6 values`, whatever each series had."""
    first = error.strip().partition("\n")[0]
    return first.partition("; got ")[0].removeprefix("too short: ").removeprefix("not available: ")
