"""Counts of a data set by system: series, units, ground truth, shapes, noise.

How many series there are everybody may know; what ground truth and shapes say is counted over
those that the reader may see.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from annotate import blind
from annotate.blind import HiddenSeriesCount, Reader
from annotate.models import GroundTruth
from annotate.models.ground_truth import CampaignOrder
from detectors.contract import NEVER
from detectors.shape_words import MEANINGS
from detectors.shapes import Shape
from series.models import Dataset, Series
from series.models.series import SeriesQuerySet

ALL: Final = "all"


class CountedSeries(NamedTuple):
    """What is counted of one series.

    steady  None without ground truth or a known answer
    shape   None as long as no worker has told it
    """

    visible: bool
    steady: bool | None
    system: str
    benchmark: int
    recording: int
    n: int
    unit: str
    shape: Shape | None
    noise: str | None


@dataclass(frozen=True, slots=True)
class SystemComposition:
    """One system of a data set, or all of them.

    forks      fewest and most series of a benchmark in one recording
    iterations fewest and most of a series; values: of all series together
    steady, never, unanswered, shapes, noisy: of the `visible` series
    untold     visible ones whose shape no worker has determined yet
    """

    system: str
    benchmarks: int
    recordings: int
    series: int
    forks: tuple[int, int]
    iterations: tuple[int, int]
    values: int
    units: tuple[str, ...]
    visible: int
    steady: int
    never: int
    unanswered: int
    shapes: Mapping[Shape, int]
    noisy: int
    untold: int

    @classmethod
    def of(cls, system: str, rows: Iterable[CountedSeries]) -> SystemComposition:
        """At least one row."""
        every = list(rows)
        seen = [each for each in every if each.visible]
        forks = Counter((each.benchmark, each.recording) for each in every).values()
        lengths = [each.n for each in every]
        said = Counter(each.steady for each in seen)
        told = Counter(each.shape for each in seen)
        return cls(
            system=system,
            benchmarks=len({each.benchmark for each in every}),
            recordings=len({each.recording for each in every}),
            series=len(every),
            forks=(min(forks), max(forks)),
            iterations=(min(lengths), max(lengths)),
            values=sum(lengths),
            units=tuple(sorted({each.unit for each in every})),
            visible=len(seen),
            steady=said[True],
            never=said[False],
            unanswered=said[None],
            shapes={shape: told[shape] for shape in MEANINGS},
            noisy=sum(each.noise == "noisy" for each in seen),
            untold=told[None],
        )


@dataclass(frozen=True, slots=True)
class DatasetComposition:
    """The systems of a data set by name, and all of them together; empty without series."""

    dataset: Dataset
    systems: tuple[SystemComposition, ...]
    whole: SystemComposition | None
    hidden: HiddenSeriesCount

    @property
    def lines(self) -> tuple[SystemComposition, ...]:
        """The systems, and all together where there are several."""
        if self.whole is None or len(self.systems) < 2:
            return self.systems
        return (*self.systems, self.whole)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes that occur, in the order in which the rules name them."""
        there = self.whole.shapes if self.whole else {}
        return tuple(shape for shape in MEANINGS if there.get(shape))


def composition_of(dataset: Dataset, reader: Reader) -> DatasetComposition:
    """The composition of a data set for one reader, in four queries."""
    series = Series.objects.filter(benchmark__dataset=dataset)
    rows = _rows(series, reader, dataset.study.campaigns.best_first)
    by_system: dict[str, list[CountedSeries]] = defaultdict(list)
    for row in rows:
        by_system[row.system].append(row)
    return DatasetComposition(
        dataset,
        tuple(SystemComposition.of(name, by_system[name]) for name in sorted(by_system)),
        SystemComposition.of(ALL, rows) if rows else None,
        blind.left_out(reader, series),
    )


def _rows(series: SeriesQuerySet, reader: Reader, order: CampaignOrder) -> list[CountedSeries]:
    visible = blind.visible_series(reader, series)
    seen = set(visible.values_list("pk", flat=True))
    truths = _truths(visible, order)
    columns = (
        *("benchmark__system", "benchmark_id", "recording_id", "n", "benchmark__unit"),
        *("shaped__shape", "shaped__noise"),
    )
    return [
        CountedSeries(pk in seen, truths.get(pk), *counted)
        for pk, *counted in series.order_by("pk").values_list("pk", *columns)
    ]


def _truths(series: SeriesQuerySet, order: CampaignOrder) -> dict[int, bool]:
    """Map each series to steady or not, by its best campaign, else by its known answer."""
    known = series.exclude(known_start=None).values_list("pk", "known_start")
    found = {pk: start != NEVER for pk, start in known}
    settled = GroundTruth.objects.settled().filter(
        task__series__in=series.order_by().values("pk"), steady__isnull=False
    )
    truths = settled.by_series(order)
    return found | {pk: bool(truth.steady) for pk, truth in truths.items()}
