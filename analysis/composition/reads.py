"""Counts of a data set by system: series, units, ground truth, shapes, noise.

How many series there are everybody may know; what ground truth and shapes say is counted over
those that the reader may see.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import Final, NamedTuple, TypeVar

from django.db.models import BooleanField, Case, Count, Max, Min, Sum, When

from annotate import blind
from annotate.blind import HiddenSeriesCount, Reader
from annotate.models import GroundTruth
from annotate.models.ground_truth import CampaignOrder
from detectors.contract import NEVER
from detectors.shapes.series_shape import Shape
from detectors.shapes.shape_words import MEANINGS
from series.models import Dataset, Series
from series.models.series import SeriesQuerySet

ALL: Final = "all"
KNOWN_STEADY: Final = Case(
    When(known_start=None, then=None),
    When(known_start=NEVER, then=False),
    default=True,
    output_field=BooleanField(),
)
"""Whether a simulated series becomes steady; NULL where nobody knows."""


class CountedForks(NamedTuple):
    """Series of one benchmark in one recording.

    min_length, max_length  iterations of the shortest and the longest; value_count: of all
    """

    system: str
    benchmark: int
    recording: int
    unit: str
    fork_count: int
    min_length: int
    max_length: int
    value_count: int


class CountedSeries(NamedTuple):
    """So many visible series of one system that are alike.

    is_steady  None without ground truth or a known answer
    shape      None as long as no worker has told it
    """

    system: str
    is_steady: bool | None
    shape: Shape | None
    noise: str | None
    series_count: int


Counted = TypeVar("Counted", CountedForks, CountedSeries)


@dataclass(frozen=True, slots=True)
class SystemComposition:
    """One system of a data set, or all of them.

    forks     fewest and most series of a benchmark in one recording
    iterations fewest and most of a series; values: of all series together
    steady, never, unanswered, shapes, noisy: of the `n_visible` series
    unshaped  visible ones whose shape no worker has determined yet
    """

    system: str
    benchmarks: int
    recordings: int
    series: int
    forks: tuple[int, int]
    iterations: tuple[int, int]
    values: int
    units: tuple[str, ...]
    n_visible: int
    steady: int
    never: int
    unanswered: int
    shapes: Mapping[Shape, int]
    noisy: int
    unshaped: int

    @classmethod
    def from_series(
        cls, system: str, all_forks: Sequence[CountedForks], visible_series: Sequence[CountedSeries]
    ) -> SystemComposition:
        """Count the series of one system; `all_forks` holds at least one."""
        count_by_answer: Counter[bool | None] = Counter()
        count_by_shape: Counter[Shape | None] = Counter()
        for series_counts in visible_series:
            count_by_answer[series_counts.is_steady] += series_counts.series_count
            count_by_shape[series_counts.shape] += series_counts.series_count
        return cls(
            system=system,
            benchmarks=len({fork_counts.benchmark for fork_counts in all_forks}),
            recordings=len({fork_counts.recording for fork_counts in all_forks}),
            series=sum(fork_counts.fork_count for fork_counts in all_forks),
            forks=(
                min(fork_counts.fork_count for fork_counts in all_forks),
                max(fork_counts.fork_count for fork_counts in all_forks),
            ),
            iterations=(
                min(fork_counts.min_length for fork_counts in all_forks),
                max(fork_counts.max_length for fork_counts in all_forks),
            ),
            values=sum(fork_counts.value_count for fork_counts in all_forks),
            units=tuple(sorted({fork_counts.unit for fork_counts in all_forks})),
            n_visible=count_by_answer.total(),
            steady=count_by_answer[True],
            never=count_by_answer[False],
            unanswered=count_by_answer[None],
            shapes={shape: count_by_shape[shape] for shape in MEANINGS},
            noisy=sum(
                series_counts.series_count
                for series_counts in visible_series
                if series_counts.noise == "noisy"
            ),
            unshaped=count_by_shape[None],
        )


@dataclass(frozen=True, slots=True)
class DatasetComposition:
    """The systems of a data set by name, and all of them together; empty without series."""

    dataset: Dataset
    systems: tuple[SystemComposition, ...]
    total: SystemComposition | None
    hidden_count: HiddenSeriesCount

    @property
    def lines(self) -> tuple[SystemComposition, ...]:
        """The systems, and all together where there are several."""
        if self.total is None or len(self.systems) < 2:
            return self.systems
        return (*self.systems, self.total)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes that occur, in the order in which the rules name them."""
        count_by_shape = self.total.shapes if self.total else {}
        return tuple(shape for shape in MEANINGS if count_by_shape.get(shape))


def composition_of(dataset: Dataset, reader: Reader) -> DatasetComposition:
    """The composition of a data set for one reader; the database counts."""
    series = Series.objects.filter(benchmark__dataset=dataset)
    visible_series = blind.visible_series(reader, series)
    columns = ("benchmark__system", "benchmark_id", "recording_id", "benchmark__unit")
    rows = series.order_by().values_list(*columns)
    forks_by_system = _rows_by_system(
        starmap(CountedForks, rows.annotate(Count("pk"), Min("n"), Max("n"), Sum("n")))
    )
    series_by_system = _rows_by_system(_counts(visible_series, dataset.study.campaigns.best_first))
    return DatasetComposition(
        dataset,
        tuple(
            SystemComposition.from_series(name, forks_by_system[name], series_by_system[name])
            for name in sorted(forks_by_system)
        ),
        SystemComposition.from_series(ALL, _all_rows(forks_by_system), _all_rows(series_by_system))
        if forks_by_system
        else None,
        blind.count_hidden_series(reader, series),
    )


def _rows_by_system(rows: Iterable[Counted]) -> dict[str, list[Counted]]:
    rows_by_name: dict[str, list[Counted]] = defaultdict(list)
    for row in rows:
        rows_by_name[row.system].append(row)
    return rows_by_name


def _all_rows(rows_by_system: Mapping[str, list[Counted]]) -> list[Counted]:
    return list(chain.from_iterable(rows_by_system.values()))


def _counts(visible_series: SeriesQuerySet, order: CampaignOrder) -> Iterator[CountedSeries]:
    """Visible series by what is said of them: by their best campaign, else by a known answer."""
    answers = GroundTruth.objects.settled().filter(
        task__series__in=visible_series.order_by().values("pk"), steady__isnull=False
    )
    truths = answers.by_series(order)
    columns = ("benchmark__system", "known", "shaped__shape", "shaped__noise")
    known_answers = visible_series.annotate(known=KNOWN_STEADY).order_by().values_list(*columns)
    counts = Counter({tuple(row[:-1]): row[-1] for row in known_answers.annotate(Count("pk"))})
    judged_series = Series.objects.filter(pk__in=truths).annotate(known=KNOWN_STEADY).order_by()
    for pk, system, is_steady, *shape_and_noise in judged_series.values_list("pk", *columns):
        counts[system, is_steady, *shape_and_noise] -= 1
        counts[system, truths[pk].steady, *shape_and_noise] += 1
    return (
        CountedSeries(system, steady, shape, noise, count)
        for (system, steady, shape, noise), count in counts.items()
        if count
    )
