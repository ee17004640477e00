"""Plans of a data set as a file: a row a benchmark; or as the lines that a harness is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from detectors.planning.plan_rows import PlannedBenchmark, PlanRow
from formats.tables import columns_of

COLUMNS: Final = columns_of(PlanRow)


def plan_lines(planned_benchmarks: Iterable[PlannedBenchmark]) -> Iterator[str]:
    """Lines of every benchmark: its name, the harness configuration, and an empty line."""
    for benchmark in planned_benchmarks:
        if benchmark.command is not None:
            yield f"{benchmark.name}\n{benchmark.command.text}\n\n"
