"""JMH's text log: warm-up values, forks, parameters, and lines without a value."""

from __future__ import annotations

import pytest

from tests.formats.reading import complaint, read

HEAD = """\
# JMH version: 1.36
# VM version: JDK 17.0.8, OpenJDK 64-Bit Server VM, 17.0.8+7
# VM invoker: /usr/lib/jvm/java-17/bin/java
# VM options: <none>
# Warmup: 2 iterations, 10 s each
# Measurement: 2 iterations, 500 ms each
# Timeout: 10 min per iteration
# Threads: 1 thread, will synchronize iterations
# Benchmark mode: Average time, time/op
# Benchmark: org.sample.Sort.quick
# Parameters: (size = 10, type = a, b)

# Run progress: 0.00% complete, ETA 00:01:40
"""
FORKS = """\
# Fork: 1 of 2
# Warmup Iteration   1: 9.500 us/op
# Warmup Iteration   2: 8.000 us/op
Iteration   1: 7.000 us/op
                 ·gc.alloc.rate: 12.5 MB/sec
Iteration   2: 7.250 ±(99.9%) 0.300 us/op

# Run progress: 50.00% complete, ETA 00:00:50
# Fork: 2 of 2
# Warmup Iteration   1: 9.000 us/op
# Warmup Iteration   2: 8.500 us/op
Iteration   1: 7.125 us/op
Iteration   2: 7.000 us/op


Result "org.sample.Sort.quick":
  7.094 ±(99.9%) 0.5 us/op [Average]
"""
LOG = (HEAD + FORKS).encode()


def test_warmup_values_come_first_and_are_counted() -> None:
    first, second = read(LOG, "run.log")

    assert first.values.tolist() == [9.5e-6, 8e-6, 7e-6, 7.25e-6]
    assert second.values.tolist() == [9e-6, 8.5e-6, 7.125e-6, 7e-6]
    assert first.settings["warmup_values"] == 2
    assert (first.unit, first.mode, second.fork) == ("s/op", "avgt", 1)


def test_names_settings_and_runtime_come_from_the_header() -> None:
    first, _ = read(LOG, "run.log")

    assert first.label == "org.sample.Sort.quick|size=10&type=a, b|0"
    assert first.recording.runtime == "JDK 17.0.8, OpenJDK 64-Bit Server VM, 17.0.8+7"
    assert first.settings == {
        "jmh_version": "1.36",
        "vm_version": "JDK 17.0.8, OpenJDK 64-Bit Server VM, 17.0.8+7",
        "jvm": "/usr/lib/jvm/java-17/bin/java",
        "warmup_iterations": 2,
        "warmup_seconds": 10.0,
        "measurement_iterations": 2,
        "measurement_seconds": 0.5,
        "seconds_per_iteration": 0.5,
        "threads": 1,
        "forks": 2,
        "warmup_values": 2,
    }
    assert first.notes == (
        "the first 2 values are warm-up iterations; the log rounds every value as JMH prints it",
    )


def test_forks_that_only_warm_up_are_not_series() -> None:
    warmup_log = (
        "# Warmup Fork: 1 of 1\n# Warmup Iteration   1: 1.0 us/op\nIteration   1: 1.0 us/op\n"
    )

    assert len(read((HEAD + warmup_log + FORKS).encode(), "run.log")) == 2


def test_a_run_in_the_host_vm_is_fork_0() -> None:
    text = (
        HEAD + "# Fork: N/A, test runs in the host VM\nIteration   1: 3 s/op\nIteration   2: 4 s/op"
    )

    (series,) = read(text.encode(), "run.log")

    assert (series.fork, series.values.tolist(), series.notes) == (0, [3.0, 4.0], ())


def test_several_benchmarks_and_modes() -> None:
    second_log = LOG.decode().replace("Average time, time/op", "Throughput, ops/time")
    second_log = second_log.replace("us/op", "ops/ms")

    series = read(LOG + second_log.encode(), "run.log")

    assert [m.benchmark for m in series[1:3]] == [
        "org.sample.Sort.quick",
        "org.sample.Sort.quick [thrpt]",
    ]
    assert (series[2].unit, series[2].mode) == ("ops/ms", "thrpt")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("12,345 us/op", 12.345 / 10**6),  # a log written where the comma is the decimal sign
        ("n = 500, mean = 20 us/op, p{0.00, 1.00} = 18, 40 us/op", 20e-6),
        ("1.5 min/op", 90.0),
    ],
)
def test_scores_as_jmh_prints_them(line: str, value: float) -> None:
    text = f"{HEAD}# Fork: 1 of 1\nIteration   1: {line}\nIteration   2: {line}\n"

    assert read(text.encode(), "run.log")[0].values.tolist() == [value, value]


