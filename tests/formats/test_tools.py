"""Files of tools with the peculiarities that files in public repositories have."""

from __future__ import annotations

import bz2
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from formats import FormatError, Measurement, ReadOptions, jmeter, measurement_files, read_path
from formats.companion_files import add_neighbour_options
from formats.reader import FileStart
from tests.formats.reading import complaint, read


def series_rows(data: str | bytes, name: str = "x") -> list[tuple[str, str, int, str, list[float]]]:
    content = data.encode() if isinstance(data, str) else data
    return [(m.benchmark, m.params, m.fork, m.unit, m.values.tolist()) for m in read(content, name)]


def notes(series: list[Measurement]) -> str:
    return " ".join(note for m in series for note in m.notes)


# --- JavaScript ---------------------------------------------------------------------------------
def _vitest(**benchmark: Any) -> dict[str, Any]:
    fields = {"id": "1_0", "name": "naive", "rank": 1, "rme": 0.4, "samples": [], "hz": 2.0}
    group = {"fullName": "src/a.bench.ts > packed 15", "benchmarks": [fields | benchmark]}
    return {"files": [{"filepath": "src/a.bench.ts", "groups": [group]}]}


def test_vitest_without_samples_gives_its_median() -> None:
    series = read(json.dumps(_vitest(median=2.0, mean=4.0)).encode(), "bench-results.json")

    assert [(series_row.benchmark, series_row.values.tolist()) for series_row in series] == [
        ("src/a.bench.ts > packed 15 > naive", [0.002])
    ]
    assert "performance.now()" in notes(series)


def test_vitest_with_samples_has_every_call_and_old_ones_no_median() -> None:
    assert series_rows(json.dumps(_vitest(samples=[4.0, 2.0])))[0][4] == [0.004, 0.002]
    assert series_rows(json.dumps(_vitest(mean=4.0)))[0][4] == [0.004]
    old_report = {
        "testResults": {"a.bench.ts": [{"name": "b", "rme": 1, "hz": 1, "samples": [8.0]}]}
    }
    assert series_rows(json.dumps(old_report)) == [("b", "", 0, "s/op", [0.008])]


def test_tinybench_of_both_generations() -> None:
    latency = {"samples": [2.0, 1.0], "mean": 1.5}
    new_tasks = [{"name": "a", "result": {"latency": latency, "throughput": {"mean": 5}}}]
    old_tasks = [{"name": "a", "result": {"hz": 1, "rme": 1, "samples": [2.0, 1.0], "mean": 1.5}}]
    summary_tasks = [{"name": "a", "result": {"latency": {"p50": 2.0}, "throughput": {}}}]

    expected = [("a", "", 0, "s/op", [0.002, 0.001])]
    assert series_rows(json.dumps(new_tasks)) == series_rows(json.dumps(old_tasks)) == expected
    assert series_rows(json.dumps(summary_tasks)) == [("a", "", 0, "s/op", [0.002])]


def test_sorted_samples_of_tinybench_and_vitest_are_a_median() -> None:
    samples = [1.0, 2.0, 2.0, 4.0, 5.0, 60.0]
    new_tasks = [{"name": "a", "result": {"latency": {"samples": samples}, "throughput": {}}}]
    old_tasks = [{"name": "a", "result": {"hz": 1, "rme": 1, "samples": samples}}]

    for document in (new_tasks, old_tasks, _vitest(samples=samples)):
        series = read(json.dumps(document).encode(), "x.json")
        assert series[0].values.tolist() == [0.003]
        assert "sorted by size" in notes(series)
        assert "performance.now()" in notes(series)
    falling_tasks = [{"name": "a", "result": {"hz": 1, "rme": 1, "samples": [*samples, 1.0]}}]
    assert len(series_rows(json.dumps(falling_tasks))[0][4]) == 7


def test_a_suite_of_benchmark_js_is_an_object_of_numbers() -> None:
    stats = {"moe": 0.1, "rme": 1, "mean": 0.5, "sample": [0.75, 0.25], "variance": 0}
    benchmark = {"name": "b", "options": {}, "stats": stats, "hz": 2, "times": {"period": 0.5}}
    suite = {"0": benchmark, "1": benchmark, "length": 2, "running": False}

    assert series_rows(json.dumps(suite)) == [
        ("b", "", 0, "s/op", [0.75, 0.25]),
        ("b", "", 1, "s/op", [0.75, 0.25]),
    ]


def test_benchmarks_that_failed_are_left_out_and_named() -> None:
    """As benchmark.js 2.1.4 and tinybench 6.2.5 write them: zeros, or no figure at all."""
    stats = {"moe": 0.1, "rme": 1, "mean": 0.5, "sample": [0.75, 0.25], "variance": 0}
    zeros = {"moe": 0, "rme": 0, "mean": 0, "sample": [], "variance": 0}
    failed_task = {"name": "bad", "stats": zeros, "error": {}, "aborted": True}
    suite = {"0": {"name": "b", "stats": stats}, "1": failed_task, "length": 2}
    tasks = [
        {"name": "b", "state": "completed", "latency": {"aad": 1, "p50": 750}, "throughput": {}},
        {"name": "bad", "state": "errored", "error": {}},
    ]
    wrapped_tasks = [{"name": task["name"], "result": task} for task in tasks]

    for document, values in ((suite, [0.75, 0.25]), (tasks, [0.75]), (wrapped_tasks, [0.75])):
        (series,) = read(json.dumps(document).encode(), "x.json")
        assert (series.benchmark, series.values.tolist()) == ("b", values)
        assert series.notes[-1] == "benchmarks that failed are left out: bad"
    assert "found none but benchmarks that failed" in complaint(
        json.dumps({"0": failed_task}).encode(), "x.json"
    )


# --- other JSON ---------------------------------------------------------------------------------
def _julia(kind: str, fields: dict[str, Any], prefix: str = "") -> str:
    group = {"data": {"pdf": [f"{prefix}BenchmarkGroup", {"data": {"x": [kind, fields]}}]}}
    return json.dumps(
        [{"Julia": "1.12.5", "BenchmarkTools": {"major": 1}}, [[f"{prefix}BenchmarkGroup", group]]]
    )


