"""The formats that Plateau reads. A new one is a module with a `READER`, and its line here."""

from __future__ import annotations

from typing import Final

from formats import (
    arrays,
    asv,
    benchmark_dotnet,
    criterion,
    csv_file,
    dacapo,
    gatling,
    go_bench,
    google_benchmark,
    hyperfine,
    hyperfoil,
    jmh,
    jmh_log,
    k6,
    krun,
    lines,
    openmetrics,
    parquet,
    pyperf,
    pytest_benchmark,
    rebench,
    renaissance,
    replication,
)
from formats.options import Format
from formats.reader import FileReader

READERS: Final[tuple[FileReader, ...]] = (  # in the order in which they are asked
    jmh.READER,
    pyperf.READER,
    pytest_benchmark.READER,
    google_benchmark.READER,
    hyperfine.READER,
    asv.READER,
    benchmark_dotnet.READER,
    criterion.READER,
    k6.READER,
    hyperfoil.READER,
    krun.READER,
    renaissance.READER,
    jmh_log.READER,
    arrays.READER,
    parquet.READER,
    openmetrics.READER,
    gatling.READER,
    go_bench.READER,
    dacapo.READER,
    rebench.READER,
    csv_file.READER,
    replication.READER,
    lines.READER,  # last: it takes any text
)
FORMATS: Final[tuple[Format, ...]] = ("auto", *(each.name for each in READERS))
ENDINGS: Final = tuple(dict.fromkeys(ending for each in READERS for ending in each.endings))


def reader_of(format: Format) -> FileReader:
    """The reader called `format`; raises ValueError where there is none."""
    for reader in READERS:
        if reader.name == format:
            return reader
    raise ValueError(f"format: found {format!r}, expected one of {', '.join(FORMATS[1:])}")


def titles() -> str:
    """All formats, as a message of what was expected says them."""
    *first, last = (reader.title for reader in READERS)
    return f"{', '.join(first)} or {last}"
