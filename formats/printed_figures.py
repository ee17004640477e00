"""Figures that tools print, one a line: cargo bench, Criterion, Google Benchmark, Ruby and others.

Sources: rust-lang/rust: `library/test/src/formatters/pretty.rs`; bheisler/criterion.rs:
`src/report.rs`; bestiejs/benchmark.js: `benchmark.js`; dart-lang/tools:
`pkgs/benchmark_harness/lib/src/score_emitter.dart`; luau-lang/luau: `bench/bench_support.lua`,
`bench/bench.py`; giltene/wrk2: `src/wrk.c`; google/benchmark: `src/console_reporter.cc`;
evanphx/benchmark-ips: `lib/benchmark/ips/job/stdout_report.rb`; ruby/benchmark:
`lib/benchmark.rb`. A line is one run of a benchmark; lines of the same benchmark are its runs, in
their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Final, NamedTuple

from formats import google_benchmark
from formats.checks import A_NUMBER
from formats.harness_series import HarnessSeries, measurement
from formats.json_tools import LIBTEST_REMEDY, RUBY_REMEDY
from formats.measurement import Measurement
from formats.numbers import parse_number
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]{0,20}[mKGA]")
_MEASURED: Final = re.compile(r"(?P<value>[0-9.]{1,30})(?P<unit>[a-zµμ]{1,2})")
_OPS_OF_BENCHMARK_JS: Final = re.compile(
    r"(?P<name>.{1,500}) x (?P<rate>\S{1,30}) ops/sec ±\d{1,9}(?:\.\d{1,9})?%"
)
_MEAN_OF_LUAU: Final = re.compile(
    r"SUCCESS: (?P<name>.{1,500}?) {0,100}: {1,100}(?P<mean>[\d.]+)ms "
)
_OF_GOOGLE: Final = re.compile(
    r"(?P<name>\S.{0,500}?) {1,200}(?P<time>\S{1,30}) (?P<unit>ns|us|ms|s) {1,30}"
    r"[\d.e+]{1,30} (?:ns|us|ms|s) {1,30}\d{1,20}(?: .*)?"
)
_AGGREGATES_OF_GOOGLE: Final = ("_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS")
_RATE_OF_RUBY: Final = re.compile(
    r" {0,200}(?P<name>|\S.{0,499}?) {1,200}(?P<rate>[\w.+-]{1,30}?)(?P<factor>[kMBTQ]?)"
    r" {1,9}\(± {0,9}[\w.]{1,9}%\) i/s.*"
)
_FACTORS_OF_RUBY: Final = {"": "", "k": "e3", "M": "e6", "B": "e9", "T": "e12", "Q": "e15"}
_TIMES_OF_RUBY: Final = re.compile(
    r"(?P<name>.{0,500}?):? {1,200}(?:\d{1,12}\.\d{1,9} {1,9}){3}\( {0,9}(?P<real>\S{1,30})\)"
)


class PrintedFigure(NamedTuple):
    """One figure: name of its benchmark, what tells figures of a name apart, text and unit."""

    benchmark: str
    text: str
    unit: str
    metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLines:
    """Lines of one tool.

    `finder` makes, for each file, a function that finds the figure of a line; its second argument
    is the last line of words before it. One of `marks` stands in each line with a figure.
    """

    name: str
    title: str
    finder: Callable[[], Callable[[str, str], PrintedFigure | None]]
    marks: tuple[str, ...]
    example: str
    remedy: str


def _figures(lines: FigureLines, text_lines: Iterator[str]) -> Iterator[tuple[int, PrintedFigure]]:
    """Number of the line and figure of each line that has one."""
    line_before, find = "", lines.finder()
    for line_number, printed_line in enumerate(text_lines, start=1):
        line = _COLOURS.sub("", printed_line).rstrip()
        if figure := find(line, line_before):
            yield line_number, figure
        elif line.strip():
            line_before = line.strip()


def _read(lines: FigureLines, source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark: its runs in the order of their lines."""
    runs: dict[tuple[str, str], tuple[str, list[float]]] = {}
    for line_number, figure in _figures(lines, source.lines()):
        if (value := parse_number(figure.text.replace(",", ""), ".")) is None:
            where, found_text = f"line {line_number}", repr(figure.text[:40])
            raise source.problem(where, found=found_text, expected=A_NUMBER)
        key = (figure.benchmark, figure.metric)
        runs.setdefault(key, (figure.unit, []))[1].append(value)
    if not runs:
        expected = f"lines such as: {lines.example}"
        raise source.problem("the whole file", found="no such line", expected=expected)
    yield from source.attempts(
        partial(_series, lines, source, key, unit, values) for key, (unit, values) in runs.items()
    )