def test_julia_has_trials_and_estimates() -> None:
    trial = {"times": [4e9, 1e9, 2e9], "gctimes": [0, 0, 0], "allocs": 8, "memory": 1}
    estimate = {"time": 8e9, "gctime": 0.0, "params": ["Parameters", {"evals": 1}]}

    assert series_rows(_julia("Trial", trial)) == [("pdf/x", "", 0, "s/op", [4.0, 1.0, 2.0])]
    assert series_rows(_julia("BenchmarkTools.Trial", trial, "BenchmarkTools."))[0][4] == [
        4.0,
        1.0,
        2.0,
    ]
    assert series_rows(_julia("TrialEstimate", estimate))[0][4] == [8.0]


def test_julia_groups_that_a_program_wrote_are_objects() -> None:
    params = {"time_tolerance": 0.05, "gctrial": 1.0, "evals": 1.0}
    estimate = {"params": params, "memory": 1, "allocs": 3, "gctime": 0.0, "time": 2e9}
    trial = {"params": params, "times": [3e9, 1e9], "gctimes": [0, 0]}
    group = {"tags": [], "data": {"Flux CPU": {"tags": [], "data": {"a": estimate, "b": trial}}}}

    assert series_rows(json.dumps({"suite": group, "commit": "x"})) == [
        ("Flux CPU/a", "", 0, "s/op", [2.0]),
        ("Flux CPU/b", "", 0, "s/op", [3.0, 1.0]),
    ]


def test_parameters_of_julia_are_refused_with_what_to_save() -> None:
    tuned_document = _julia("Parameters", {"evals": 7, "time_tolerance": 0.05, "gctrial": True})

    assert "save what run(suite, evals=1) returns" in complaint(
        tuned_document.encode(), "tune.json"
    )


def test_sorted_times_of_julia_are_a_median() -> None:
    series = read(_julia("Trial", {"times": [1e9, 2e9, 3e9, 4e9, 5e9, 6e9]}).encode(), "x.json")

    assert series[0].values.tolist() == [3.5]
    assert "sorted" in notes(series)


def test_nanobench_divides_by_the_batch() -> None:
    result: dict[str, Any] = {"title": "t", "name": "n", "batch": 4, "median(elapsed)": 2.0}
    measured_result = result | {
        "measurements": [{"iterations": 9, "elapsed": 8.0}, {"elapsed": 2.0}]
    }

    assert series_rows(json.dumps({"results": [measured_result]})) == [
        ("t > n", "", 0, "s/op", [2.0, 0.5])
    ]
    assert series_rows(json.dumps([result])) == [("t > n", "", 0, "s/op", [0.5])]


def test_benchmark_ips_is_a_rate() -> None:
    entry = {"name": "a", "central_tendency": 5.5, "error": 1, "iterations": 3, "cycles": 1}

    assert series_rows(json.dumps([entry])) == [("a", "", 0, "ops/s", [5.5])]


def test_figures_of_github_action_benchmark_and_libtest_json() -> None:
    figures = [
        {"name": "a", "unit": "ns/iter", "value": 5e8},
        {"name": "a", "unit": "B", "value": 1},
    ]
    lines = '{ "type": "suite" }\n{ "type": "bench", "name": "b", "median": 5, "deviation": 1 }\n'

    assert series_rows(json.dumps(figures)) == [
        ("a", "", 0, "s/op", [0.5]),
        ("a", "", 1, "B", [1.0]),
    ]
    assert series_rows(lines) == [("b", "", 0, "s/op", [5e-9])]


def test_a_history_of_github_action_benchmark_has_a_recording_for_each_commit() -> None:
    def run(commit: str, date: int, *values: float) -> dict[str, Any]:
        benches = [{"name": "fib", "value": value, "unit": "ns/iter"} for value in values]
        return {"commit": {"id": commit}, "date": date, "tool": "cargo", "benches": benches}

    runs = [run("a" * 40, 0, 5e8), run("b" * 40, 1000, 1e9), run("b" * 40, 2000, 2e9, 3e9)]
    script = "window.BENCHMARK_DATA = " + json.dumps({"entries": {"Rust": runs}}) + ";\n"

    series = read(script.encode(), "data.js")

    assert [series_row.values.tolist() for series_row in series] == [[0.5], [1.0], [2.0], [3.0]]
    assert [series_row.recording.label for series_row in series] == [
        *("aaaaaaaa", "bbbbbbbb"),
        *("bbbbbbbb 1970-01-01T00:00:02+00:00", "bbbbbbbb 1970-01-01T00:00:02+00:00"),
    ]
    assert [(series_row.recording.build[0], series_row.fork) for series_row in series[1:]] == [
        ("b", 0)
    ] * 2 + [("b", 1)]
    assert "expected window.BENCHMARK_DATA =" in complaint(
        b"x", "data.js", format="benchmark-history"
    )


@pytest.mark.parametrize("version", [1, 2])
def test_rebench_db_has_criteria_and_invocations(version: int) -> None:
    old_points = [
        {"in": 2, "it": 1, "m": [{"c": 0, "v": 4}, {"c": 1, "v": 7}]},
        {"in": 2, "it": 2, "m": [{"c": 0, "v": 3}]},
    ]
    new_points = [{"in": 2, "m": [[4, None, 3], [7]]}]
    run_id = {
        "benchmark": {"name": "Sieve", "suite": {"name": "S", "executor": {"name": "E"}}},
        "cores": 1,
    }
    document = {
        "data": [{"runId": run_id, "d": old_points if version == 1 else new_points}],
        "criteria": [{"i": 0, "c": "total", "u": "s"}, {"i": 1, "c": "MaxRSS", "u": "kB"}],
        "source": {"commitId": "abc"},
        "experimentName": "nightly",
    }

    expected = [
        ("Sieve", "cores=1&executor=E&suite=S", 1, "s", [4.0, 3.0]),
        ("Sieve", "cores=1&criterion=MaxRSS&executor=E&suite=S", 1, "kB", [7.0]),
    ]
    assert series_rows(json.dumps(document)) == expected
    assert series_rows(json.dumps(document).replace('"runId"', '"run_id"')) == expected


