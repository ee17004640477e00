"""Plans of a data set as a file: a row a benchmark; or as the lines that a harness is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from detectors.planning.plan_rows import PlannedBenchmark, PlanRow
from formats.tables import columns_of

COLUMNS: Final = columns_of(PlanRow)


def lines(found: Iterable[PlannedBenchmark]) -> Iterator[str]:
    """Of every benchmark its name, what is to be written, and an empty line."""
    for each in found:
        if each.command is not None:
            yield f"{each.name}\n{each.command.text}\n\n"
