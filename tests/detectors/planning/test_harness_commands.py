"""Command lines of harnesses, as each of them reads its options."""

from __future__ import annotations

import pytest

from detectors.planning.harness_commands import (
    HARNESSES,
    RECORDED_BY,
    HarnessName,
    HarnessRun,
    harness_command,
    recording_harness,
)
from formats.reader import FileReader
from formats.registry import READERS

RUN = HarnessRun("org.example.Bench.read", 40, 120, 4, 0.1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "jmh",
            (
                r"java -jar benchmarks.jar 'org\.example\.Bench\.read$' "
                "-wi 40 -w 100ms -i 120 -r 100ms -f 4"
            ),
        ),
        (
            "jmh-annotations",
            (
                "@Warmup(iterations = 40, time = 100, timeUnit = TimeUnit.MILLISECONDS)\n"
                "@Measurement(iterations = 120, time = 100, timeUnit = TimeUnit.MILLISECONDS)\n"
                "@Fork(4)"
            ),
        ),
        ("pyperf", "python bench.py --warmups 40 --values 120 --processes 4 --min-time 0.1"),
        ("benchmarkdotnet", "[SimpleJob(launchCount: 4, warmupCount: 40, iterationCount: 120)]"),
        (
            "google",
            (
                r"for fork in $(seq 4); do ./benchmarks "
                r"--benchmark_filter='^org\.example\.Bench\.read$' "
                "--benchmark_min_warmup_time=4 --benchmark_min_time=0.1s "
                "--benchmark_repetitions=120 --benchmark_out=fork$fork.json; done"
            ),
        ),
        (
            "criterion",
            (
                "for fork in $(seq 4); do cargo bench -- org.example.Bench.read --warm-up-time 4 "
                "--sample-size 120 --measurement-time 12; done"
            ),
        ),
        (
            "go",
            (
                r"for fork in $(seq 4); do go test -run '^$' "
                r"-bench '^Benchmarkorg\.example\.Bench\.read$' -benchtime 100ms -count 160 . "
                "> fork$fork.txt; done"
            ),
        ),
        (
            "hyperfine",
            ("hyperfine --warmup 40 --runs 480 --export-json times.json org.example.Bench.read"),
        ),
    ],
)
def test_the_command_says_what_is_to_be_run(name: HarnessName, text: str) -> None:
    assert harness_command(name, RUN).text == text


def test_go_gets_the_package_and_a_pattern_for_each_part_of_a_name() -> None:
    run = HarnessRun("example.org/sort/Quick/n=10", 0, 5, 1, 12.0, package="example.org/sort")
    text = harness_command("go", run).text

    assert "-bench '^BenchmarkQuick$/^n=10$' -benchtime 12000ms " in text
    assert " example.org/sort > " in text


def test_go_gets_no_length_of_zero() -> None:
    assert "-benchtime 0.000001ms " in harness_command("go", HarnessRun("A", 0, 5, 1, 1e-12)).text


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_plan_is_written_for_the_harness_that_wrote_the_file(reader: FileReader) -> None:
    assert recording_harness({RECORDED_BY: reader.harness}) == (reader.harness or "jmh")


@pytest.mark.parametrize("name", HARNESSES)
def test_an_iteration_of_one_operation_has_no_length_in_options(name: HarnessName) -> None:
    run = HarnessRun("it's", 0, 5, 2, 0.05, one_operation=True)

    text = harness_command(name, run).text

    assert "50ms" not in text
    assert "0.05s" not in text
    assert "time = " not in text


def test_a_name_cannot_leave_its_quotes() -> None:
    text = harness_command("jmh", HarnessRun("a'; rm -rf b", 1, 1, 1, 2.0)).text

    assert """'a'"'"';""" in text
    assert text.endswith("-wi 1 -w 2s -i 1 -r 2s -f 1")