def test_a_log_in_utf16_reads_the_same() -> None:
    series = read(LOG.decode().encode("utf-16"), "run.log")

    assert [m.values.size for m in series] == [4, 4]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "≈ 10⁻⁹ s/op",
            (
                "run.log, line 15, benchmark org.sample.Sort.quick (size=10&type=a, b), fork 0, "
                "iteration 0: found '≈ 10⁻⁹ s/op', expected a finite number; "
                "JMH rounded the value away: log in a finer unit (-tu ns)"
            ),
        ),
        (
            "<failure>",
            (
                "run.log, line 15, benchmark org.sample.Sort.quick (size=10&type=a, b), fork 0, "
                "iteration 0: found '<failure>', expected a finite number"
            ),
        ),
        (
            "",
            (
                "run.log, line 15, benchmark org.sample.Sort.quick (size=10&type=a, b), fork 0, "
                "iteration 0: found no value, expected a finite number"
            ),
        ),
        (
            "NaN us/op",
            (
                "run.log, line 15, benchmark org.sample.Sort.quick (size=10&type=a, b), fork 0, "
                "iteration 0: found 'NaN', expected a finite number"
            ),
        ),
        (
            "1.0 us/op\nIteration   2: 3.0 ops/s",
            (
                "run.log, line 16, benchmark org.sample.Sort.quick (size=10&type=a, b), fork 0, "
                "iteration 1: found 'ops/s', expected the unit of the values before, s/op"
            ),
        ),
    ],
)
def test_complaint_names_line_fork_and_iteration(line: str, message: str) -> None:
    text = f"{HEAD}# Fork: 1 of 1\nIteration   1: {line}\n"

    assert complaint(text.encode(), "run.log") == message


def test_a_log_without_iterations() -> None:
    assert complaint(HEAD.encode(), "run.log") == (
        "run.log, end of file: found no iteration, "
        "expected lines such as 'Iteration   1: 12.345 ns/op'"
    )


@pytest.mark.parametrize(
    "prefix", ["[info] ", "2024-03-14T02:00:00.1234567Z ", "2024-03-14T02:00:00Z [info] "]
)
def test_lines_may_stand_behind_what_sbt_and_ci_add(prefix: str) -> None:
    lines = "".join(f"{prefix}{line}\n" for line in LOG.decode().splitlines())

    prefixed_series = read(lines.encode(), "run.log")

    assert [m.values.tolist() for m in prefixed_series] == [
        m.values.tolist() for m in read(LOG, "run.log")
    ]
    assert prefixed_series[0].settings == read(LOG, "run.log")[0].settings


def test_a_fork_with_a_rounded_value_is_left_out_and_named() -> None:
    text = LOG.decode().replace("8.000 us/op", "≈ 10⁻³ us/op")

    (second,) = read(text.encode(), "run.log")

    assert second.fork == 1
    assert "fork 0, iteration 1: '≈ 10⁻³ us/op'; JMH rounded" in second.notes[-1]
    assert "-tu ns" in second.notes[-1]
    first_fork = text[: text.index("# Fork: 2")]
    assert "found '≈ 10⁻³ us/op'" in complaint(first_fork.encode(), "run.log")


@pytest.mark.parametrize(
    ("lost", "problem"),
    [
        ("# Warmup Iteration   1: ", "iteration 0: no value"),  # Gradle prints over its first word
        ("Iteration   1: ", "iteration 2: no value"),
    ],
)
def test_a_fork_with_a_lost_iteration_is_left_out_and_named(lost: str, problem: str) -> None:
    text = "> Task :jmh\n" + LOG.decode().replace(f"\n{lost}", "\n", 1)

    (second,) = read(text.encode(), "run.log")

    assert second.fork == 1
    assert problem in second.notes[-1]


@pytest.mark.parametrize("printed", ["size is: 152\ntime .1", "152 items", "sizes sorted"])
def test_a_benchmark_that_prints_parts_a_score_from_its_iteration(printed: str) -> None:
    text = LOG.decode().replace("# Warmup Iteration   2: ", f"# Warmup Iteration   2: {printed}\n")

    assert [measurement.values.tolist() for measurement in read(text.encode(), "run.log")] == [
        measurement.values.tolist() for measurement in read(LOG, "run.log")
    ]


def test_units_of_no_score_of_jmh_are_read_to_the_end() -> None:
    (series,) = read(b"Iteration   1: 12.0 cycles\nIteration   2: 13.0 cycles\n", "run.log")

    assert series.values.tolist() == [12.0, 13.0]


@pytest.mark.parametrize("end", ["\n", " 12.", " 12.3 u", " 12.3 us/o"])
def test_a_log_that_ends_before_a_score_or_in_it_is_read_up_to_it(end: str) -> None:
    text = LOG.decode()
    cut = f"{text[: text.rindex('Iteration   1: ')]}Iteration   1:{end}"

    *_, last_series = read(cut.encode(), "run.log")

    assert last_series.fork == 1
    assert last_series.values.size == read(LOG, "run.log")[-1].values.size - 2
    assert "fork 1, iteration 2: no value" in last_series.notes[-1]
    beginning = text[: text.rindex("# Warmup Iteration   1:")] + f"# Warmup Iteration   1:{end}"
    assert "fork 1, iteration 0: no value" in read(beginning.encode(), "run.log")[-1].notes[-1]


def test_a_fork_without_an_iteration_is_left_out_and_named() -> None:
    text = LOG.decode()
    begin, end = text.index("# Warmup Iteration   1"), text.index("# Fork: 2")

    (second,) = read((text[:begin] + "0.499 ops/ms\n" + text[end:]).encode(), "run.log")

    assert second.fork == 1
    assert "fork 0: no value" in second.notes[-1]


def test_a_fork_that_failed_ends_there_and_the_rest_is_read() -> None:
    failure = "# Warmup Iteration   2: <failure>\n\njava.lang.IllegalStateException: 5\n\tat a.B\n"
    text = LOG.decode().replace("# Warmup Iteration   2: 8.000 us/op\n", failure)

    first, second = read(text.encode(), "run.log")

    assert first.values.tolist() == [9.5e-6]
    assert "a benchmark failed: its series ends there" in first.notes
    assert "iteration 1: '<failure>'" in second.notes[-1]
    assert second.values.size == 4
