"""Counts of what goes with a removed thing: named before, and kept with the removal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Self

from django.db.models import Q, QuerySet

from analysis.methods.models import ImportedMethod
from analysis.removal.models import Removal
from analysis.runs.models import Detection, Run
from analysis.runs.selection import SeriesSelection
from annotate.models import Campaign, Mark
from people.models import Study
from series.models import Dataset, Recording, Series

Thing = Study | Dataset | Recording | Campaign | Run | ImportedMethod


@dataclass(frozen=True, slots=True)
class RemovedRows:
    """Rows that go: series with all that is about them, whole campaigns, runs, and answers."""

    series: QuerySet[Series]
    campaigns: QuerySet[Campaign]
    runs: QuerySet[Run]
    detections: QuerySet[Detection]


@dataclass(frozen=True, slots=True)
class RemovalCounts:
    """Counts of removed rows, as a person is told them."""

    series: int = 0
    campaigns: int = 0
    runs: int = 0
    marks: int = 0
    people: int = 0  # people who gave the marks
    detections: int = 0

    @classmethod
    def from_removable(cls, removable: Thing) -> Self:
        """Count what goes beside `removable` itself."""
        rows = removed_rows(removable)
        campaigns, runs = rows.campaigns.count(), rows.runs.count()
        removed_marks = Q(task__series__in=rows.series) | Q(task__campaign__in=rows.campaigns)
        marks = Mark.objects.filter(removed_marks)
        return cls(
            series=rows.series.count(),
            campaigns=campaigns - isinstance(removable, Campaign),
            runs=runs - isinstance(removable, Run),
            marks=marks.count(),
            people=marks.order_by().values("annotator").distinct().count(),
            detections=rows.detections.count(),
        )

    def as_json(self) -> dict[str, int]:
        return asdict(self)

    @property
    def words(self) -> tuple[str, ...]:
        """`120 marks by 5 people`, `3,200 detections`: only what there is."""
        return tuple(self._told())

    def _told(self) -> Iterator[str]:
        if self.series:
            yield f"{self.series:,} series"
        if self.campaigns:
            yield _number(self.campaigns, "campaign")
        if self.runs:
            yield _number(self.runs, "run")
        if self.marks:
            people = "1 person" if self.people == 1 else f"{self.people:,} people"
            yield f"{_number(self.marks, 'mark')} by {people}"
        if self.detections:
            yield _number(self.detections, "detection")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


# --- which rows -----------------------------------------------------------------------------------
def removed_rows(removable: Thing) -> RemovedRows:
    """The rows that go with `removable`."""
    match removable:
        case Study():
            campaigns = Campaign.objects.filter(study=removable)
            runs = Run.objects.filter(study=removable)
            return _rows(
                _series(benchmark__dataset__study=removable), campaigns=campaigns, runs=runs
            )
        case Dataset():
            runs = Run.objects.filter(study=removable.study, selection__dataset=removable.slug)
            return _rows(_series(benchmark__dataset=removable), runs=runs)
        case Recording():
            return _rows(_series(recording=removable))
        case Campaign():
            is_pass = Q(pk=removable.pk) | Q(repeats=removable.pk, study=removable.study_id)
            return _rows(campaigns=Campaign.objects.filter(is_pass))
        case Run():
            runs = Run.objects.filter(pk=removable.pk)
            return _rows(runs=runs, detections=_own_detections(removable))
        case _:
            study_detections = Detection.objects.filter(
                series__benchmark__dataset__study=removable.study_id
            )
            return _rows(detections=study_detections.filter(detector_key=removable.detector_key))


def _rows(
    series: QuerySet[Series] | None = None,
    *,
    campaigns: QuerySet[Campaign] | None = None,
    runs: QuerySet[Run] | None = None,
    detections: QuerySet[Detection] | None = None,
) -> RemovedRows:
    series = Series.objects.none() if series is None else series
    if campaigns is None:
        present_campaigns = Campaign.objects.present()
        campaigns_of_series = present_campaigns.filter(tasks__series__in=series).values("pk")
        other_series = Series.objects.exclude(pk__in=series)
        campaigns = present_campaigns.filter(pk__in=campaigns_of_series).exclude(
            tasks__series__in=other_series
        )
    if detections is None:
        detections = Detection.objects.filter(series__in=series)
    return RemovedRows(series, campaigns, Run.objects.none() if runs is None else runs, detections)


def _series(**filters: Any) -> QuerySet[Series]:
    return Series.objects.filter(**filters).order_by()


def _own_detections(run: Run) -> QuerySet[Detection]:
    """Detections that this run has computed and no other run of the study asks for."""
    foreign_answers = Q()
    for other_run in Run.objects.filter(study=run.study_id).exclude(pk=run.pk):
        common_detectors = set(other_run.detectors) & set(run.detectors)
        if common_detectors:
            series = SeriesSelection.from_json(other_run.selection).series(run.study)
            foreign_answers |= Q(detector_key__in=common_detectors, series__in=series.order_by())
    run_detections = Detection.objects.filter(run=run)
    return run_detections.exclude(foreign_answers) if foreign_answers else run_detections


def counts_of(removal: Removal) -> RemovalCounts:
    """Counts as they were told when the thing was removed."""
    return RemovalCounts(**removal.counts)