def test_csit_has_trials_of_a_rate_and_bounds_of_a_search() -> None:
    test = {"test_id": "vpp.ip4base", "test_type": "mrr", "start_time": "2024-01-01T00:00:00Z"}
    rate = {"unit": "pps", "avg": 2.0, "values": [3.0, 1.0]}
    bound = {"lower": {"rate": {"unit": "pps", "value": 5.0}}}
    searched_test = test | {"result": {"type": "ndrpdr", "ndr": bound, "pdr": bound}}

    trials = test | {"result": {"type": "mrr", "receive_rate": {"rate": rate}}}
    assert series_rows(json.dumps(trials)) == [("vpp.ip4base", "", 0, "pps", [3.0, 1.0])]
    assert [fact[:2] for fact in series_rows(json.dumps(searched_test))] == [
        ("vpp.ip4base", "figure=ndr"),
        ("vpp.ip4base", "figure=pdr"),
    ]
    telemetry = test | {"result": {"type": "unknown"}}
    assert "expected a rate" in complaint(json.dumps(telemetry).encode(), "info.json")


# --- XML ----------------------------------------------------------------------------------------
def test_phoronix_has_every_run_or_the_mean() -> None:
    entries = (
        "<Entry><Identifier>EPYC</Identifier><Value>1.2</Value><RawString>1.5:1.25</RawString></Entry>"
        "<Entry><Identifier>Xeon</Identifier><Value>2.5</Value><RawString></RawString></Entry>"
    )
    report = (
        '<?xml version="1.0"?>\n<?xml-stylesheet type="text/xsl" href="x.xsl"?>\n'
        "<PhoronixTestSuite><Generated><Title>night</Title></Generated>"
        "<System><TimeStamp>2024-01-01 00:00:00</TimeStamp></System>"
        "<Result><Identifier>pts/c</Identifier><Title>C-Ray</Title><Description>4K</Description>"
        f"<Scale>Seconds</Scale><Data>{entries}</Data></Result></PhoronixTestSuite>"
    )

    assert series_rows(report, "composite.xml") == [
        ("C-Ray", "on=EPYC&test=4K", 0, "s", [1.5, 1.25]),
        ("C-Ray", "on=Xeon&test=4K", 0, "s", [2.5]),
    ]
    assert read(report.encode(), "composite.xml")[0].recording.label == "night"


def test_phoronix_dates_each_series_by_its_own_system() -> None:
    system = (
        "<System><Identifier>{}</Identifier><TimeStamp>2024-01-0{} 00:00:00</TimeStamp></System>"
    )
    entry = "<Entry><Identifier>{}</Identifier><Value>1</Value></Entry>"
    entries = "".join(map(entry.format, ("EPYC", "Xeon", "Arm")))
    report = (
        f"<PhoronixTestSuite>{system.format('EPYC', 1)}{system.format('Xeon', 2)}"
        f"<Result><Title>C-Ray</Title><Data>{entries}</Data></Result></PhoronixTestSuite>"
    )

    dates = [m.recording.measured_at[:10] for m in read(report.encode(), "composite.xml")]

    assert dates == ["2024-01-01", "2024-01-02", ""]


def test_catch2_is_named_by_its_test_case_and_section() -> None:
    report = (
        '<Catch2TestRun name="t"><TestCase name="sort"><Section name="big">'
        '<BenchmarkResults name="std" samples="100"><mean value="5" lowerBound="4"/>'
        "<standardDeviation value='1'/></BenchmarkResults></Section></TestCase></Catch2TestRun>"
    )

    assert series_rows(report, "c.xml") == [("sort > big > std", "", 0, "s/op", [5e-9])]


def test_junit_has_a_time_for_each_test_and_run() -> None:
    cases = '<testcase classname="A" name="b" time="1,234.5"/><testcase name="b" time="0.5"/>'
    second_report = '<testcase classname="A" name="b" time="2"/><testcase name="skipped"/>'

    assert series_rows(
        f'<testsuite name="s" tests="3">{cases}{second_report}</testsuite>', "TEST-A.xml"
    ) == [("A.b", "", 0, "s", [1234.5]), ("b", "", 0, "s", [0.5]), ("A.b", "", 1, "s", [2.0])]


def test_junit_suites_may_stand_within_another_element() -> None:
    report = (
        '<?xml version="1.0"?><report><testsuite name="a"><testcase classname="A" name="t" '
        'time="0.25"/></testsuite></report>'
    )

    assert series_rows(report, "report.xml") == [("A.t", "", 0, "s", [0.25])]


def test_junit_tests_that_did_not_pass_have_no_time() -> None:
    cases = [
        f"<testcase name='{name}' time='1'><system-out>x</system-out>{outcome}</testcase>"
        for name, outcome in (
            ("passed", ""),
            ("failed", "<failure type='E'>at a</failure>"),
            ("broken", "<error/>"),
            ("left", "<skipped message='later'/>"),
            ("unsteady", "<flakyFailure/>"),  # it passed in the end
        )
    ]

    series = read(f"<testsuites>{''.join(cases)}</testsuites>".encode(), "TEST-A.xml")

    assert [one_series.benchmark for one_series in series] == ["passed", "unsteady"]
    assert "tests that did not pass are left out: failed, broken, left" in series[-1].notes
    assert "no test that passed" in complaint(
        f"<testsuite>{cases[1]}</testsuite>".encode(), "r.xml"
    )


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        ("<testsuite><testcase name='a' time='1'>", "the file breaks off"),
        ("<testsuite><testcase name='a' time='x'/></testsuite>", "found 'x'"),
        ("<testsuite><testcase name='a' time='0,123'/></testsuite>", "found '0,123'"),
        ("<testsuite><testcase name='a' time='0,123.5'/></testsuite>", "found '0,123.5'"),
        ("<testsuite><testcase name='a' time='1,2'/></testsuite>", "found '1,2'"),
        ("<testsuite/>", "expected a testcase with a time"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>', "a document type 'a'"),
        ("<testsuite>" + "<a>" * 200, "elements without end"),
        (f"<testsuite name='{'x' * 2_000_000}'/>", "more than 1,048,576 bytes"),
        ("<html><table><tr><td>1</td></tr></table></html>", "a web page or XML"),
    ],
)
def test_what_is_wrong_with_a_report_is_said(report: str, sentence: str) -> None:
    assert sentence in complaint(report.encode(), "report.xml")


