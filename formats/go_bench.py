"""Output of Go's `go test -bench`: a line for every run of a benchmark.

Source: golang/proposal: design/14313-benchmark-format.md, golang/perf: benchfmt. A line is a name
with the number of processors, a count of iterations, then values with their units; lines
`key: value` before it say where it was measured. With `-json` (golang/go: cmd/test2json) parts of
these lines stand in documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from formats.checks import A_NUMBER
from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import text_of
from formats.json_shapes import field_at
from formats.json_text import documents
from formats.measurement import Measurement, RecordingHint
from formats.numbers import parse_number
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "record with go test -bench . -count=3000 -benchtime=1000x"
RUNS: Final = "a value is the mean of one run of b.N iterations: its first calls are not told apart"
TIME: Final = "ns/op"
_LINE: Final = re.compile(
    r"Benchmark(?P<name>\S*?)(?:-(?P<procs>\d{1,6}))?\s+(?P<operations>\d+)\s+(?P<values>\S.*)"
)
_NAME_BEFORE_LOG: Final = re.compile(r"Benchmark\S*(?= {0,500}\t)")
_RESULT_WITHOUT_NAME: Final = re.compile(r"\s*\d+\t\s*[\d.]+ \S")
_SAID: Final = re.compile(r"(?P<key>[a-z][^\s:]*):\s+(?P<value>.*)")


@dataclass(slots=True)
class _Benchmark:
    """The runs of one benchmark: the first line's unit and circumstances hold for all."""

    unit: str
    procs: int
    configuration: dict[str, str]
    values: list[float] = field(default_factory=list)
    operation_counts: list[float] = field(default_factory=list)


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark, its runs in the order of their lines."""
    benchmarks: dict[str, _Benchmark] = {}
    configuration: dict[str, str] = {}
    for line_number, line in enumerate(_rejoin_results(_lines(source)), start=1):
        if run := _LINE.match(line):
            _add(source, benchmarks, configuration, run, line_number)
        elif words := _SAID.match(line):
            configuration = {**configuration, words["key"]: words["value"].strip()}
    if not benchmarks:
        expected = "lines such as: BenchmarkSort-8 1000 1234 ns/op"
        raise source.problem("the whole file", found="no such line", expected=expected)
    yield from source.attempts(
        partial(_series, source, name, benchmark) for name, benchmark in benchmarks.items()
    )


def _lines(source: InputSource) -> Iterable[str]:
    """The lines that were printed, those of `-json` put together again."""
    return _output_lines(documents(source)) if source.head_text()[:1] == "{" else source.lines()


def _output_lines(events: Iterable[object]) -> Iterator[str]:
    begun_lines: dict[str, str] = {}  # packages may take turns within a line
    last = ""
    for event in events:
        output, package = field_at(event, "Output"), text_of(field_at(event, "Package"))
        *lines, begun_lines[package] = (begun_lines.get(package, "") + text_of(output)).split("\n")
        if lines and package != last:
            yield f"pkg: {package}"
            last = package
        yield from lines


def _rejoin_results(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines; a result that the benchmark's own log parted from its name gets it back."""
    name = ""
    for line in lines:
        if name and _RESULT_WITHOUT_NAME.match(line):
            yield f"{name}\t{line}"
            name = ""
        else:
            yield line
        if begun_name := _NAME_BEFORE_LOG.match(line):
            name = "" if _LINE.match(line) else begun_name[0]


def _add(
    source: InputSource,
    benchmarks: dict[str, _Benchmark],
    configuration: dict[str, str],
    run: re.Match[str],
    line_number: int,
) -> None:
    words = run["values"].split()
    text_by_unit = dict(zip(words[1::2], words[::2], strict=False))
    name = "/".join(filter(None, (configuration.get("pkg"), run["name"])))
    unit = TIME if TIME in text_by_unit else next(iter(text_by_unit), "")
    benchmark = benchmarks.setdefault(name, _Benchmark(unit, int(run["procs"] or 1), configuration))
    value = parse_number(text_by_unit.get(benchmark.unit, ""), ".")
    if value is None:
        where, text = (
            f"line {line_number}, {benchmark.unit or 'value'}",
            text_by_unit.get(benchmark.unit, ""),
        )
        raise source.problem(where, found=repr(text[:40]), expected=A_NUMBER)
    benchmark.values.append(value)
    benchmark.operation_counts.append(float(run["operations"]))


def _series(source: InputSource, name: str, benchmark: _Benchmark) -> Measurement:
    configuration = benchmark.configuration
    runtime = " ".join(filter(None, (configuration.get("goos"), configuration.get("goarch"))))
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=benchmark.values,
            unit=benchmark.unit,
            operation_counts=benchmark.operation_counts,
            settings={
                "threads": benchmark.procs,
                **({"package": package} if (package := configuration.get("pkg")) else {}),
            },
            recording=RecordingHint(
                build=configuration.get("commit", ""),
                machine=configuration.get("cpu", ""),
                runtime=runtime,
            ),
            notes=(RUNS,),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    if any(map(_LINE.match, _rejoin_results(start.text.splitlines()[:1000]))):
        return "lines that begin with Benchmark: output of go test -bench"
    if start.has('"Action":"output"', '"Package":', '"Output":"Benchmark'):
        return "“Output” that begins with Benchmark: go test -bench -json"
    return ""


READER = FileReader(
    name="go",
    title="output of go test -bench",
    endings=(".txt", ".json"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
    harness="go",
)
