"""Plans of a data set as a file: a row a benchmark; or as the lines that a harness is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from analysis.planner.query import PlanQuery
from analysis.planner.reads import dataset_plans
from analysis.web.page_tables import DATASET, PageTables, declared_table
from detectors.planning.plan_rows import PlannedBenchmark, PlanRow, plan_row
from formats.tables import columns_of

PLAN_TABLES: Final = PageTables(
    scope=DATASET,
    queries={PlanQuery: ()},
    compute=lambda request: dataset_plans(request.scope, request.reader, *request.queries),
    tables={
        "plans": declared_table("Plans", columns_of(PlanRow), lambda plans: map(plan_row, plans))
    },
)


def plan_lines(planned_benchmarks: Iterable[PlannedBenchmark]) -> Iterator[str]:
    """Lines of every benchmark: its name, the harness configuration, and an empty line."""
    for benchmark in planned_benchmarks:
        if benchmark.command is not None:
            yield f"{benchmark.name}\n{benchmark.command.text}\n\n"