# --- load generators ----------------------------------------------------------------------------
JMH_SCORES = """\
[info] Benchmark   (size)   Mode  Cnt    Score   Error  Units
[info] Sort.merge      10  thrpt   25   69.758 ± 1.266  ops/s
"""
JMETER = "timeStamp,elapsed,label,responseCode,threadName,success,bytes,grpThreads,allThreads\n"


@pytest.mark.parametrize("header", [JMETER, ""])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_jmeter_has_labels_and_failed_samples_apart(header: str, separator: str) -> None:
    rows = (
        "1518459475498,458,GET a,200,Thread Group 1-1,true,200,1,1\n"
        "1518459476999,4073,GET a,400,Thread Group 1-1,false,290,1,1\n"
        "1518459477999,269,GET a,200,Thread Group 1-1,true,264,1,1\n0,0,,x,t,false,1,1,1\n"
    )

    series = read((header + rows).replace(",", separator).encode(), "results.jtl")

    assert [
        (series_row.benchmark, series_row.params, series_row.values.tolist())
        for series_row in series
    ] == [
        ("GET a", "", [0.458, 0.269]),
        ("GET a", "status=KO", [4.073]),
        ("no label", "status=KO", [0.0]),
    ]
    assert series[0].recording.measured_at == "2018-02-12T18:17:55.498000+00:00"


def test_jmeter_may_print_its_time_stamps() -> None:
    row = "2017/05/11 16:59:33.123,335,Google Search,200,ThreadGroup 1-1,true,11633,1,1\n"

    (series,) = read((JMETER + row).encode(), "jmeter.jtl")

    assert series.recording.measured_at == "2017-05-11T16:59:33.123000"


@pytest.mark.parametrize("start", ["", "\n", "\n \n" + JMETER])
def test_jmeter_may_begin_blank_and_have_labels_like_columns(start: str) -> None:
    row = "1518459475498,{},elapsed,200,Thread Group 1-1,true,200,1,1\n"

    assert series_rows(start + row.format(458) + row.format(269), "r.jtl") == [
        ("elapsed", "", 0, "s", [0.458, 0.269])
    ]


@pytest.mark.parametrize(
    ("sample", "notes"),
    [
        ("2017/05/11 16:59:33.123,458,GET a,200,Thread 1,true,1,1,1", ()),  # chosen time format
        ("02/06/03 08:21:42|458|GET a|200|Thread 1|text|true|", ()),
        ("1518459475498,458,GET a,200,Thread 1,1,1,1", (jmeter.NO_SUCCESS,)),  # without success
        ('1518459475498,458,GET a,200,"O\nK",Thread 1,TRUE', ()),  # a message of two lines
    ],
)
def test_jmeter_without_header_is_no_plain_csv(sample: str, notes: tuple[str, ...]) -> None:
    (series,) = read(f"{sample}\n{sample}\n".encode(), "results.csv")

    assert (series.benchmark, series.params, series.values.tolist()) == ("GET a", "", [0.458] * 2)
    assert tuple(note for note in series.notes if note == jmeter.NO_SUCCESS) == notes


@pytest.mark.parametrize(
    "row",
    [
        "1518459475498,458,200,300,1",
        "1518459475498,458,12.5,a true story",
        "2024-01-01 10:00:00,458,12.5,true",
    ],
)
def test_rows_of_numbers_are_not_taken_for_jmeter(row: str) -> None:
    assert jmeter.READER.recognise(FileStart(data=b"", text=f"{row}\n" * 3)) == ""


def test_jmeter_as_xml_and_with_a_value_that_is_none() -> None:
    sample = '<httpSample t="{}" ts="1518459475498" s="{}" lb="GET a"/>'
    samples = sample.format(458, "true") + sample.format(9, "false")
    report = f'<?xml version="1.0"?><testResults version="1.2">{samples}</testResults>'

    assert series_rows(report) == [
        ("GET a", "", 0, "s", [0.458]),
        ("GET a", "status=KO", 0, "s", [0.009]),
    ]
    assert "row 2, column 'elapsed': found 'x'" in complaint(
        f"{JMETER}1518459475498,x,a,200,t,true,1,1,1\n".encode(), "r.jtl"
    )


FOUR_TIMES = "1448309155292\t1448309155293\t1448309155603\t1448309155604"


@pytest.mark.parametrize(
    ("request_line", "milliseconds"),
    [
        (f"S\t116819-0\tREQUEST\t\tlogin\t{FOUR_TIMES}\tOK\t ", 312),
        ("REQUEST\tS\t1\t\tlogin\t1448309155293\t1448309155604\tOK", 311),
        ("REQUEST\t1\t\tlogin\t1567181198538\t1567181198797\tOK\t ", 259),
        ("REQUEST\t\tlogin\t1611903781377\t1611903781828\tOK", 451),
    ],
)
def test_gatling_of_every_generation(request_line: str, milliseconds: int) -> None:
    is_old = request_line.startswith("S\t")
    run = (
        "org.Sim\tsim\tRUN\t1448309155252\t \t2.0"
        if is_old
        else "RUN\tSim\tsim\t1448309155252\t \t3.4.0"
    )

    (series,) = read(f"{run}\n{request_line}\n".encode(), "simulation.log")

    assert (series.benchmark, series.values.tolist()) == ("login", [milliseconds / 1000])
    assert series.recording.label == "sim-20151123200555"