def _series(
    lines: FigureLines, source: InputSource, key: tuple[str, str], unit: str, values: list[float]
) -> Measurement:
    name, metric = key
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params={"metric": metric} if metric else {},
            values=values,
            unit=unit,
            notes=(ONE_FIGURE,) if len(values) == 1 else (),
            remedy=lines.remedy,
        ),
    )


def _recognise(lines: FigureLines, start: FileStart) -> str:
    if not any(mark in start.text for mark in lines.marks):
        return ""
    if next(_figures(lines, iter(start.text.splitlines())), None) is None:
        return ""
    return f"lines such as “{lines.example}”: {lines.title}"


def _reader(lines: FigureLines) -> FileReader:
    return FileReader(
        name=lines.name,
        title=lines.title,
        endings=(".txt", ".log"),
        recognise=partial(_recognise, lines),
        read=partial(_read, lines),
        options=("system",),
        named_values=True,
    )


def _libtest(line: str, _line_before: str) -> PrintedFigure | None:
    name, bench, rest = line.partition("... bench:")
    words = rest.split()
    if not bench or not name.startswith("test ") or len(words) < 2 or "/iter" not in words[1]:
        return None
    return PrintedFigure(name[5:].strip(), words[0], words[1].replace("/iter", "/op"))


def _criterion(line: str, line_before: str) -> PrintedFigure | None:
    """The middle one of three estimates; a long name stands on a line of its own."""
    name, time_label, rest_of_line = line.partition("time:")
    words = rest_of_line.strip().strip("[]").split()
    if (
        not time_label
        or not rest_of_line.strip().startswith("[")
        or len(words) != 6
        or "%" in rest_of_line
    ):
        return None
    return PrintedFigure(name.strip() or line_before, words[2], f"{words[3]}/op")


def _dart(line: str, _line_before: str) -> PrintedFigure | None:
    for mark in ("(RunTime): ", "(RunTimeRaw): "):
        name, found_mark, rest_of_line = line.partition(mark)
        words = rest_of_line.split()
        if found_mark and name.strip() and len(words) == 2:
            return PrintedFigure(name.strip(), words[0], f"{words[1].rstrip('.')}/op")
    return None


def _benchmark_js(line: str, _line_before: str) -> PrintedFigure | None:
    figure = _OPS_OF_BENCHMARK_JS.match(line)
    return PrintedFigure(figure["name"].strip(), figure["rate"], "ops/s") if figure else None


def _luau(line: str, _line_before: str) -> PrintedFigure | None:
    """The mean that bench.py prints; else the median of runs, sorted and without the longest."""
    if mean := _MEAN_OF_LUAU.match(line):
        return PrintedFigure(mean["name"], mean["mean"], "ms")
    if not line.startswith("|><|") or not line.endswith("||_||"):
        return None
    name, *texts = line.removeprefix("|><|").removesuffix("||_||").split("|><|")
    numbers = [parse_number(text, ".") for text in texts]
    if not numbers or None in numbers:
        return PrintedFigure(name, next((text for text in texts), ""), "ms")
    return PrintedFigure(name, repr(median(number or 0.0 for number in numbers)), "ms")


class _Wrk:
    """Latency and rate of each run of wrk, by the address that it names first."""

    def __init__(self) -> None:
        self._address = ""

    def __call__(self, line: str, _line_before: str) -> PrintedFigure | None:
        words = line.split()
        if words[:1] == ["Running"] and "@" in words:
            self._address = words[-1]
        elif self._address and words[:1] == ["Latency"] and len(words) == 5:
            is_measured = "nan" not in words[4]  # no request was answered where it is
            if is_measured and (latency := _MEASURED.fullmatch(words[1])):
                return PrintedFigure(self._address, latency["value"], latency["unit"], "latency")
        elif self._address and words[:1] == ["Requests/sec:"] and len(words) == 2:
            return PrintedFigure(self._address, words[1], "ops/s", "requests")
        return None


