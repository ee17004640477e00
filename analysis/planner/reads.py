"""The plan of a benchmark for one reader: its forks, where they are steady, what is recommended.

Forks that the reader has yet to answer are left out: where they become steady is an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from analysis.methods.method_style import MethodStyle, MethodStyles, with_unique_codes
from analysis.planner.query import PlanQuery
from analysis.references import yardsticks
from analysis.series_page.fork_chart.reads import UnknownRecording, recorded_forks
from analysis.series_page.fork_classes import stored_answers
from analysis.statistics.steady_summary import SteadySummary, steady_summary
from annotate import blind
from annotate.blind import Reader
from detectors.contract import NEVER, Values
from detectors.planning.benchmark_plan import (
    LEAST_FORKS,
    BenchmarkPlan,
    Configuration,
    MeasuredFork,
)
from detectors.planning.equal_iterations import EqualIterations
from detectors.planning.harness_commands import HarnessCommand, HarnessName, recording_harness
from detectors.planning.plan_rows import PlannedBenchmark, planned_benchmark
from detectors.registry import DEFAULT_METHOD
from formats.iterations import SINGLE_SHOT, IterationLength, length_of
from series.models import Benchmark, Dataset, Recording, Series, SeriesValues
from series.queries import RecordingRow

PREFERRED: Final = (DEFAULT_METHOD, "cp-ssd", "kb-kssd")
"""Methods in whose order one is taken where nobody has marked; then the others by their titles."""


class UnknownPlanSource(LookupError):
    """Error: no source of that name says where these forks become steady; the sentence lists
    sources.
    """


@dataclass(frozen=True, slots=True)
class StartSource:
    """Source of fork starts: by primary key, -1 for never, None for no answer.

    is_truth  ground truth or known answers, and no method
    style     of a method
    """

    code: str
    title: str
    starts: Mapping[int, int | None]
    is_truth: bool = False
    style: MethodStyle | None = None

    @property
    def answer_count(self) -> int:
        return sum(start is not None for start in self.starts.values())


@dataclass(frozen=True, eq=False)
class PlannedFork:
    """One fork whose start is known.

    measured_fork     its values and start, in iterations of equal length
    equal_iterations  how recorded iterations are such
    values, start     as recorded, and as the page of the series has them
    """

    series: Series
    measured_fork: MeasuredFork
    equal_iterations: EqualIterations
    values: Values
    start: int

    @cached_property
    def result(self) -> SteadySummary | None:
        """The steady mean and its interval, as on the page of the series; None for never."""
        if not 0 <= self.start < self.values.size:
            return None
        return steady_summary(self.values, self.start)


@dataclass(frozen=True, slots=True, eq=False)
class PlanPage:
    """Everything that the page shows. `plan` is None where `problem` says why.

    hidden_count      forks that the reader has yet to answer
    unanswered_count  forks without an answer of the source
    harness           that the command is written for
    today_setup       as the benchmark was configured when it was recorded; None where nothing says
    """

    benchmark: Benchmark
    recording: Recording
    recordings: Sequence[Recording]
    forks: Sequence[PlannedFork]
    unanswered_count: int
    hidden_count: blind.HiddenSeriesCount
    sources: Sequence[StartSource]
    source: StartSource | None
    plan: BenchmarkPlan | None
    harness: HarnessName
    command: HarnessCommand | None = None
    today_setup: Configuration | None = None
    problem: str = ""

    @property
    def summary(self) -> PlannedBenchmark:
        """Summary of the plan as a row of a file."""
        source_title = self.source.title if self.source else ""
        return PlannedBenchmark(
            str(self.benchmark),
            len(self.forks),
            self.plan,
            self.command,
            self.problem,
            source_title,
        )


def plan_page(benchmark: Benchmark, reader: Reader, query: PlanQuery) -> PlanPage | None:
    """Plan of a benchmark; None without series. Raises UnknownRecording, UnknownPlanSource."""
    fork_selection = recorded_forks(benchmark, reader, query.recording)
    if fork_selection is None:
        return None
    row, visible_forks = fork_selection.row, fork_selection.visible_forks
    sources = list(_sources(benchmark, [fork.pk for fork in visible_forks]))
    source = _chosen_source(sources, query.source)
    forks = [] if source is None else list(_forks(benchmark, visible_forks, source, query))
    page = PlanPage(
        benchmark=benchmark,
        recording=row.recording,
        recordings=fork_selection.recordings,
        forks=forks,
        unanswered_count=len(visible_forks) - len(forks),
        hidden_count=fork_selection.hidden_count,
        sources=sources,
        source=source,
        plan=None,
        harness=query.harness or recording_harness(row.forks[0].settings),
    )
    return _planned_page(page, row, query)


def _planned_page(page: PlanPage, row: RecordingRow, query: PlanQuery) -> PlanPage:
    length = _length(page.benchmark, row.forks[0], query)
    if not page.forks:
        return replace(page, problem="Nobody says yet where these forks become steady.")
    if length is None:
        return replace(page, problem="It is not known how long an iteration lasts.")
    benchmark_plan = planned_benchmark(
        str(page.benchmark),
        page.benchmark.name,
        [fork.measured_fork for fork in page.forks],
        seconds=length.seconds,
        fork_seconds=query.start,
        harness=page.harness,
        settings=row.forks[0].settings,
        steady_by=page.source.title if page.source else "",
        target=query.target,
        confidence=query.confidence,
    )
    page = replace(page, plan=benchmark_plan.plan, command=benchmark_plan.command)
    return replace(page, today_setup=_configured_measurement(page, row.forks[0]))


def _length(benchmark: Benchmark, fork: Series, query: PlanQuery) -> IterationLength | None:
    settings = {**fork.settings, **query.stated_length}
    return length_of(benchmark.unit, benchmark.mode, settings)


# --- where forks become steady ----------------------------------------------------------------
def _sources(benchmark: Benchmark, visible_pks: Sequence[int]) -> Iterator[StartSource]:
    """Ground truth and known answers first, then methods, those of `PREFERRED` first."""
    study = benchmark.dataset.study
    for yardstick in yardsticks.yardsticks_of(study):
        answers = yardsticks.yardstick_answers(yardstick, visible_pks).answers
        starts = {
            pk: _whole_number(answers.value(fork_index))
            for fork_index, pk in enumerate(visible_pks)
        }
        if any(start is not None for start in starts.values()):
            yield StartSource(yardstick.code, yardstick.title, starts, is_truth=True)
    answers_by_method = stored_answers(visible_pks)
    looks = with_unique_codes(map(MethodStyles(study), answers_by_method))
    ranks = {slug: slug_rank for slug_rank, slug in enumerate(PREFERRED)}
    for look in sorted(looks, key=lambda look: _place_of_method(look, ranks)):
        method_answers = answers_by_method[look.key]
        starts = {pk: _start(method_answers.get(pk)) for pk in visible_pks}
        yield StartSource(look.name, look.label, starts, style=look)


def _whole_number(value: float | None) -> int | None:
    return None if value is None else int(np.ceil(value))


def _place_of_method(look: MethodStyle, ranks: Mapping[str, int]) -> tuple[int, bool, str]:
    """Sort key: preferred methods first, each with today's defaults before its other settings."""
    return ranks.get(look.slug, len(ranks)), look.name != look.slug, look.label


