"""Machine time that the plans of a data set save, and the precision that it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Final

from analysis.planner.query import PlanQuery
from analysis.planner.reads import PlanPage, dataset_plan_pages
from annotate.blind import Reader
from detectors.planning.suite_saving import SavingRow, SuiteWay, saving_rows, suite_ways
from people.templatetags.writing import grouped, lasting
from series.models import Dataset

AT_MOST: Final = 1.0  # seconds of a page
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
    """Ways to measure a suite; `read` of so many benchmarks with series were looked at."""

    ways: Sequence[SuiteWay]
    read: int
    of: int

    @property
    def titled_ways(self) -> list[tuple[str, SuiteWay]]:
        return [(WAY_TITLES[way.way], way) for way in self.ways]


def dataset_savings(dataset: Dataset, reader: Reader, query: PlanQuery) -> Iterator[SavingRow]:
    """Rows of every benchmark of the data set that has enough steady forks."""
    for page in dataset_plan_pages(dataset, reader, query):
        if isinstance(page, PlanPage):
            yield from _page_rows(page)


def suite_savings(dataset: Dataset, reader: Reader, query: PlanQuery) -> SuiteSavings:
    """Sums for a page, of as many benchmarks as `AT_MOST` allows."""
    rows, read, start = list[SavingRow](), 0, thread_time()
    count = dataset.benchmarks.filter(series__isnull=False).distinct().count()
    for page in dataset_plan_pages(dataset, reader, query):
        read += 1
        if isinstance(page, PlanPage):
            rows += _page_rows(page)
        if thread_time() - start > AT_MOST:
            break
    return SuiteSavings(suite_ways(rows), read, count)


def _page_rows(page: PlanPage) -> Iterator[SavingRow]:
    if page.plan is not None:
        recorded_forks = [fork.recorded for fork in page.forks]
        yield from saving_rows(str(page.benchmark), page.plan, recorded_forks)


def saving_sentence(savings: SuiteSavings) -> str:
    """Machine time of the plans against that of the configuration, and the widths of intervals."""
    if not savings.ways:
        return "No benchmark has enough steady forks for a plan."
    configured, plan = savings.ways[:2]
    several = "s" if plan.benchmarks != 1 else ""
    sentence = (
        f"The plan for {grouped(plan.benchmarks)} benchmark{several} takes {lasting(plan.seconds)} "
        f"in place of {lasting(configured.seconds)}"
    )
    if plan.width_ratio is not None:
        sentence += f"; the intervals are {plan.width_ratio:.2g} times as wide"
    if plan.unplanned:
        plural = "have no plan and stay" if plan.unplanned != 1 else "has no plan and stays"
        sentence += f". {grouped(plan.unplanned)} of them {plural} as configured"
    return f"{sentence}."
