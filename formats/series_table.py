"""Series as CSV, long: written so that `formats.read_series_of_file` gives the same values back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from formats.measurement import Measurement
from formats.tables import TableColumn, cells, column_names, csv_line, join_pieces

OF_SERIES: Final[tuple[TableColumn[Measurement], ...]] = (
    TableColumn("recording", lambda measurement: measurement.recording.label),
    TableColumn("build", lambda measurement: measurement.recording.build),
    TableColumn("measured_at", lambda measurement: measurement.recording.measured_at),
    TableColumn("system", lambda measurement: measurement.system),
    TableColumn("benchmark", lambda measurement: measurement.benchmark),
    TableColumn("params", lambda measurement: measurement.params),
    TableColumn("fork", lambda measurement: measurement.fork),
    TableColumn("unit", lambda measurement: measurement.unit),
)
OF_VALUE: Final[tuple[TableColumn[tuple[int, float]], ...]] = (
    TableColumn("iteration", lambda value: value[0], "position in the series, 0-based"),
    TableColumn("value", lambda value: value[1], "in the unit; times in seconds"),
)
COLUMNS: Final[tuple[TableColumn[Any], ...]] = (*OF_SERIES, *OF_VALUE)


def series_table_text(measurements: Iterable[Measurement]) -> Iterator[str]:
    """A row for every value, as pieces of text; one series is in memory at a time."""
    return join_pieces(_lines(measurements))


def _lines(measurements: Iterable[Measurement]) -> Iterator[str]:
    """Yield the lines of the file; what rows of a series share, most of the file, is written
    once and repeated.
    """
    yield csv_line(column_names(COLUMNS)) + "\n"
    for measurement in measurements:
        shared_cells = csv_line(cells(OF_SERIES, measurement))
        for iteration, value in enumerate(measurement.values.tolist()):
            yield f"{shared_cells},{iteration},{value!r}\n"