def _java(text: str) -> bytes:
    data = text.encode("latin-1")
    return len(data).to_bytes(4) + (data + b"\0" if data else b"")


def _number(value: int) -> bytes:
    return value.to_bytes(4, signed=True)


BINARY_RUN = (
    b"\0"
    + _java("3.13.5")
    + _java("org.Sim")
    + (1448309155252).to_bytes(8)
    + _java("night")
    + _number(1)
    + _java("scenario")
    + _number(1)
    + _number(2)
    + b"xx"
)


def test_gatling_requests_without_a_name_behind_an_empty_field_of_the_run() -> None:
    log = (
        "RUN\tReplay\t\tgatling-1\t1549361913283\t \t3.5.1\n"
        "USER\tAll\tSTART\t1549361914993\t1549361914993\n"
        "REQUEST\t\t\t1549361915995\t1549361915999\tKO\tstatus.find.in(200), found 400\n"
        "REQUEST\t\tlogin\t1549361915041\t1549361915050\tOK\n"
    )

    series = read(log.encode(), "simulation.log")

    assert [
        (series_row.benchmark, series_row.params, series_row.values.tolist())
        for series_row in series
    ] == [("no name", "status=KO", [0.004]), ("login", "", [0.009])]
    assert series[0].recording.measured_at == "2019-02-05T10:18:33.283000+00:00"


def test_gatling_of_version_3_12_is_binary() -> None:
    def request(name: bytes, start: int, end: int, ok: bytes, message: bytes) -> bytes:
        return b"\1" + _number(0) + name + _number(start) + _number(end) + ok + message

    first = request(_number(1) + _java("login"), 5, 105, b"\1", _number(2) + _java(""))
    second = request(_number(-1), 7, 57, b"\1", _number(-2))
    failed_request = request(_number(-1), 7, 8, b"\0", _number(3) + _java("status 500"))
    user = b"\2" + _number(0) + b"\1" + _number(3)
    group = b"\3" + _number(1) + _number(4) + _java("g") + 3 * _number(1) + b"\1"
    error = b"\4" + _number(5) + _java("no route") + _number(9)
    log = BINARY_RUN + user + first + group + second + error + failed_request

    series = read(log, "simulation.log")

    assert [
        (series_row.benchmark, series_row.params, series_row.values.tolist())
        for series_row in series
    ] == [("login", "", [0.1, 0.05]), ("login", "status=KO", [0.001])]
    assert series[0].recording.runtime == "Gatling 3.13.5"
    assert "the file breaks off" in complaint(log[:-3], "simulation.log")
    unknown_run = BINARY_RUN + request(_number(-9), 1, 2, b"\1", _number(-9))
    assert "found text number 9" in complaint(unknown_run, "simulation.log")
    assert "found record 9" in complaint(BINARY_RUN + b"\x09", "simulation.log")


def test_wrk_has_latency_and_rate_of_each_run() -> None:
    run = (
        "Running 30s test @ http://localhost:8080/a\n  12 threads and 400 connections\n"
        "  Thread calibration: mean lat.: 1.464ms, rate sampling interval: 10ms\n"
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
        "    Latency   635.91us    0.89ms  12.92ms   93.69%\n"
        "    Req/Sec    56.20k     8.07k   62.00k    86.54%\n"
        "Requests/sec: {}\n"
    )

    assert series_rows(run.format(1000.5) + run.format(2000.5)) == [
        ("http://localhost:8080/a", "metric=latency", 0, "s", [635.91 / 10**6] * 2),
        ("http://localhost:8080/a", "metric=requests", 0, "ops/s", [1000.5, 2000.5]),
    ]
    unanswered_run = run.replace(
        "635.91us    0.89ms  12.92ms   93.69%", "0.00us 0.00us 0.00us -nan%"
    )
    assert series_rows(unanswered_run.format(0)) == [
        ("http://localhost:8080/a", "metric=requests", 0, "ops/s", [0])
    ]


# --- printed figures ----------------------------------------------------------------------------
def test_cargo_bench_prints_a_median_for_each_benchmark() -> None:
    text = (
        "warning: unused import\n     Running target/release/deps/dfa-b3\n\nrunning 2 tests\n"
        "test dbg_parse ... ignored\ntest vec::bench_clone  ... bench:       1,551 ns/iter (+/- 18)"
        " = 555 MB/s\ntest b ... bench:          30.66 ns/iter (+/- 0.5)\n"
    )

    assert series_rows(text, "bench_output.txt") == [
        ("vec::bench_clone", "", 0, "s/op", [1551 / 10**9]),
        ("b", "", 0, "s/op", [30.66 / 10**9]),
    ]


def test_criterion_prints_three_estimates_and_their_change() -> None:
    text = (
        "Benchmarking sort/500: Collecting 100 samples in estimated 5.0 s (1.1M iterations)\n"
        "\x1b[32msort/500\x1b[0m                time:   [1.25 µs \x1b[1m1.5 µs\x1b[0m 1.75 µs]\n"
        "                        thrpt:  [1.0 MiB/s 2.0 MiB/s 3.0 MiB/s]\n"
        "                 change: [-1.2% +0.5% +2.5%] (p = 0.5 > 0.05)\n"
        "                        time:   [-1.2% +0.5% +2.5%] (p = 0.5 > 0.05)\n"
        "a very long name of a group/and of a function\n"
        "                        time:   [1.0 ms 2.0 ms 3.0 ms]\n"
    )

    assert series_rows(text, "bench.txt") == [
        ("sort/500", "", 0, "s/op", [1.5e-6]),
        ("a very long name of a group/and of a function", "", 0, "s/op", [0.002]),
    ]


def test_dart_and_luau_print_a_figure_a_run() -> None:
    dart = "Template(RunTime): 0.5 us.\nTemplate(RunTime): 0.25 us.\n"
    luau = "|><|base64|><|1|><|2|><|6||_||\n"

    assert series_rows(dart) == [("Template", "", 0, "s/op", [0.5e-6, 0.25e-6])]
    assert series_rows(luau) == [("base64", "", 0, "s", [0.002])]


