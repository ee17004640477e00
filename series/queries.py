"""Reading data sets: the rows of a list, a selection of series, the counts of a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet

from people.models import Study
from series.models import Benchmark, Dataset, Recording, Series
from series.models.series import SeriesQuerySet

Forks = Literal["all", "first"]
MOST_RECORDINGS = 50  # in a menu of one series
RECORDINGS_NEWEST_FIRST = (
    F("measured_at").desc(nulls_last=True),
    F("created").desc(),
    F("pk").desc(),
)


def has_series(study: Study) -> bool:
    """Return whether there is anything to run methods on, or to ask people about."""
    return study.datasets.filter(benchmarks__series__isnull=False).exists()


NEWEST_FIRST = (  # the same for series
    F("recording__measured_at").desc(nulls_last=True),
    F("recording__created").desc(),
    F("recording_id").desc(),
)
ORDERS: Mapping[str, tuple[str, ...]] = {
    "system": ("benchmark__system", "benchmark__name", "benchmark__params"),
    "name": ("benchmark__name", "benchmark__system", "benchmark__params"),
    "median": ("median", "benchmark__name"),
    "-median": ("-median", "benchmark__name"),
    "n": ("n", "benchmark__name"),
    "-n": ("-n", "benchmark__name"),
}


# --- selecting series -------------------------------------------------------------------------
def select_series(
    study: Study,
    *,
    dataset: Dataset | None = None,
    text: str = "",
    system: str = "",
    unit: str = "",
    least: int | None = None,
    most: int | None = None,
    recording: Recording | None = None,
    forks: Forks = "all",
    only: str = "",
) -> SeriesQuerySet:
    """Series of a study by what a person may filter; for campaigns, runs and exports.

    `text`: every word occurs in system, name or parameters, in any case. `least` and
    `most` are iterations, both inclusive. `forks="first"` takes one series a benchmark and
    recording, the lowest fork. `only`: public ids of benchmarks or series. Ordered by system, name,
    parameters, recording and fork, the same each time. Whether a person may see the study is the
    caller's question; marks and detections are not read here, so blindness is not either.
    """
    series = Series.objects.filter(benchmark__dataset__study=study)
    if dataset is not None:
        series = series.filter(benchmark__dataset=dataset)
    if recording is not None:
        series = series.filter(recording=recording)
    if only:
        series = chosen_series(series, only)
    if forks == "first":
        series = first_forks(series)
    narrowed_series = matching(series, text=text, system=system, unit=unit, least=least, most=most)
    return narrowed_series.order_by(*ORDERS["system"], "recording_id", "fork")


def first_forks(series: SeriesQuerySet) -> SeriesQuerySet:
    """Narrow to the lowest fork that each benchmark has in each recording."""
    return series.filter(~_lower_fork())


def chosen_series(series: SeriesQuerySet, only: str) -> SeriesQuerySet:
    """Narrow to what the table of a data set names: public ids of benchmarks or of series.

    A row of the table is a benchmark; its link names the one series where there is but one.
    """
    ids = only.split()
    return series.filter(Q(benchmark__public_id__in=ids) | Q(public_id__in=ids))


def matching(
    series: SeriesQuerySet,
    *,
    text: str = "",
    system: str = "",
    unit: str = "",
    least: int | None = None,
    most: int | None = None,
) -> SeriesQuerySet:
    """Narrow to series whose benchmark has all the words of `text`, the system and the unit.

    And which are from `least` to `most` iterations long.
    """
    for word in text.split():
        series = series.filter(
            Q(benchmark__system__icontains=word)
            | Q(benchmark__name__icontains=word)
            | Q(benchmark__params__icontains=word)
        )
    if system:
        series = series.filter(benchmark__system=system)
    if unit:
        series = series.filter(benchmark__unit=unit)
    if least is not None:
        series = series.filter(n__gte=least)
    if most is not None:
        series = series.filter(n__lte=most)
    return series


def _lower_fork() -> Exists:
    return Exists(
        Series.objects.filter(
            benchmark=OuterRef("benchmark"),
            recording=OuterRef("recording"),
            fork__lt=OuterRef("fork"),
        )
    )


def benchmark_rows(
    datasets: Sequence[Dataset], recording: Recording | None = None
) -> SeriesQuerySet:
    """One series a benchmark: the lowest fork of `recording`, else of the newest one it has."""
    if recording is None:
        rows = Series.objects.filter(shown_for__dataset__in=datasets)
    else:
        rows = Series.objects.filter(recording=recording).filter(~_lower_fork())
    return rows.select_related("benchmark", "recording", "shaped").defer("shaped__facts")


def fork_counts(rows: Iterable[Series]) -> dict[int, int]:
    """Count the forks that the benchmark of each row has in its recording, by primary key of the
    row.
    """
    listed_rows = list(rows)
    recording_counts = (
        Series.objects.filter(benchmark__in={row.benchmark_id for row in listed_rows})
        .values_list("benchmark_id", "recording_id")
        .annotate(forks=Count("pk"))
        .order_by()
    )
    counts = {(benchmark, recording): forks for benchmark, recording, forks in recording_counts}
    return {row.pk: counts[row.benchmark_id, row.recording_id] for row in listed_rows}


# --- facts of data sets -----------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """Summary of what a data set holds; `shortest` and `longest` are iterations."""

    benchmarks: int = 0
    series: int = 0
    shortest: int = 0
    longest: int = 0
    systems: int = 0


@dataclass(frozen=True, slots=True)
class DatasetContents:
    """Contents of a data set: its facts, its systems and its units, each in order."""

    facts: DatasetSummary
    systems: tuple[str, ...]
    units: tuple[str, ...]


def dataset_contents(datasets: Sequence[Dataset]) -> DatasetContents:
    """Facts, systems and units of data sets, in one query."""
    groups = list(
        Series.objects.filter(benchmark__dataset__in=datasets)
        .order_by()
        .values("benchmark__system", "benchmark__unit")
        .annotate(
            benchmarks=Count("benchmark", distinct=True),
            series=Count("pk"),
            shortest=Min("n"),
            longest=Max("n"),
        )
    )
    dataset_summary = DatasetSummary(
        benchmarks=sum(group["benchmarks"] for group in groups),
        series=sum(group["series"] for group in groups),
        shortest=min((group["shortest"] for group in groups), default=0),
        longest=max((group["longest"] for group in groups), default=0),
        systems=len({group["benchmark__system"] for group in groups}),
    )
    return DatasetContents(
        dataset_summary,
        _distinct_words(group["benchmark__system"] for group in groups),
        _distinct_words(group["benchmark__unit"] for group in groups),
    )


def _distinct_words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({word for word in words if word}))


def list_recordings(dataset: Dataset) -> QuerySet[Recording]:
    """The recordings of a data set, the newest first."""
    return dataset.recordings.order_by(*RECORDINGS_NEWEST_FIRST)


def has_several_recordings(dataset: Dataset) -> bool:
    """Return whether results of two occasions can be compared."""
    return len(dataset.recordings.all()[:2]) > 1


# --- forks ------------------------------------------------------------------------------------
def neighbours(series: Series) -> list[Series]:
    """The forks of this series' benchmark in its recording, in order; itself among them."""
    return list(
        Series.objects.filter(benchmark=series.benchmark_id, recording=series.recording_id)
        .select_related("benchmark__dataset__study")
        .order_by("fork")
    )


