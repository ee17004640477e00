"""Files of other tools, known by their first bytes but not read: what they are, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["json", "header", "text", "markup"]
_NOT_READ: Final = "is not read yet"
TIME_CALLS: Final = "time every call with performance.now(), one number a line"
_TINYBENCH: Final = (
    f"{TIME_CALLS}; for the trend write bench.tasks.map(({{name, result}}) => ({{name, result}}))"
)
_ONLY_NAMES: Final = "describes benchmarks, and holds no measurement"
_ONLY_NAMES_OF_SAMPLES: Final = "names samples, and not how long they took"
SAVE_TIMES: Final = "run JMeter with -Jjmeter.save.saveservice.time=true"
_ONLY_COUNTS: Final = "holds counts of instructions, the same in every run"
_COUNTS_AS_CSV: Final = (
    "write them as CSV with the columns build, benchmark, unit and value: they make a trend"
)
_ONLY_SUMMARY: Final = "holds one figure a benchmark, not its iterations"


@dataclass(frozen=True, slots=True)
class OtherFile:
    """One kind of file: `marks` all stand in its beginning, or in its first row, in small letters.

    `hint` says how to get a file that is read; commands write one number a line.
    """

    title: str
    kind: Kind
    marks: tuple[str, ...]
    why: str
    hint: str
    is_companion: bool = False  # lies beside files that are read, in folders of its tool

    @property
    def description(self) -> str:
        return f"{self.title}, which {self.why}"


def _jq(selection: str) -> str:
    return f"write its values one a line: jq -r '{selection}' FILE > values.txt"


OTHER_FILES: Final[tuple[OtherFile, ...]] = (
    OtherFile(
        "criterion's estimates.json",
        "json",
        ('"mean"', '"point_estimate"'),
        _ONLY_SUMMARY,
        "take sample.json, which lies beside it",
        is_companion=True,
    ),
    OtherFile(
        "criterion's benchmark.json",
        "json",
        ('"group_id"', '"full_id"'),
        _ONLY_NAMES,
        "take sample.json, which lies beside it",
        is_companion=True,
    ),
    OtherFile(
        "asv's benchmarks.json",
        "json",
        ('"code"', '"param_names"', '"params"'),
        _ONLY_NAMES,
        "give the folder of results, or a file in it that is named after a commit",
        is_companion=True,
    ),
    OtherFile(
        "asv's machine.json",
        "json",
        ('"arch"', '"cpu"', '"machine"', '"os"', '"ram"'),
        _ONLY_NAMES,
        "give a file beside it that is named after a commit",
        is_companion=True,
    ),
    OtherFile(
        "results of tinybench without their names",
        "json",
        ('"state"', '"latency"', '"aad"', '"critical"'),
        "do not say which benchmark they are of",
        _TINYBENCH,
    ),
    OtherFile(
        "results of mitata",
        "json",
        ('"layout"', '"benchmarks"', '"runs"', '"stats"'),
        "sorts its samples by size",
        TIME_CALLS,
    ),
    OtherFile(
        "a table of tinybench", "json", ('"task name"', "throughput"), _ONLY_SUMMARY, _TINYBENCH
    ),
    OtherFile(
        "a summary of k6",
        "json",
        ('"root_group"', '"metrics"'),
        _ONLY_SUMMARY,
        "record with k6 run --out json=FILE",
    ),
    OtherFile(
        "a summary of Gatling",
        "json",
        ('"numberofrequests"', '"meanresponsetime"'),
        _ONLY_SUMMARY,
        "give simulation.log of the same run",
    ),
    OtherFile(
        "statistics of JMeter",
        "json",
        ('"samplecount"', '"errorpct"', '"meanrestime"'),
        _ONLY_SUMMARY,
        "give the .jtl file of the same run (jmeter -n -t PLAN -l FILE.jtl)",
    ),
    OtherFile(
        "a summary of gungraun",
        "json",
        ('"module_path"', '"baselines"', '"kind"'),
        _ONLY_COUNTS,
        _COUNTS_AS_CSV,
    ),
    OtherFile(
        "output of gungraun",
        "text",
        ('"module_path"', '"baselines"', '"kind"'),
        _ONLY_COUNTS,
        _COUNTS_AS_CSV,
    ),
    OtherFile(
        "output of gungraun", "text", ("instructions:", "|n/a "), _ONLY_COUNTS, _COUNTS_AS_CSV
    ),
    OtherFile(
        "output of gungraun or iai",
        "text",
        ("instructions:", "estimated cycles:"),
        _ONLY_COUNTS,
        _COUNTS_AS_CSV,
    ),
    OtherFile(
        "a report of JMeter",
        "header",
        ("label", "# samples", "average"),
        _ONLY_SUMMARY,
        "give the .jtl file of the same run (jmeter -n -t PLAN -l FILE.jtl)",
    ),
    OtherFile(
        "a log of JMeter without elapsed times",
        "header",
        ("label,", "responsecode,", "threadname,", "success"),
        _ONLY_NAMES_OF_SAMPLES,
        SAVE_TIMES,
    ),
    OtherFile(
        "final statistics of Taurus",
        "header",
        ("avg_rt", "concurrency", "perc_50.0"),
        _ONLY_SUMMARY,
        "give kpi.jtl of the same run",
    ),
    OtherFile(
        "statistics of Locust",
        "header",
        ("request count", "failure count", "median response time"),
        _ONLY_SUMMARY,
        "write the time of every request in a listener of events.request, one number a line",
    ),
    OtherFile(
        "Hyperfoil's CSV",
        "header",
        ("phase", "metric", "mean", "p50.0"),
        "has the same intervals as all.json",
        "give all.json of the same run",
    ),
    OtherFile(
        "hyperfine's CSV",
        "header",
        ("command", "mean", "stddev", "median"),
        _ONLY_SUMMARY,
        "record with --export-json, and give that file",
    ),
    OtherFile(
        "JMH's table of scores",
        "header",
        ("benchmark ", " mode ", " score ", " units"),
        _ONLY_SUMMARY,
        "run JMH with -rf json, or give all that it printed (java … > jmh.log)",
    ),
    OtherFile(
        "JMH's CSV",
        "header",
        ("benchmark", "mode", "samples", "score"),
        _ONLY_SUMMARY,
        "run JMH with -rf json",
    ),
    OtherFile(
        "BenchmarkDotNet's report",
        "header",
        ("method", "mean", "error", "stddev"),
        _ONLY_SUMMARY,
        "use its JSON exporter, then " + _jq(".Benchmarks[0].Statistics.OriginalValues[]"),
    ),
    OtherFile(
        "BenchmarkDotNet's measurements",
        "header",
        ("measurement_iterationstage", "measurement_value"),
        _NOT_READ,
        "keep the rows of stage Actual, divide value by operations, one number a line",
    ),
    OtherFile(
        "results of Deno", "json", ('"runtime":"deno/', '"benches"'), _ONLY_SUMMARY, TIME_CALLS
    ),
    OtherFile(
        "output of Catch2",
        "text",
        ("benchmark name", "low mean", "high mean"),
        _ONLY_SUMMARY,
        "run the tests with -r xml and give that file: its means make a trend",
    ),
    OtherFile(
        "output of divan",
        "text",
        ("│ slowest", "│ median", "│ samples", "│ iters"),
        _ONLY_SUMMARY,
        "write its medians as CSV with the columns build, benchmark, unit and value, for a trend",
    ),
    OtherFile(
        "output of asv",
        "text",
        ("running ", " total benchmarks (", "[ "),
        _ONLY_SUMMARY,
        "give the folder .asv/results: its medians make a trend, and its samples series",
    ),
    OtherFile(
        "output of hyperfine",
        "text",
        ("time (mean ± σ)", "range (min … max)"),
        _ONLY_SUMMARY,
        "record with --export-json, and give that file",
    ),
    OtherFile(
        "output of pytest-benchmark",
        "text",
        ("name (time in ", "stddev", "rounds"),
        _ONLY_SUMMARY,
        "run pytest with --benchmark-json=FILE, and give that file",
    ),
    OtherFile(
        "output of k6",
        "text",
        ("http_req_duration", "avg=", "p(95)="),
        _ONLY_SUMMARY,
        "record with k6 run --out json=FILE",
    ),
    OtherFile(
        "metrics of Bencher",
        "json",
        ('"value"', '"lower_value"'),
        _ONLY_SUMMARY,
        "give the file that the harness itself writes, with every iteration",
    ),
    OtherFile(
        "profiles of ReBench",
        "json",
        ('"runid"', '"data"', '"nit"'),
        "hold shares of time, not the times of iterations",
        "measure without a profiler, and give that file",
    ),
    OtherFile(
        "a report of tests",
        "markup",
        ("<test",),
        "is not in the form of JUnit",
        "let the test program write JUnit XML: its times make a trend",
    ),
    OtherFile(
        "a web page or XML",
        "markup",
        (),
        "holds no table of numbers",
        "save the file itself, not the page that shows it",
    ),
)


TUKEY: Final = OtherFile(
    "criterion's tukey.json",
    "json",
    (),
    "holds the bounds of outliers, and no measurement",
    "take sample.json, which lies beside it",
)


def other_json(text: str) -> OtherFile | None:
    """Find the other tool whose JSON begins with `text`; None if none is known."""
    lower_text = text.lower()
    return _tool_in(lower_text.replace('": "', '":"'), _tools("json"))


def other_text(text: str) -> OtherFile | None:
    """Find the other tool whose table or text begins with `text`; None if none is known."""
    lower_text = text.lower()
    rows = (line for line in lower_text.splitlines() if line.strip() and not line.startswith("#"))
    known_file = _tool_in(lower_text, _tools("markup" if lower_text.startswith("<") else "text"))
    return known_file or _tool_in(next(rows, ""), _tools("header"))


def _tools(kind: Kind) -> Iterable[OtherFile]:
    return (file for file in OTHER_FILES if file.kind == kind)


def _tool_in(text: str, files: Iterable[OtherFile]) -> OtherFile | None:
    return next((file for file in files if all(mark in text for mark in file.marks)), None)