def test_luau_bench_py_prints_means_and_a_table_that_repeats_them() -> None:
    text = (
        "SUCCESS: base64                  :   15.5ms +/-  0.636% on luau\n"
        "SUCCESS: sieve: of 10  :    0.25ms +/-  0.2% on luau\n\n===RESULTS===\n"
        "Test   | Min      | Average  | StdDev% | Driver\n"
        "base64 | 14.831ms | 15.500ms | 0.636%  | luau\n---\n"
    )

    assert series_rows(text, "bench.txt") == [
        ("base64", "", 0, "s", [0.0155]),
        ("sieve: of 10", "", 0, "s", [0.00025]),
    ]


def test_benchmark_js_prints_a_rate_a_suite() -> None:
    text = (
        "Running 2 benchmarks\nfib(10) x 1,431,759 ops/sec ±0.74% (93 runs sampled)\n"
        "2 x 3 x 81.5 ops/sec ±1.70% (69 runs sampled)\nthis x line has no rate\n"
        "fib(10) x 1,000 ops/sec ±3% (1 run sampled)\n"
    )

    assert series_rows(text, "bench.txt") == [
        ("fib(10)", "", 0, "ops/s", [1431759.0, 1000.0]),
        ("2 x 3", "", 0, "ops/s", [81.5]),
    ]


def test_google_benchmark_prints_runs_and_aggregates() -> None:
    text = (
        "2022-04-05T18:03:56-04:00\nRunning ./bench\nRun on (20 X 3609.6 MHz CPU s)\n"
        "Benchmark                Time             CPU   Iterations\n"
        "BM_Set<4>/repeats:2    250 ns          250 ns      2796929\n"
        "BM_Set<4>/repeats:2    1.5e+03 ns      260 ns      2796929 bytes_per_second=1G/s\n"
        "BM_Set<4>/repeats:2_mean    255 ns     255 ns            2\n"
    )

    assert series_rows(text, "bench.txt") == [
        ("BM_Set<4>/repeats:2", "", 0, "s/op", [2.5e-07, 1.5e-06])
    ]


def test_ruby_prints_rates_of_each_block_and_times() -> None:
    block = (
        "Warming up ----\n   sort   654.000 i/100ms\nCalculating -------\n"
        "   sort  {} (±11.0%) i/s  (161.73 μs/i) -     31.392k in   5.076885s\n"
        "a name longer than twenty letters\n           7.5 (± Inf%) i/s - 9.000 in 5.0s\n"
    )
    times = (
        "             user     system      total        real\n"
        "for:      0.950000   0.000000   0.950000 (  0.952039)\n"
        ">total:   2.880000   0.000000   2.880000 (  2.883764)\n"
    )

    assert series_rows(block.format("6.183k") + block.format("2M"), "ips.txt") == [
        ("sort", "", 0, "ops/s", [6183.0]),
        ("a name longer than twenty letters", "", 0, "ops/s", [7.5]),
        ("sort", "metric=block 2", 0, "ops/s", [2e6]),
        ("a name longer than twenty letters", "metric=block 2", 0, "ops/s", [7.5]),
    ]
    assert series_rows(times, "bench.txt") == [("for", "", 0, "s", [0.952039])]


def test_criterion_prints_picoseconds() -> None:
    text = "nop  time:   [320.00 ps 325.00 ps 330.00 ps]\n"

    assert series_rows(text, "bench.txt") == [("nop", "", 0, "s/op", [3.25e-10])]


def test_go_results_behind_log_lines_of_the_benchmark_keep_their_names() -> None:
    text = (
        "BenchmarkA-8          \t2025/06/27 22:49:28 WARN no file\n  1000\t  381.5 ns/op\t 8 B/op\n"
        "BenchmarkB/x-8 \tstarted\nmore words\n 20\t 2.5 ns/op\n  30\t 9.5 ns/op\n"
        "BenchmarkC-8 \t 100\t 4.5 ns/op\n  12\t 5 items in a table of the program\n"
    )

    assert series_rows(text, "bench.txt") == [
        ("A", "", 0, "s/op", [381.5 / 1e9]),
        ("B/x", "", 0, "s/op", [2.5 / 1e9]),
        ("C", "", 0, "s/op", [4.5 / 1e9]),
    ]


def test_go_prints_events_with_parts_of_lines_of_several_packages() -> None:
    outputs = [
        ("x/a", "goos: linux\n"),
        ("x/a", "BenchmarkSub/n=1-2 \t"),
        ("x/b", "BenchmarkOther-2 10 5.5 ns/op\n"),
        ("x/a", "  100\t 3.5 ns/op\t9 MB/s\n"),
        ("x/a", "BenchmarkSub/n=1-2 \t  100\t 4.5 ns/op\nPASS\n"),
    ]
    events = [{"Action": "start", "Package": "x/a"}] + [
        {"Action": "output", "Package": package, "Output": text} for package, text in outputs
    ]
    text = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)

    assert series_rows(text, "go.json") == [
        ("x/b/Other", "", 0, "s/op", [5.5 / 1e9]),
        ("x/a/Sub/n=1", "", 0, "s/op", [3.5 / 1e9, 4.5 / 1e9]),
    ]