def _start(answer: tuple[int | None, str] | None) -> int | None:
    if answer is None:
        return None
    return NEVER if answer[0] is None else answer[0]


def _chosen_source(sources: Sequence[StartSource], code: str) -> StartSource | None:
    """The one asked for; else ground truth, else the default method, else another one.

    Of several ground truths the first with enough forks, or the one with most; of methods the
    first with enough forks, or the first.
    """
    if code:
        chosen_source = next((candidate for candidate in sources if candidate.code == code), None)
        if chosen_source is None:
            codes = ", ".join(candidate.code for candidate in sources) or "nobody"
            raise UnknownPlanSource(f"no answers of {code!r} here; there are: {codes}")
        return chosen_source
    truth_sources = [candidate for candidate in sources if candidate.is_truth]
    if truth_sources:
        sufficient_sources = (
            candidate for candidate in truth_sources if candidate.answer_count >= LEAST_FORKS
        )
        return next(sufficient_sources, max(truth_sources, key=lambda source: source.answer_count))
    answering_sources = [candidate for candidate in sources if candidate.answer_count]
    sufficient_sources = (
        candidate for candidate in answering_sources if candidate.answer_count >= LEAST_FORKS
    )
    return next(sufficient_sources, next(iter(answering_sources), None))


def _forks(
    benchmark: Benchmark, visible_forks: Sequence[Series], source: StartSource, query: PlanQuery
) -> Iterator[PlannedFork]:
    answered_forks = [fork for fork in visible_forks if source.starts[fork.pk] is not None]
    values_by_pk = SeriesValues.objects.in_bulk([fork.pk for fork in answered_forks])
    for fork in answered_forks:
        start = source.starts[fork.pk]
        assert start is not None  # noqa: S101  # by the filter above
        values: Values = values_by_pk[fork.pk].array()
        length = _length(benchmark, fork, query)
        equal_iterations = (
            EqualIterations(min(length.warmup, values.size), length.warmup_share)
            if length
            else EqualIterations()
        )
        measured_fork = MeasuredFork(
            equal_iterations.values(values),
            equal_iterations.index(min(start, values.size)),
            length.recorded_from if length else 0,
        )
        yield PlannedFork(fork, measured_fork, equal_iterations, values, start)


