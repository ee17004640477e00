"""Plans of a data set as files: a row a benchmark, the machine time that they save, or the lines
that a harness is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from analysis.planner.query import PlanQuery
from analysis.planner.reads import dataset_plans
from analysis.planner.savings import dataset_savings
from analysis.web.page_tables import DATASET, PageTables, TableRequest, declared_table
from detectors.planning.harness_commands import harness_command
from detectors.planning.plan_rows import PlannedBenchmark, PlanRow, plan_row
from detectors.planning.suite_saving import SavingRow, SuiteWay, suite_ways
from formats.tables import columns_of


def _plans_or_savings(request: TableRequest) -> Iterator[PlannedBenchmark] | Iterator[SavingRow]:
    if request.table_name == "plans":
        return dataset_plans(request.scope, request.reader, *request.queries)
    return dataset_savings(request.scope, request.reader, *request.queries)


PLAN_TABLES: Final[PageTables[Any]] = PageTables(
    scope=DATASET,
    queries={PlanQuery: ()},
    compute=_plans_or_savings,
    tables={
        "plans": declared_table("Plans", columns_of(PlanRow), lambda plans: map(plan_row, plans)),
        "suite": declared_table("Machine time of the suite", columns_of(SuiteWay), suite_ways),
        "savings": declared_table(
            "Machine time of each benchmark", columns_of(SavingRow), lambda rows: rows
        ),
    },
)


def plan_lines(
    planned_benchmarks: Iterable[PlannedBenchmark], *, has_annotations: bool
) -> Iterator[str]:
    """Lines of every benchmark: its name, the harness configuration, and an empty line.

    annotations  those of JMH are annotations of the source, in place of a command
    """
    for benchmark in planned_benchmarks:
        command = benchmark.command
        if command is not None and command.name == "jmh" and has_annotations:
            command = harness_command("jmh-annotations", command.run)
        if command is not None:
            yield f"{benchmark.name}\n{command.text}\n\n"