GUNGRAUN = "test result: ok. 0 passed\n\ngroup::bench short:10\n  Instructions:   1734|N/A  (***)\n"
CATCH2_TEXT = (
    "benchmark name   samples\n   mean   low mean   high mean\nsort   100   208\n  344 ns\n"
)
NO_TIMES = "label,responseCode,responseMessage,threadName,success,bytes\na,200,OK,T 1-1,true,0\n"
DENO = '{"version": 1, "runtime": "Deno/1.31.0 x86_64", "benches": [{"name": "a"}]}'


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (GUNGRAUN, "bench.txt", ("output of gungraun", "counts of instructions", "as CSV")),
        ('ok\n{"baselines": [], "kind": "L", "module_path": "a"}\n', "x.txt", ("of gungraun",)),
        (CATCH2_TEXT, "bench.txt", ("output of Catch2", "-r xml")),
        (DENO, "bench.json", ("results of Deno", "performance.now()")),
        (
            "· Running 10 total benchmarks (1 commits)\n[ 35.00%] ··· time_keys  11.2±0.01μs\n",
            "asv.txt",
            ("output of asv", ".asv/results"),
        ),
        (
            "Benchmark 1: ./run\n  Time (mean ± σ):  511.5 ms\n  Range (min … max):  485.9 ms\n",
            "hyperfine.txt",
            ("output of hyperfine", "--export-json"),
        ),
        (
            "Name (time in us)  Min  Max  Mean  StdDev  Rounds\ntest_a  1.0 2.0 1.5 0.5 8\n",
            "pytest.txt",
            ("output of pytest-benchmark", "--benchmark-json"),
        ),
        (
            "http_req_duration....: avg=93ms min=1ms p(90)=4ms p(95)=91ms\n",
            "k6.txt",
            ("output of k6", "--out json=FILE"),
        ),
        (
            '{"a::b": {"latency": {"value": 3247.0, "lower_value": 1044.0}}}',
            "bmf.json",
            ("metrics of Bencher", "every iteration"),
        ),
        (
            '{"data": [{"p": [{"d": [], "nit": 10, "in": 1}], "runId": {"cmdline": "a 1"}}]}',
            "profile.json",
            ("profiles of ReBench", "without a profiler"),
        ),
        (
            '<test-run id="2"><test-case name="a" duration="0.5" /></test-run>',
            "TestResult.xml",
            ("a report of tests", "JUnit XML"),
        ),
        (JMH_SCORES, "jmh-results.txt", ("JMH's table of scores", "-rf json")),
        (NO_TIMES, "result.jtl", ("JMeter without elapsed times", "saveservice.time=true")),
        (
            '<testResults version="1.2"><sample lb="a" s="true"/></testResults>',
            "result.jtl",
            ("no sample", "saveservice.time=true"),
        ),
        (
            '<testsuites><testsuite><testcase classname="benchmark::a" name="b" time="21757.5" />',
            "junit.xml",
            ("sum of cargo bench's samples in ns", "without --format junit"),
        ),
        ("[1075.5, 1104.5, 1180.5, 1208.5]", "new/tukey.json", ("tukey.json", "sample.json")),
    ],
)
def test_files_without_times_are_refused_by_name(
    text: str, name: str, words: tuple[str, ...]
) -> None:
    sentence = complaint(text.encode(), name)

    assert all(word in sentence for word in words), sentence


def test_a_list_of_four_numbers_by_another_name_is_a_series() -> None:
    assert series_rows("[1075.5, 1104.5, 1180.5, 1208.5]", "sort.json")[0][4][0] == 1075.5


def test_warmup_stats_has_a_row_for_each_process_execution() -> None:
    table = (
        "process_exec_num, bench_name, 0, 1, 2\n0, spectral norm, 0.5, 0.25, 0.125\n"
        "1, spectral norm, 0.5, 0.25,\n0, nbody, 4, 5, 6\n"
    )

    assert series_rows(table, "warmup.csv") == [
        ("spectral norm", "", 0, "s/op", [0.5, 0.25, 0.125]),
        ("spectral norm", "", 1, "s/op", [0.5, 0.25]),
        ("nbody", "", 0, "s/op", [4.0, 5.0, 6.0]),
    ]
    bad_table = table.replace("0.125", "x")
    assert "row 2, benchmark spectral norm, iteration 2: found 'x'" in complaint(
        bad_table.encode(), "warmup.csv"
    )


# --- packed, brief, old and refused by name -----------------------------------------------------
def test_krun_packs_with_bzip2_and_damage_is_named() -> None:
    data = bz2.compress(json.dumps({"wallclock_times": {"b:vm:default": [[2.0, 1.0]]}}).encode())

    assert series_rows(data, "krun.json.bz2") == [
        ("b", "variant=default&vm=vm", 0, "s/op", [2.0, 1.0])
    ]
    assert "a bzip2 file that breaks off" in complaint(data[:-4], "krun.json.bz2")
    assert "expected a whole bzip2 file" in complaint(data[:12] + b"xxxx" + data[16:], "k.bz2")
    assert "packed into" in complaint(bz2.compress(b"1\n" * 1_500_000, 1), "bomb.txt.bz2")


def test_a_brief_report_of_benchmark_dotnet_has_its_results() -> None:
    benchmark = {
        "FullName": "Sorting.Quick(N: 10)",
        "Type": "Sorting",
        "Method": "Quick",
        "Parameters": "N=10",
        "Statistics": {"OriginalValues": [2e9, 1e9], "Median": 1.5e9},
    }
    report = {"HostEnvironmentInfo": {}, "Benchmarks": [benchmark]}
    iteration = {"IterationMode": "Workload", "IterationStage": "Actual", "LaunchIndex": []}
    full_report = {
        "HostEnvironmentInfo": {},
        "Benchmarks": [{**benchmark, "Measurements": [iteration]}],
    }

    assert "LaunchIndex: found an empty list" in complaint(
        json.dumps(full_report).encode(), "full.json"
    )
    series = read(json.dumps(report).encode(), "report-brief.json")

    assert [
        (series_row.benchmark, series_row.params, series_row.values.tolist())
        for series_row in series
    ] == [("Sorting.Quick", "N=10", [2.0, 1.0])]
    assert "--exporters fulljson" in notes(series)


def test_renaissance_of_earlier_versions_says_nanos() -> None:
    repetitions = [{"nanos": 5e9}, {"nanos": 4e9}]
    document = {"format_version": 2, "results": {"als": {"results": repetitions}}}
    table = "benchmark,nanos,uptime_ns,vm_start_unix_ms\nals,5000000000,1,9\nals,4000000000,2,9\n"

    assert series_rows(json.dumps(document))[0][4] == series_rows(table)[0][4] == [5.0, 4.0]


