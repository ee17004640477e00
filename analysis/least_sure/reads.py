"""The series of a campaign that a method is least sure of and that lack marks, for an organiser.

A reader sees of them what detections they may see; who has yet to answer a series finds it counted
among those that are left out, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q

from analysis.runs.certainty import StatedCertainty, certain_keys, default_key, stated_certainties
from analysis.statistics.marking_order import widest_subjects
from annotate.blind import HiddenSeriesCount, Reader, count_hidden_series, visible_series
from annotate.models import Campaign, Task
from annotate.models.task import TaskQuerySet
from people.templatetags.writing import grouped
from series.models import Series
from series.models.series import SeriesQuerySet


@dataclass(frozen=True, slots=True)
class LeastSureSeries:
    """One series: how sure the method is of it, how many people are asked and have answered."""

    task: Task
    certainty: StatedCertainty
    answer_count: int
    asked_count: int

    @property
    def series(self) -> Series:
        return self.task.series


@dataclass(frozen=True, slots=True)
class LeastSure:
    """All series that may be looked at first, in order; a page shows some of them.

    key             of the method
    keys            of all methods that say how sure they are of series of this campaign
    unsaid_count    series of which this method does not say it
    unsaid_dataset  data set of the first of them, by its slug; empty where there is none
    marked_count    series that everybody has marked who is asked for them
    hidden_count    series of the campaign that are kept from the reader
    """

    campaign: Campaign
    key: str
    keys: Sequence[str]
    rows: Sequence[LeastSureSeries]
    unsaid_count: int
    unsaid_dataset: str
    marked_count: int
    hidden_count: HiddenSeriesCount

    @property
    def lacking_count(self) -> int:
        """Series that lack marks."""
        return len(self.rows) + self.unsaid_count


def least_sure(campaign: Campaign, reader: Reader, key: str = "") -> LeastSure:
    """Widest interval first, of the series that lack marks and that `reader` may see."""
    key = key or default_key()
    counted_series = Series.objects.filter(tasks__in=campaign.tasks.counted())
    tasks = _tasks_with_counts(campaign, visible_series(reader, counted_series))
    rows = tasks.exclude(Q(asked__gt=0, answers=F("asked")))
    task_by_series: dict[int, Any] = {task.series_id: task for task in rows}
    certainties = stated_certainties(task_by_series, key)
    unsaid_tasks = [task for pk, task in task_by_series.items() if pk not in certainties]
    ordered_pks = widest_subjects({pk: certainty.width for pk, certainty in certainties.items()})
    return LeastSure(
        campaign=campaign,
        key=key,
        keys=certain_keys(task_by_series),
        rows=[
            LeastSureSeries(
                task_by_series[pk],
                certainties[pk],
                task_by_series[pk].answers,
                task_by_series[pk].asked,
            )
            for pk in ordered_pks
        ],
        unsaid_count=len(unsaid_tasks),
        unsaid_dataset=unsaid_tasks[0].series.benchmark.dataset.slug if unsaid_tasks else "",
        marked_count=tasks.count() - len(task_by_series),
        hidden_count=count_hidden_series(reader, counted_series),
    )


def _tasks_with_counts(campaign: Campaign, series: SeriesQuerySet) -> TaskQuerySet:
    """The tasks about these series, with how many are asked for each and have answered it."""
    people = campaign.annotators.human().values("user")
    human_assignments = Q(assignments__user__in=people)
    tasks = campaign.tasks.counted().to_mark().filter(series__in=series)
    counted_tasks: TaskQuerySet = tasks.annotate(
        asked=Count("assignments", filter=human_assignments),
        answers=Count(
            "assignments", filter=human_assignments & Q(assignments__latest__isnull=False)
        ),
    )
    return counted_tasks.select_related("series__benchmark__dataset__study")


def present_order(campaign: Campaign) -> str:
    """Sentence of the order in which people are asked now."""
    turns = dict(campaign.tasks.values_list("turn").annotate(n=Count("pk")).order_by("turn"))
    if len(turns) < 2:
        return "Now each person has a random order of their own."
    if len(turns) == 2:
        return (
            f"Now {grouped(turns[min(turns)])} series are asked before the others, "
            "within both in each person’s own order."
        )
    return f"Now series are asked in {len(turns)} turns, within each in each person’s own order."
