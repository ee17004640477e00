"""Tables of the machines of a build, for download and command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from analysis.trend.exports import MOST_MEANS
from analysis.trend.machines.query import MachinesQuery
from analysis.trend.machines.table import BuildMachines, NoMachines, build_machines
from analysis.trend.starts import UnknownStart
from analysis.trend.two_builds.table import UnknownBuild
from analysis.web.page_tables import (
    DATASET,
    PageTables,
    TableEmpty,
    TableNotReady,
    TableRequest,
    column_table,
)
from formats.tables import NAMING, Cell

COLUMNS: Final = {
    **{name: NAMING[name] for name in ("system", "benchmark", "params", "unit")},
    "machines": "machines with a result",
    "forks": "forks with a result, of all machines",
    "mean": "mean of the machines' means, in the unit",
    "half": "half of its 95 % interval, by how machines differ, as a share of it",
    "machine_variance": "between machines, in the squared unit; below 0 by chance",
    "fork_variance": "between forks of one machine; empty without a machine of two forks",
    "iteration_variance": "between iterations of one fork; empty of single iterations",
    "long_run_variance": "variance of a mean of many iterations of a fork, times their number",
    "machine_cv": "standard deviation between machines as a share of the mean, 0 at the least",
    "fork_cv": "the same between forks",
    "iteration_cv": "the same between iterations",
    "machine_share": "part of machines in the variance of a single iteration",
    "fork_share": "part of forks",
    "iteration_share": "part of iterations",
    "machines_needed": "machines for the target with forks and iterations as recorded; empty: "
    "over 1,000",
    "plan_machines": "machines of the cheapest measurement for the target; empty: length of "
    "iterations unknown, or none found",
    "plan_forks": "its forks on each machine",
    "plan_iterations": "its iterations of each fork after the warm-up",
    "plan_half": "half of its 95 % interval, as a share of the mean",
    "plan_seconds": "its machine time",
}
LEVEL_COLUMNS: Final = {
    "level": "benchmark, machine, fork or iteration",
    "groups": "how many there are",
    "deviation": "standard deviation of logarithms within the level around it: 0.1 is about 10 %",
    "share": "its part in the variance within benchmarks; empty of that between them",
}


def _machine_rows(build: BuildMachines) -> Iterator[Mapping[str, Cell]]:
    for row in build.rows:
        benchmark, plan, shares = row.benchmark, row.plan, row.shares
        yield {
            "system": benchmark.system,
            "benchmark": benchmark.name,
            "params": benchmark.params,
            "unit": benchmark.unit,
            "machines": row.machines,
            "forks": row.forks,
            "mean": row.mean,
            "half": row.half,
            "machine_variance": row.machine,
            "fork_variance": row.fork,
            "iteration_variance": row.iteration,
            "long_run_variance": row.long_run,
            **{f"{level}_cv": row.deviation(level) for level in shares},
            **{f"{level}_share": share for level, share in shares.items()},
            "machines_needed": row.needed,
            "plan_machines": plan.machines if plan else None,
            "plan_forks": plan.forks if plan else None,
            "plan_iterations": plan.iterations if plan else None,
            "plan_half": plan.half if plan else None,
            "plan_seconds": plan.seconds if plan else None,
        }


def _level_rows(build: BuildMachines) -> Iterator[Mapping[str, Cell]]:
    for row in build.levels:
        yield {name: getattr(row, name) for name in LEVEL_COLUMNS}


def _settings_and_counts(build: BuildMachines, _table_name: str) -> dict[str, Any]:
    return {
        "study": build.dataset.study.slug,
        "dataset": build.dataset.slug,
        "build": build.build,
        "machines": list(build.machines),
        "target": build.asked.target,
        "start": build.start.code,
        "recordings_without_machine": build.unnamed_count,
        "hidden_until_answered": build.hidden_count,
        "excluded_in_review": build.excluded_count,
    }


def _read_build_machines(request: TableRequest) -> BuildMachines:
    """The table, complete: TableNotReady where a download would read too many series."""
    (query,) = request.queries
    limit = None if request.is_command else MOST_MEANS
    try:
        build = build_machines(request.scope, request.reader, query, limit=limit)
    except NoMachines as error:
        raise TableEmpty(str(error)) from error
    if build.waiting_count:
        sentence = f"more than {MOST_MEANS:,} series: ask manage.py machines for this table"
        raise TableNotReady(sentence)
    return build


MACHINE_TABLES: Final = PageTables(
    scope=DATASET,
    queries={MachinesQuery: ()},
    compute=_read_build_machines,
    tables={
        "machines": column_table("Machines by benchmark", COLUMNS, _machine_rows),
        "levels": column_table("Variation by level", LEVEL_COLUMNS, _level_rows),
    },
    refusals=(UnknownBuild, UnknownStart),
    about=_settings_and_counts,
)
