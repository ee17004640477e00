"""Two builds, benchmark by benchmark: results, change with interval and effect, and verdict."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from analysis.statistics.answers import Floats
from analysis.statistics.build_differences import ForkDifference, fork_difference
from analysis.statistics.multiple_comparisons import ALPHA, holm
from analysis.trend.recording_history import review_exclusions, sort_recordings
from analysis.trend.recording_results import fork_means
from analysis.trend.starts import TrendStart, find_start
from analysis.trend.steady_means import MeanBudget
from analysis.trend.two_builds.duets import (
    BenchmarkDuet,
    DuetForks,
    benchmark_duet,
    duet_forks,
    duet_names,
    pair_count,
)
from analysis.trend.two_builds.query import TwoBuildsQuery
from analysis.web.templatetags.results import percent_signed
from annotate import blind
from annotate.blind import Reader
from detectors.trends.trend_groups import MATTERS
from people.templatetags.writing import HARD, MINUS, grouped
from series.models import Benchmark, Dataset, Recording, Series

Verdict = Literal[
    "worse", "better", "small", "equal", "open", "one fork", "only before", "only after"
]
VERDICTS: Final[Mapping[Verdict, str]] = {
    "worse": "worse",
    "better": "better",
    "small": f"changed, below 1{HARD}%",
    "equal": f"same within 1{HARD}%",
    "open": "not certain",
    "one fork": "needs two forks",
    "only before": "only before",
    "only after": "only after",
}
NAMED: Final = 10  # builds that a refusal names
BenchmarkName = tuple[str, str, str, str]
NO_FORKS: Final = np.empty(0)


class UnknownBuild(LookupError):
    """No such build or data set; the sentence says which there are."""


class NoSecondBuild(LookupError):
    """Data set without two builds; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Build:
    """Recordings of a build, or the one of a label; `name` is what it was asked by."""

    dataset: Dataset
    name: str
    recordings: Sequence[Recording]


@dataclass(frozen=True, slots=True)
class BuildChange:
    """One benchmark in both builds.

    before, after  steady means of its forks, in its unit
    difference     None where one of the builds has no result; by pairs where there are any
    duet           pairs of both builds; None where they were measured apart
    adjusted_p     by Holm over all benchmarks with a p
    """

    benchmark: Benchmark
    before: Floats
    after: Floats
    difference: ForkDifference | None
    duet: BenchmarkDuet | None = None
    adjusted_p: float | None = None

    @property
    def is_certain(self) -> bool:
        return self.adjusted_p is not None and self.adjusted_p < ALPHA

    @property
    def change(self) -> float | None:
        """Change as a share: 0.1 is 10 % more."""
        return None if self.difference is None else self.difference.ratio - 1

    @property
    def low(self) -> float | None:
        return _share(self.difference.low if self.difference else None)

    @property
    def high(self) -> float | None:
        return _share(self.difference.high if self.difference else None)

    @property
    def loss(self) -> float:
        """Logarithm of the ratio, above 0 where the second build is worse; 0 without one."""
        if self.difference is None:
            return 0.0
        return math.log(self.difference.ratio) * (-1 if self.benchmark.direction.more else 1)

    @property
    def verdict(self) -> Verdict:
        if self.difference is None:
            return "only before" if self.before.size else "only after"
        if self.low is None or self.high is None:
            return "one fork"
        if self.is_certain:
            matters = abs(self.difference.ratio - 1) >= MATTERS
            return ("worse" if self.loss > 0 else "better") if matters else "small"
        return "equal" if max(abs(self.low), abs(self.high)) < MATTERS else "open"

    @property
    def verdict_words(self) -> str:
        return VERDICTS[self.verdict]

    @property
    def urgency(self) -> tuple[bool, bool, float, str, str, str]:
        """Certain changes first, the largest first; benchmarks of one build alone last."""
        benchmark = self.benchmark
        names = (benchmark.system, benchmark.name, benchmark.params)
        return self.difference is None, not self.is_certain, -abs(self.loss), *names


def _share(ratio: float | None) -> float | None:
    return None if ratio is None else ratio - 1


