"""Series as CSV, long: written so that `formats.read` gives the same values back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from formats.measurement import Measurement
from formats.tables import in_pieces, line_of

COLUMNS = ("recording", "system", "benchmark", "params", "fork", "unit", "iteration", "value")


def write(measurements: Iterable[Measurement]) -> Iterator[str]:
    """A row for every value, as pieces of text; one series is in memory at a time."""
    return in_pieces(_lines(measurements))


def _lines(measurements: Iterable[Measurement]) -> Iterator[str]:
    """What rows of a series share is written once and repeated: most of the file is that."""
    yield line_of(COLUMNS) + "\n"
    for one in measurements:
        key = (one.recording.label, one.system, one.benchmark, one.params, one.fork, one.unit)
        shared = line_of(key)
        for iteration, value in enumerate(one.values.tolist()):
            yield f"{shared},{iteration},{value!r}\n"