def _google_benchmark(line: str, _before: str) -> PrintedFigure | None:
    figure = _OF_GOOGLE.fullmatch(line)
    if figure is None or figure["name"].endswith(_AGGREGATES_OF_GOOGLE):
        return None
    return PrintedFigure(figure["name"], figure["time"], f"{figure['unit']}/op")


class _BenchmarkIps:
    """Rate of each report; a name that stands in several blocks is of several benchmarks."""

    def __init__(self) -> None:
        self._block = 0
        self._first_blocks: dict[str, int] = {}

    def __call__(self, line: str, before: str) -> PrintedFigure | None:
        self._block += line.startswith("Calculating -")
        if (figure := _RATE_OF_RUBY.fullmatch(line)) is None:
            return None
        name, text = figure["name"] or before, figure["rate"] + _FACTORS_OF_RUBY[figure["factor"]]
        is_first = self._first_blocks.setdefault(name, self._block) == self._block
        return PrintedFigure(name, text, "ops/s", "" if is_first else f"block {self._block}")


def _ruby_benchmark(line: str, _before: str) -> PrintedFigure | None:
    """Elapsed time of a report; names with > are sums and means of others."""
    figure = _TIMES_OF_RUBY.fullmatch(line)
    if figure is None or figure["name"].startswith(">"):
        return None
    return PrintedFigure(figure["name"].strip() or "report", figure["real"], "s")


LIBTEST: Final = _reader(
    FigureLines(
        name="libtest",
        title="output of cargo bench",
        finder=lambda: _libtest,
        marks=("... bench:",),
        example="test sort ... bench: 1,234 ns/iter (+/- 56)",
        remedy=LIBTEST_REMEDY,
    )
)
CRITERION: Final = _reader(
    FigureLines(
        name="criterion-text",
        title="output of Criterion.rs",
        finder=lambda: _criterion,
        marks=("time:",),
        example="sort time: [1.0 ns 1.1 ns 1.2 ns]",
        remedy="give target/criterion/…/new/sample.json, which has every sample",
    )
)
BENCHMARK_JS: Final = _reader(
    FigureLines(
        name="benchmark-js-text",
        title="output of benchmark.js",
        finder=lambda: _benchmark_js,
        marks=(" ops/sec ±",),
        example="sort x 1,234 ops/sec ±0.56% (90 runs sampled)",
        remedy="set minSamples: 3000, minTime: 0.001, and write JSON.stringify(suite)",
    )
)
DART: Final = _reader(
    FigureLines(
        name="dart",
        title="output of Dart's benchmark_harness",
        finder=lambda: _dart,
        marks=("(RunTime",),
        example="Sort(RunTime): 12.3 us.",
        remedy="time every call with a Stopwatch, one number a line",
    )
)
LUAU: Final = _reader(
    FigureLines(
        name="luau",
        title="output of Luau's benchmarks",
        finder=lambda: _luau,
        marks=("||_||", "SUCCESS: "),
        example="|><|sort|><|1.2|><|1.3||_||",
        remedy="print the times before bench_support sorts them, one number a line",
    )
)
WRK: Final = _reader(
    FigureLines(
        name="wrk",
        title="output of wrk and wrk2",
        finder=_Wrk,
        marks=("Requests/sec:",),
        example="Requests/sec: 1234.5",
        remedy="record every request with k6 run --out json=FILE",
    )
)
GOOGLE_BENCHMARK: Final = _reader(
    FigureLines(
        name="google-benchmark-text",
        title="output of Google Benchmark",
        finder=lambda: _google_benchmark,
        marks=(" CPU ",),
        example="BM_Sort 123 ns 123 ns 5678",
        remedy=google_benchmark.REMEDY,
    )
)
BENCHMARK_IPS: Final = _reader(
    FigureLines(
        name="benchmark-ips-text",
        title="output of benchmark-ips",
        finder=_BenchmarkIps,
        marks=("%) i/s",),
        example="sort 1.234k (±5.6%) i/s",
        remedy=RUBY_REMEDY,
    )
)
RUBY_BENCHMARK: Final = _reader(
    FigureLines(
        name="ruby-benchmark",
        title="output of Ruby's Benchmark",
        finder=lambda: _ruby_benchmark,
        marks=("system      total        real",),
        example="sort: 0.950000 0.000000 0.950000 ( 0.952039)",
        remedy=RUBY_REMEDY,
    )
)