@dataclass(frozen=True, slots=True)
class TwoBuilds:
    """All benchmarks of two builds, the largest certain change first.

    hidden_count    series left out because the reader has yet to answer them
    excluded_count  series left out because a review took them out
    waiting_count   series whose mean is still to be computed
    unpaired_count  duets left out because their pairs are too many for a page: a command has them
    """

    asked: TwoBuildsQuery
    before: Build
    after: Build
    start: TrendStart
    rows: tuple[BuildChange, ...]
    hidden_count: int
    excluded_count: int
    waiting_count: int
    unpaired_count: int

    @property
    def counts(self) -> Counter[Verdict]:
        return Counter(row.verdict for row in self.rows)

    @property
    def tested(self) -> int:
        """Number of benchmarks over which p-values are adjusted."""
        return sum(row.adjusted_p is not None for row in self.rows)

    @property
    def duets(self) -> int:
        """Number of benchmarks that were measured in pairs."""
        return sum(row.duet is not None for row in self.rows)

    @property
    def mean_loss(self) -> float | None:
        """Geometric mean of all losses as a share: 0.01 is 1 % worse; None without a pair."""
        losses = [row.loss for row in self.rows if row.difference]
        return math.expm1(sum(losses) / len(losses)) if losses else None

    @property
    def sentence(self) -> str:
        """Answer of the page in one sentence."""
        if not self.rows and self.unpaired_count:
            return "The duets of these builds are too many for a page: the command has them."
        if not self.rows:
            return f"No benchmark has a result from {self.start.title} on in either build."
        counts, n = self.counts, len(self.rows)
        benchmarks = f"{grouped(n)} benchmark{'s' * (n != 1)}"
        names = f"{self.before.name} to {self.after.name}"
        if counts["worse"] or counts["better"]:
            answer = (
                f"From {names}, {grouped(counts['worse'])} of {benchmarks} became worse and "
                f"{grouped(counts['better'])} better"
            )
        else:
            answer = f"No change of 1{HARD}% or more is certain from {names}, of {benchmarks}"
        if not self.mean_loss:
            return f"{answer}{'' if self.mean_loss is None else ', and none in the mean'}."
        size = percent_signed(self.mean_loss).lstrip(f"+{MINUS}")
        direction_word = "worse" if self.mean_loss > 0 else "better"
        return f"{answer}; in the geometric mean they are {size} {direction_word}."


def two_builds(
    dataset: Dataset, reader: Reader, query: TwoBuildsQuery, *, limit: int | None = None
) -> TwoBuilds:
    """Compare the builds that `query` names. Raises UnknownBuild, NoSecondBuild, UnknownStart.

    most  so many means are computed now (`steady_means`), and as many series of duets are read
    """
    before, after = chosen_builds(dataset, query)
    start = find_start(dataset, query.start)
    budget = MeanBudget(limit)
    duets = (
        duet_names(before.recordings, after.recordings) if query.duets == "paired" else set[str]()
    )
    sides = [measured_side(build, reader, start, budget, duets) for build in (before, after)]
    benchmarks = {**sides[0].benchmarks, **sides[1].benchmarks}
    names = _limit_names(limit, benchmarks, *sides)
    changes = [_change(name, benchmarks[name], *sides) for name in names]
    return TwoBuilds(
        asked=query,
        before=before,
        after=after,
        start=start,
        rows=tuple(sorted(_adjust_changes(changes), key=lambda change: change.urgency)),
        hidden_count=_count_hidden(before, after, reader) if start.yardstick else 0,
        excluded_count=sum(side.excluded_count for side in sides),
        waiting_count=budget.waiting_count,
        unpaired_count=len(benchmarks) - len(names),
    )


def _limit_names(
    limit: int | None, names: Iterable[BenchmarkName], first: MeasuredSide, second: MeasuredSide
) -> list[BenchmarkName]:
    """Names but for those of duets behind the first `limit` series of duets."""
    kept, series_count = list[BenchmarkName](), 0
    for name in names:
        pairs = pair_count(first.duets.get(name, {}), second.duets.get(name, {}))
        series_count += 2 * pairs
        if limit is None or not pairs or series_count <= limit:
            kept.append(name)
    return kept


def _change(
    name: BenchmarkName, benchmark: Benchmark, first: MeasuredSide, second: MeasuredSide
) -> BuildChange:
    before, after = (side.forks.get(name, NO_FORKS) for side in (first, second))
    if not (before.size and after.size):
        return BuildChange(benchmark, before, after, None)
    difference = fork_difference(before, after)
    duet = benchmark_duet(first.duets.get(name, {}), second.duets.get(name, {}))
    if duet is not None:
        pairs = duet.difference
        # The iterations of one pair of forks do not say how forks differ: no verdict.
        low, high, p = (pairs.low, pairs.high, pairs.p) if pairs.forks > 1 else (None, None, None)
        difference = ForkDifference(pairs.ratio, low, high, difference.delta, p)
    return BuildChange(benchmark, before, after, difference, duet)


def _adjust_changes(changes: Sequence[BuildChange]) -> list[BuildChange]:
    """Changes with p-values by Holm over all that have one."""
    p_values = [change.difference.p if change.difference else None for change in changes]
    adjusted_ps = iter(holm([p for p in p_values if p is not None]))
    return [
        change if p is None else replace(change, adjusted_p=next(adjusted_ps))
        for change, p in zip(changes, p_values, strict=True)
    ]


# --- builds -----------------------------------------------------------------------------------
def build_names(dataset: Dataset) -> list[str]:
    """Builds of a data set, the newest first."""
    recordings = reversed(sort_recordings(dataset.recordings.all()))
    return list(dict.fromkeys(map(build_name, recordings)))