def first_fork(benchmark: Benchmark, recording: str = "") -> Series | None:
    """The lowest fork of the recording with that label, else of the newest one."""
    series = benchmark.series.order_by(*NEWEST_FIRST, "fork")
    return series.filter(recording__label=recording).first() if recording else series.first()


def recordings_of_benchmark(series: Series) -> list[Series]:
    """First fork of each other recording that has this series' benchmark, the newest first."""
    benchmark_series = Series.objects.filter(benchmark=series.benchmark_id)
    rows = benchmark_series.exclude(recording=series.recording_id).filter(~_lower_fork())
    return list(
        rows.select_related("recording", "benchmark__dataset__study")
        .defer("outline")
        .order_by(*NEWEST_FIRST)[:MOST_RECORDINGS]
    )


@dataclass(frozen=True, slots=True)
class RecordingRow:
    """One recording of a benchmark with its forks."""

    recording: Recording
    forks: list[Series]


def recording_rows(benchmark: Benchmark) -> list[RecordingRow]:
    """The recordings of a benchmark, the newest first, each with its forks in order."""
    rows: dict[int, RecordingRow] = {}
    series = benchmark.series.select_related("recording").order_by(*NEWEST_FIRST, "fork")
    for fork in series:
        row = rows.setdefault(fork.recording_id, RecordingRow(fork.recording, []))
        row.forks.append(fork)
    return list(rows.values())