# --- as it was configured ---------------------------------------------------------------------
def _configured_measurement(page: PlanPage, fork: Series) -> Configuration | None:
    """The recorded configuration; iterations of another length count as so many recorded ones."""
    plan, settings = page.plan, fork.settings
    if plan is None or plan.recommended is None:
        return None
    has_single_operations = page.benchmark.mode == SINGLE_SHOT
    warm_up, iterations, forks = (
        settings.get(name) for name in ("warmup_iterations", "measurement_iterations", "forks")
    )
    if not (isinstance(warm_up, int) and isinstance(iterations, int) and isinstance(forks, int)):
        return None
    lengths = [settings.get(f"{phase}_seconds") for phase in ("warmup", "measurement")]
    times = [
        length / plan.costs.iteration
        if isinstance(length, int | float) and length > 0 and not has_single_operations
        else 1.0
        for length in lengths
    ]
    measured_iterations = max(round(iterations * times[1]), 1)
    return (
        plan.configuration(round(warm_up * times[0]), measured_iterations, forks)
        if iterations
        else None
    )


# --- a data set -------------------------------------------------------------------------------
def dataset_plans(dataset: Dataset, reader: Reader, query: PlanQuery) -> Iterator[PlannedBenchmark]:
    """Every benchmark with series, one after the other: values of one are in memory at a time."""
    for page in dataset_plan_pages(dataset, reader, query):
        yield page.summary if isinstance(page, PlanPage) else page


def dataset_plan_pages(
    dataset: Dataset, reader: Reader, query: PlanQuery, after_pk: int = 0
) -> Iterator[PlanPage | PlannedBenchmark]:
    """Pages of every benchmark with series; without forks where the query does not fit them.

    after  primary key of the benchmark behind which to begin
    """
    benchmarks = dataset.benchmarks.filter(pk__gt=after_pk)
    for benchmark in benchmarks.select_related("dataset__study").order_by("pk"):
        try:
            page = plan_page(benchmark, reader, query)
        except (UnknownRecording, UnknownPlanSource) as unknown:
            yield PlannedBenchmark(str(benchmark), 0, None, problem=str(unknown))
            continue
        if page is not None:
            yield page
