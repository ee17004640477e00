"""The formats that Plateau reads. A new one is a module with a `READER`, and its line here."""

from __future__ import annotations

from typing import Final

from formats import (
    arrays,
    asv,
    benchmark_dotnet,
    benchmark_history,
    criterion,
    csit,
    csv_file,
    dacapo,
    gatling,
    go_bench,
    google_benchmark,
    hyperfine,
    hyperfoil,
    jmeter,
    jmh,
    jmh_log,
    json_tools,
    julia,
    k6,
    krun,
    lines,
    openmetrics,
    parquet,
    printed_figures,
    pyperf,
    pytest_benchmark,
    rebench,
    rebench_db,
    renaissance,
    replication,
    warmup_stats,
    xml_reports,
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
    rebench_db.READER,
    csit.READER,
    julia.READER,
    json_tools.VITEST,
    json_tools.TINYBENCH,
    json_tools.BENCHMARK_JS,
    json_tools.NANOBENCH,
    json_tools.BENCHMARK_IPS,
    json_tools.LIBTEST,
    json_tools.GITHUB_ACTION,
    jmh_log.READER,
    arrays.READER,
    parquet.READER,
    openmetrics.READER,
    gatling.READER,
    jmeter.READER,
    xml_reports.PHORONIX,
    xml_reports.CATCH2,
    xml_reports.JUNIT,
    benchmark_history.READER,
    printed_figures.LIBTEST,
    printed_figures.CRITERION,
    printed_figures.BENCHMARK_JS,
    printed_figures.DART,
    printed_figures.LUAU,
    printed_figures.WRK,
    printed_figures.GOOGLE_BENCHMARK,
    printed_figures.BENCHMARK_IPS,
    printed_figures.RUBY_BENCHMARK,
    warmup_stats.READER,
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
    """The formats, as a message of what was expected says them: too many to list."""
    return f"one of {len(READERS)} formats such as JMH JSON or CSV (guide: File formats)"