def build_choices(dataset: Dataset, chosen_name: str) -> list[tuple[str, str]]:
    """Builds for the control of a page, and the chosen one where it is a recording's label."""
    names = dict.fromkeys([*build_names(dataset), *([chosen_name] if chosen_name else [])])
    return [(name, name) for name in names]


def build_name(recording: Recording) -> str:
    """Build of a recording, or its label where it names none."""
    return recording.build or recording.label


def chosen_builds(dataset: Dataset, query: TwoBuildsQuery) -> tuple[Build, Build]:
    """The build before and the build after. Raises UnknownBuild and NoSecondBuild."""
    names = build_names(dataset)
    if not names:
        raise NoSecondBuild(f"The data set {dataset.slug} has no recording yet: import one")
    after = named_build(dataset, query.after or names[0], names)
    if query.against and query.against != dataset.slug:
        return _other_build(dataset, query), after
    return named_build(dataset, query.before or _build_before(after), names), after


def _build_before(after: Build) -> str:
    """Name of the build that was measured last before `after`."""
    recordings = sort_recordings(after.dataset.recordings.all())
    first_index = min(map(recordings.index, after.recordings))
    if not first_index:
        raise NoSecondBuild(
            f"The data set {after.dataset.slug} has no build before {after.name}; name another "
            "build, or a data set that has one"
        )
    return build_name(recordings[first_index - 1])


def _other_build(dataset: Dataset, query: TwoBuildsQuery) -> Build:
    """Build of another data set of the study, the newest unless one is named."""
    other_dataset = dataset.study.datasets.filter(slug=query.against).first()
    names = build_names(other_dataset) if other_dataset else []
    if other_dataset is None or not names:
        slugs = ", ".join(dataset.study.datasets.order_by("slug").values_list("slug", flat=True))
        raise UnknownBuild(f"no data set {query.against!r} with a recording; there are: {slugs}")
    return named_build(other_dataset, query.before or names[0], names)


def named_build(dataset: Dataset, name: str, names: Sequence[str]) -> Build:
    """Recordings of the build `name`, else the recording of that label. Raises UnknownBuild."""
    recordings = list(dataset.recordings.filter(build=name)) or list(
        dataset.recordings.filter(label=name)
    )
    if not recordings:
        raise UnknownBuild(
            f"no build {name!r} in {dataset.slug}; there are: {', '.join(names[:NAMED])}"
        )
    return Build(dataset, name, recordings)


def _count_hidden(before: Build, after: Build, reader: Reader) -> int:
    recordings = [*before.recordings, *after.recordings]
    return blind.count_hidden_series(reader, Series.objects.filter(recording__in=recordings))


# --- results of one build ---------------------------------------------------------------------
class MeasuredSide(NamedTuple):
    """Steady means of forks by benchmark, how many series a review took out, forks of duets."""

    forks: dict[BenchmarkName, Floats]
    benchmarks: dict[BenchmarkName, Benchmark]
    excluded_count: int
    duets: Mapping[BenchmarkName, DuetForks]

    def forks_of(self, benchmark: Benchmark) -> Floats:
        """Steady means of the forks of one benchmark, of which there may be none."""
        return self.forks.get(_benchmark_name(benchmark), NO_FORKS)


def _benchmark_name(benchmark: Benchmark) -> BenchmarkName:
    return benchmark.system, benchmark.name, benchmark.params, benchmark.unit


def measured_side(
    build: Build, reader: Reader, start: TrendStart, budget: MeanBudget, duets: Collection[str] = ()
) -> MeasuredSide:
    """Results of all forks of a build that the reader may see and no review took out.

    duets  names of those whose forks are kept, too
    """
    series = Series.objects.filter(recording__in=build.recordings)
    visible_series = series if start.yardstick is None else blind.visible_series(reader, series)
    excluded_pks, excluded_counts = review_exclusions(visible_series, reader)
    all_excluded = {pk for pks in excluded_pks.values() for pk in pks}
    rows, means = fork_means(visible_series, start, all_excluded, budget)
    forks_by_benchmark = duet_forks(visible_series, rows, start, duets) if duets else {}
    means_by_benchmark = defaultdict[int, list[float]](list)
    for row in rows:
        if row.pk in means and means[row.pk].mean > 0:
            means_by_benchmark[row.benchmark_pk].append(means[row.pk].mean)
    benchmarks = {
        _benchmark_name(benchmark): benchmark
        for benchmark in build.dataset.benchmarks.all()
        if benchmark.pk in means_by_benchmark
    }
    return MeasuredSide(
        {
            name: np.array(means_by_benchmark[benchmark.pk])
            for name, benchmark in benchmarks.items()
        },
        benchmarks,
        excluded_counts.total(),
        {
            name: forks_by_benchmark[benchmark.pk]
            for name, benchmark in benchmarks.items()
            if benchmark.pk in forks_by_benchmark
        },
    )
