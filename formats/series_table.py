"""Series as CSV, long: written so that `formats.read` gives the same values back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formats.measurement import Measurement
from formats.tables import Cell, write as write_table

COLUMNS = ("recording", "system", "benchmark", "params", "fork", "unit", "iteration", "value")


def write(measurements: Iterable[Measurement]) -> Iterator[str]:
    """A row for every value, as pieces of text; one series is in memory at a time."""
    return write_table(COLUMNS, _rows(measurements))


def _rows(measurements: Iterable[Measurement]) -> Iterator[tuple[Cell, ...]]:
    for one in measurements:
        key = (one.recording.label, one.system, one.benchmark, one.params, one.fork, one.unit)
        for iteration, value in enumerate(one.values.tolist()):
            yield (*key, iteration, value)
