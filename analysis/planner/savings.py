"""Machine time that the plans of a data set save, and the precision that it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Final

from analysis.planner.kept_savings import kept_rows, page_rows, want_rows
from analysis.planner.query import PlanQuery
from analysis.planner.reads import PlanPage, dataset_plan_pages
from annotate.blind import Reader, sees_all
from detectors.planning.suite_saving import SavingRow, SuiteWay, suite_ways
from people.templatetags.writing import grouped, lasting
from series.models import Dataset, Series

AT_MOST: Final = 1.0  # seconds of computing for a page
WAY_TITLES: Final = {
    "configured": "As configured",
    "plan": "The plan",
    "cv": "µOpTime, coefficient of variation",
    "rmad": "µOpTime, median absolute deviation",
    "rciw-mean": "µOpTime, bootstrap interval of the mean",
    "rciw-mean-t": "µOpTime, studentized interval of the mean",
    "rciw-median": "µOpTime, bootstrap interval of the median",
}


@dataclass(frozen=True, slots=True)
class SuiteSavings:
    """Ways to measure a suite; `read` of so many benchmarks with series were looked at.

    rest_is_computed  whether workers were asked for the others
    """

    ways: Sequence[SuiteWay]
    read: int
    of: int
    rest_is_computed: bool = False

    @property
    def titled_ways(self) -> list[tuple[str, SuiteWay]]:
        return [(WAY_TITLES[way.way], way) for way in self.ways]


def dataset_savings(dataset: Dataset, reader: Reader, query: PlanQuery) -> Iterator[SavingRow]:
    """Rows of every benchmark of the data set that has enough steady forks."""
    for page in dataset_plan_pages(dataset, reader, query):
        if isinstance(page, PlanPage):
            yield from page_rows(page)


def suite_savings(dataset: Dataset, reader: Reader, query: PlanQuery) -> SuiteSavings:
    """Sums for a page: kept ones, else those of as many benchmarks as `AT_MOST` allows.

    Of a large data set workers then compute the rest, for who may see all answers of its study.
    """
    count = dataset.benchmarks.filter(series__isnull=False).distinct().count()
    study_series = Series.objects.filter(benchmark__dataset__study=dataset.study)
    may_be_kept = query == PlanQuery() and sees_all(reader, dataset.study, study_series)
    stored_rows = kept_rows(dataset) if may_be_kept else None
    if stored_rows is not None:
        return SuiteSavings(suite_ways(stored_rows), count, count)
    rows, row_count, start = list[SavingRow](), 0, thread_time()
    for page in dataset_plan_pages(dataset, reader, query):
        row_count += 1
        if isinstance(page, PlanPage):
            rows += page_rows(page)
        if thread_time() - start > AT_MOST:
            break
    must_compute = may_be_kept and row_count < count
    if must_compute:
        want_rows([dataset.pk])
    return SuiteSavings(suite_ways(rows), row_count, count, must_compute)


def saving_sentence(savings: SuiteSavings) -> str:
    """Machine time of the plans against that of the configuration, and the widths of intervals."""
    if not savings.ways:
        return "No benchmark has enough steady forks for a plan."
    configured_way, plan = savings.ways[:2]
    ending = "s" if plan.benchmarks != 1 else ""
    sentence = (
        f"The plan for {grouped(plan.benchmarks)} benchmark{ending} takes {lasting(plan.seconds)} "
        f"in place of {lasting(configured_way.seconds)}"
    )
    if plan.width_ratio is not None:
        sentence += f"; the intervals are {plan.width_ratio:.2g} times as wide"
    if plan.unplanned:
        plural = "have no plan and stay" if plan.unplanned != 1 else "has no plan and stays"
        sentence += f". {grouped(plan.unplanned)} of them {plural} as configured"
    return f"{sentence}."