DIVAN = "x  fastest │ slowest │ median │ mean │ samples │ iters\n╰─ a 4 ms │ 8 ms │ 5 ms │ 5 ms\n"
LOCUST = "Type,Name,Request Count,Failure Count,Median Response Time\nGET,/,5,0,1\n"


@pytest.mark.parametrize(
    ("text", "title", "remedy"),
    [
        ('{"metrics": {"http_req_duration": {"avg": 1}}, "root_group": {}}', "k6", "--out json"),
        ('{"mean": {"point_estimate": 1.5}}', "estimates.json", "sample.json"),
        ('{"group_id": "a", "full_id": "a/b"}', "benchmark.json", "sample.json"),
        ('{"a.b": {"param_names": [], "params": [], "code": ""}}', "benchmarks.json", "commit"),
        ('{"arch": "x", "cpu": "", "machine": "m", "os": "", "ram": ""}', "machine.json", "commit"),
        (
            '{"name": "x", "numberOfRequests": 1, "meanResponseTime": 1}',
            "Gatling",
            "simulation.log",
        ),
        ('{"Total": {"sampleCount": 1, "errorPct": 0, "meanResTime": 1}}', "JMeter", ".jtl"),
        ('{"module_path": "a", "kind": "LibraryBenchmark", "baselines": [1]}', "gungraun", "CSV"),
        ('[{"state": "", "latency": {"aad": 1, "critical": 2}}]', "tinybench", "performance.now()"),
        ('{"layout": [], "benchmarks": [{"runs": [{"stats": 1}]}]}', "mitata", "performance.now()"),
        (
            '[{"Task name": "a", "Throughput avg (ops/s)": "5 ± 1%"}]',
            "tinybench",
            "performance.now()",
        ),
        (DIVAN, "divan", "medians as CSV"),
        ("Label,# Samples,Average,Median\nGET,5,1,1\n", "JMeter", ".jtl"),
        (LOCUST, "Locust", "events.request"),
    ],
)
def test_what_holds_no_iterations_is_refused_by_name(text: str, title: str, remedy: str) -> None:
    sentence = complaint(text.encode(), "x")

    assert title in sentence.partition("; ")[0]
    assert remedy in sentence.partition("; ")[2]


# --- files beside -------------------------------------------------------------------------------
def test_a_folder_of_criterion_has_its_samples_by_their_names(tmp_path: Path) -> None:
    for state in ("base", "new"):
        folder = tmp_path / "criterion" / "Fib" / "5" / state
        folder.mkdir(parents=True)
        sample = {"sampling_mode": "Flat", "iters": [1, 1], "times": [2e9, 1e9]}
        (folder / "sample.json").write_text(json.dumps(sample))
        (folder / "benchmark.json").write_text('{"group_id": "Fib", "full_id": "Fib/5"}')
        (folder / "estimates.json").write_text('{"mean": {"point_estimate": 1.5}}')
        (folder / "tukey.json").write_text("[1.0, 2.0, 3.0, 4.0]")

    (path,) = measurement_files([tmp_path])

    assert path.parent.name == "new"
    assert add_neighbour_options(path, ReadOptions()).benchmark == "Fib/5"
    (series,) = read_path(path, options=add_neighbour_options(path, ReadOptions()))
    assert (series.benchmark, series.values.tolist()) == ("Fib/5", [2.0, 1.0])


def test_a_folder_of_asv_names_its_parameters(tmp_path: Path) -> None:
    machine = tmp_path / "results" / "cheetah"
    machine.mkdir(parents=True)
    (machine / "machine.json").write_text(
        '{"arch": "x", "cpu": "", "machine": "cheetah", "os": "", "ram": ""}'
    )
    described_benchmarks = {"time_b": {"param_names": ["size"], "params": [["1", "2"]], "code": ""}}
    (machine.parent / "benchmarks.json").write_text(
        json.dumps({**described_benchmarks, "version": 2})
    )
    results = {"time_b": [[1.5, 2.5], [["1", "2"]]], "time_c": [[0.5], [["x"]]]}
    commit = {"commit_hash": "abc", "result_columns": ["result", "params"], "results": results}
    (machine / "abc-py3.json").write_text(json.dumps(commit))

    (path,) = measurement_files([tmp_path])
    series = list(read_path(path, options=add_neighbour_options(path, ReadOptions())))

    assert [series_row.params for series_row in series] == ["size=1", "size=2", "param1=x"]


def test_a_benchmarks_json_of_another_tool_is_a_measurement_file(tmp_path: Path) -> None:
    (tmp_path / "benchmarks.json").write_text("[[3.0, 2.0]]")
    (tmp_path / "tukey.json").write_text("[[3.0, 2.0]]")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "x.json").write_text("{}")

    assert [path.name for path in measurement_files([tmp_path])] == [
        "benchmarks.json",
        "tukey.json",
    ]


@pytest.mark.parametrize(
    "data",
    [
        "test " + " " * 500_000 + "... bench:" + " " * 500_000,
        "time:" + " [" * 300_000,
        "\x1b[" * 300_000 + "time: [",
        "|><|" * 60_000 + "||_||",
        "Running @ x\nRequests/sec:" + " 1" * 300_000,
        "<testsuite>" + "<testcase time='1' name='a'" * 30_000,
        "<" + "!-" * 300_000,
        "timeStamp,elapsed" + "," * 300_000,
        "1518459475498,1," + "true" * 200_000,
        "RUN\t" * 200_000,
        "\t" * 300_000 + "REQUEST\t",
        "process_exec_num,bench_name" + "," * 300_000 + "\n0,b" + "," * 300_000,
        "window.BENCHMARK_DATA" + "=" * 300_000,
        "[info] " * 100_000,
    ],
    ids=range(14),
)
def test_whatever_is_long_is_refused_or_read_soon(data: str) -> None:
    start_time = time.process_time()
    with suppress(FormatError):
        read(data.encode(), "long.txt")
    assert time.process_time() - start_time < 2
