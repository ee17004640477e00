"""CSV of warmup_stats: a row a process execution, a column an in-process iteration.

Source: softdevteam/warmup_stats: README.md. Cells are separated by a comma and a blank; times are
seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement, parse_numbers
from formats.measurement import Measurement
from formats.reader import FileReader, FileStart
from formats.separated import records
from formats.source import InputSource

REMEDY: Final = "set iterations to 3000 in the configuration of Krun"
HEADER: Final = ("process_exec_num", "bench_name")


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each row; processes of a benchmark are its forks, in the order of rows."""
    forks: Counter[str] = Counter()
    for row, cells in records(source, ","):
        words = [cell.strip() for cell in cells]
        if row == 1 or not any(words):
            continue
        name = words[1] if len(words) > 1 else ""
        make = partial(_series, source, row, words, fork=forks[name])
        forks[name] += 1
        if (series := source.attempt(make)) is not None:
            yield series
    if not forks:
        expected = "a row a process execution"
        raise source.problem("the whole file", found="a header alone", expected=expected)


def _series(source: InputSource, row: int, cells: list[str], *, fork: int) -> Measurement:
    name, texts = (cells[1] if len(cells) > 1 else ""), cells[2:]
    if not name:
        raise source.problem(f"row {row}", found="no name", expected="a benchmark's name")
    while texts and not texts[-1]:
        texts.pop()
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=parse_numbers(
                source, texts, lambda index: f"row {row}, benchmark {name}, iteration {index}"
            ),
            unit="s/op",
            fork=fork,
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    first = [cell.strip() for cell in start.text.partition("\n")[0].split(",")[:2]]
    if tuple(first) == HEADER:
        return f"columns {HEADER[0]} and {HEADER[1]}: CSV of warmup_stats"
    return ""


READER = FileReader(
    name="warmup-stats",
    title="CSV of warmup_stats",
    endings=(".csv",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
