"""JMH's JSON: units, modes, forks, histograms, and what can be wrong with it."""

from __future__ import annotations

import codecs
import gzip
import io
import json
from typing import Any

import numpy as np
import pytest

import formats
from formats.iterations import length_of
from tests.formats.jmh_files import HEADER, entry, result
from tests.formats.reading import EVERY_VALUE, complaint, read, values

NAME = "jmh-result.json"
TWO_FORKS = [[4.0, 2.5, 2.0], [3.5, 2.25]]


def test_a_fork_is_a_series_in_seconds_per_operation() -> None:
    first, second = read(result(entry(TWO_FORKS)), NAME)

    assert first.values.tolist() == [0.004, 0.0025, 0.002]
    assert second.values.tolist() == [0.0035, 0.00225]  # ragged forks are allowed
    assert (first.benchmark, first.fork, second.fork) == ("org.sample.Sort.quick", 0, 1)
    assert (first.unit, first.mode, first.system) == ("s/op", "avgt", "")


def test_values_are_what_detectors_take() -> None:
    (first, _) = read(result(entry(TWO_FORKS)), NAME)

    assert first.values.dtype == np.float64
    assert first.values.flags.c_contiguous
    assert not first.values.flags.writeable


@pytest.mark.parametrize(
    ("unit", "stored", "value"),
    [
        ("ns/op", "s/op", 8e-9),
        ("us/op", "s/op", 8e-6),
        ("ms/op", "s/op", 8e-3),
        ("s/op", "s/op", 8.0),
        ("min/op", "s/op", 480.0),
        ("hr/op", "s/op", 28800.0),
        ("day/op", "s/op", 691200.0),
        ("ops/s", "ops/s", 8.0),
        ("ops/ms", "ops/ms", 8.0),
    ],
)
def test_times_become_seconds_and_throughput_stays(unit: str, stored: str, value: float) -> None:
    (series,) = read(result(entry([[8.0, 8.0]], unit=unit)), NAME)

    assert series.unit == stored
    assert series.values.tolist() == [value, value]  # the nearest double, not a product of rounding


@pytest.mark.parametrize("mode", ["avgt", "sample", "ss", "thrpt"])
def test_every_mode_is_kept(mode: str) -> None:
    assert read(result(entry([[1, 2]], mode=mode)), NAME)[0].mode == mode


def test_what_was_configured_is_kept() -> None:
    settings = read(result(entry(TWO_FORKS)), NAME)[0].settings

    assert settings == {
        "warmup_iterations": 5,
        "warmup_seconds": 10.0,
        "warmup_batch_size": 1,
        "measurement_iterations": 3,
        "measurement_seconds": 1.0,
        "measurement_batch_size": 1,
        "seconds_per_iteration": 1.0,
        "forks": 2,
        "threads": 1,
        "jmh_version": "1.36",
        "jdk_version": "17.0.8",
        "jvm": "/usr/lib/jvm/java-17-openjdk-amd64/bin/java",
        "jvm_args": "-Xmx256m -XX:+UseSerialGC",
        "vm_name": "OpenJDK 64-Bit Server VM",
        "vm_version": "17.0.8+7-Debian-1deb12u1",
    }


def test_single_shot_has_no_seconds_per_iteration() -> None:
    shot = entry([[1, 2]], mode="ss", warmupTime="single-shot", measurementTime="single-shot")

    settings = read(result(shot), NAME)[0].settings

    assert not {"seconds_per_iteration", "measurement_seconds", "warmup_seconds"} & set(settings)


def test_missing_warmup_is_said_with_the_command_that_keeps_it() -> None:
    (note,) = read(result(entry(TWO_FORKS, params={"size": "10", "type": "a b"})), NAME)[0].notes

    assert note == (
        "5 warm-up iterations of 10 s were run before the first value and are not in this file; "
        "record with no warm-up iterations to see them: "
        r"java -jar benchmarks.jar '^org\.sample\.Sort\.quick$' -wi 0 -i 53 -r 1s -f 2 -bm avgt "
        "-p size=10 -p 'type=a b' -rf json -rff with-warmup.json"
    )


def test_one_single_shot_of_warmup_is_said_in_the_singular() -> None:
    shot = entry(
        [[1, 2]],
        mode="ss",
        warmupIterations=1,
        warmupTime="single-shot",
        measurementTime="single-shot",
        threads=4,
        measurementBatchSize=9,
    )

    assert read(result(shot), NAME)[0].notes == (
        (
            "1 warm-up iteration was run before the first value and is not in this file; "
            "record with no warm-up iterations to see it: "
            r"java -jar benchmarks.jar '^org\.sample\.Sort\.quick$' -wi 0 -i 4 -f 2 "
            r"-t 4 -bs 9 -bm ss "
            "-rf json -rff with-warmup.json"
        ),
    )


def test_settings_that_cannot_be_are_not_kept() -> None:
    odd_entry = entry(
        [[1, 2]], warmupIterations=10**400, forks=-1, threads=True, warmupTime="1e999 s"
    )

    settings = read(result(odd_entry), NAME)[0].settings

    assert not {"warmup_iterations", "forks", "threads", "warmup_seconds"} & set(settings)


def test_a_run_without_warmup_has_no_note() -> None:
    assert read(result(entry(TWO_FORKS, warmupIterations=0)), NAME)[0].notes == ()


def test_several_benchmarks_come_in_the_files_order_with_canonical_params() -> None:
    data = result(
        entry([[1, 2]], benchmark="b.Second", params={"type": "int", "size": "10"}),
        entry([[1, 2]], benchmark="a.First"),
        entry([[1, 2]], benchmark="a.First", params={"p": "x&y"}),
    )

    assert [m.label for m in read(data, NAME)] == [
        "b.Second|size=10&type=int|0",
        "a.First||0",
        "a.First|p=x%26y|0",
    ]


def test_one_benchmark_in_several_modes_gives_a_name_to_each() -> None:
    data = result(entry([[1, 2]], mode="thrpt", unit="ops/s"), entry([[1, 2]], mode="avgt"))

    assert [m.benchmark for m in read(data, NAME)] == [
        "org.sample.Sort.quick",
        "org.sample.Sort.quick [avgt]",
    ]


def test_a_histogram_gives_means_and_keeps_its_pairs() -> None:
    pairs = [[[[2.0, 3], [6.0, 1]], [[4.0, 1]], [[1.0, 2], [2.0, 2]]]]

    (series,) = read(result(entry(pairs, key="rawDataHistogram", mode="sample")), NAME)

    assert series.values.tolist() == [0.003, 0.004, 0.0015]
    assert series.samples is not None
    assert series.samples.values.tolist() == [0.002, 0.006, 0.004, 0.001, 0.002]
    assert series.samples.counts.tolist() == [3, 1, 1, 2, 2]
    assert series.samples.offsets.tolist() == [0, 2, 3, 5]


@pytest.mark.parametrize(
    ("counts", "threads", "length"),
    [
        ((50, 60, 55), 1, "0.11 s, measured"),  # of 2 ms each, in 0.1 s
        ((46, 46, 46), 1, "0.092 s, measured"),
        ((44, 44, 44), 1, "0.1 s"),  # JMH timed only a part of them
        ((100, 120, 110), 2, "0.11 s, measured"),
        ((50, 60, 55), 2, "0.1 s"),
    ],
)
def test_samples_that_fill_an_iteration_say_how_long_it_lasted(
    counts: tuple[int, ...], threads: int, length: str
) -> None:
    pairs = [[[[2.0, count]] for count in counts]]
    fields: dict[str, Any] = {"mode": "sample", "measurementTime": "100 ms", "threads": threads}

    (series,) = read(result(entry(pairs, key="rawDataHistogram", **fields)), NAME)

    assert str(length_of(series.unit, series.mode, series.settings)) == length


def test_the_runtime_and_what_a_recorder_adds_are_hints_for_the_recording() -> None:
    hint_fields = {
        "label": "nightly",
        "measuredAt": "2025-03-12T14:02:00+00:00",
        "machine": "2 cores",
    }

    plain_series, hinted_series = read(
        result(
            entry([[1, 2]], benchmark="plain"),
            entry([[1, 2]], benchmark="told", recording=hint_fields),
        ),
        NAME,
    )

    assert plain_series.recording.runtime == "OpenJDK 64-Bit Server VM 17.0.8+7-Debian-1deb12u1"
    assert plain_series.recording.label == ""
    assert hinted_series.recording.label == "nightly"
    assert hinted_series.recording.measured_at == "2025-03-12T14:02:00+00:00"
    assert hinted_series.recording.machine == "2 cores"


@pytest.mark.parametrize(
    "wrap",
    [bytes, gzip.compress, lambda data: codecs.BOM_UTF8 + data],
    ids=["plain", "gzip", "byte order mark"],
)
def test_the_same_file_packed_or_marked_reads_the_same(wrap: Any) -> None:
    assert values(wrap(result(entry([[1.5, 2]]))), NAME) == [[0.0015, 0.002]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            result(entry([[1, 2], [1, float("nan")]])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 1, iteration 1: "
                "found NaN, expected a finite number"
            ),
        ),
        (
            result(entry([[1, float("-inf")]])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 0, iteration 1: "
                "found -Infinity, expected a finite number"
            ),
        ),
        (
            result(entry([[1, "NaN"]])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 0, iteration 1: "
                "found 'NaN', expected a finite number"
            ),
        ),
        (
            result(entry([[1, None]])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 0, iteration 1: "
                "found nothing, expected a finite number"
            ),
        ),
        (
            result(entry([[1, 2, -8]], params={"size": "10"})),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick (size=10), fork 0, iteration 2: "
                "found -0.008, expected a time of zero or more"
            ),
        ),
        (
            result(entry([[1, 2], []])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 1: "
                "found no value, " + EVERY_VALUE
            ),
        ),
        (
            result(entry([])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick: "
                "found an empty list, expected rawData or rawDataHistogram, a list a fork"
            ),
        ),
        (
            result(entry(None)),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick: "
                "found no rawData, expected rawData or rawDataHistogram, a list a fork"
            ),
        ),
        (
            result(entry([7.5])),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 0: "
                "found 7.5, expected a list with a number an iteration"
            ),
        ),
        (
            result({**HEADER, "primaryMetric": []}),
            (
                "jmh-result.json, benchmark number 1, primaryMetric: "
                "found an empty list, expected an object"
            ),
        ),
        (
            result(entry([[1, 2]], benchmark="")),
            (
                "jmh-result.json, benchmark number 1, benchmark: found '', expected "
                "the benchmark's name"
            ),
        ),
        (
            result(entry([[[[1.0, 0]], [[1.0, 1]]]], key="rawDataHistogram")),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 0, iteration 0: "
                "found [1.0, 0], expected [value, count] with a count above 0"
            ),
        ),
        (
            result(entry([[[], [[1.0, 1]]]], key="rawDataHistogram")),
            (
                "jmh-result.json, benchmark org.sample.Sort.quick, fork 0, iteration 0: "
                "found no pair, expected a list of [value, count] pairs"
            ),
        ),
        (
            result(entry([[1, 2]]), entry([[1, 2]])),
            (
                "jmh-result.json, series org.sample.Sort.quick||0: "
                "found fork 0 of benchmark org.sample.Sort.quick a second time, "
                "expected every benchmark, parameters and fork once; "
                "runs on another occasion belong in another file"
            ),
        ),
        (
            b'[\n  {"primaryMetric": tru}\n]',
            "jmh-result.json, line 2, column 21: found 'tru}', expected a JSON value",
        ),
        (
            b'[{"primaryMetric": {}',
            (
                "jmh-result.json, line 1, column 22: found the end of the file, "
                "expected ',' or a closing bracket; the file breaks off: copy it again"
            ),
        ),
        (
            b'[{"primaryMetric": "m',
            (
                "jmh-result.json, line 1, column 20: found the end of the file, "
                "expected the end of the string that starts here; the file breaks off: "
                "copy it again"
            ),
        ),
        (
            b'{"primaryMetric": {}, "benchmark": "b"} x',
            (
                "jmh-result.json, benchmark b: "
                "found no rawData, expected rawData or rawDataHistogram, a list a fork"
            ),
        ),
        (
            b'[{"primaryMetric": {}} {"benchmark"',
            (
                "jmh-result.json, benchmark number 1, benchmark: "
                "found nothing, expected the benchmark's name"
            ),
        ),
        (
            b'["primaryMetric" 3]',
            "jmh-result.json, benchmark number 1: found 'primaryMetric', expected an object",
        ),
        (
            b'{"primaryMetric": ' + b"[" * 200_000,
            (
                "jmh-result.json, element that starts in line 1: "
                "found lists in lists in lists without end, expected measurements"
            ),
        ),
        (
            b'{"primaryMetric": 1' + b"0" * 5000 + b"}",
            (
                "jmh-result.json, element that starts in line 1: "
                "found a number with thousands of digits, expected measurements"
            ),
        ),
        (
            b'{"primaryMetric": "\xff"}',
            (
                "jmh-result.json, byte 19: found 0xFF, expected text in UTF-8; "
                "save the file as UTF-8, or choose its encoding"
            ),
        ),
    ],
)
def test_complaint_names_benchmark_fork_and_iteration(data: bytes, message: str) -> None:
    assert complaint(data, NAME) == message


def test_an_empty_list_is_no_result() -> None:
    assert complaint(b"[]", NAME, format="jmh") == (
        "jmh-result.json, list of benchmarks: found no benchmark, expected at least one"
    )


def test_text_after_the_last_benchmark_is_an_error() -> None:
    data = result(entry([[1, 2]])) + b"\n]"

    assert complaint(data, NAME).endswith("found ']', expected the end of the file")


def test_problems_of_single_forks_can_be_collected_and_the_rest_read() -> None:
    data = result(
        entry([[1, 2], [], [3, 4]]), entry(None, benchmark="b"), entry([[5, 6]], benchmark="c")
    )
    problems: list[formats.FormatError] = []

    series = formats.read_series_of_file(io.BytesIO(data), NAME, on_problem=problems.append)

    assert [m.label for m in series] == [
        "org.sample.Sort.quick||0",
        "org.sample.Sort.quick||2",
        "c||0",
    ]
    assert [problem.where for problem in problems] == [
        "benchmark org.sample.Sort.quick, fork 1",
        "benchmark b",
    ]


def test_series_are_given_while_the_file_is_read() -> None:
    data = result(entry([[1, 2]]))[:-1] + b', {"broken'

    stream = formats.read_series_of_file(io.BytesIO(data), NAME)

    assert next(stream).values.tolist() == [0.001, 0.002]
    with pytest.raises(formats.FormatError):
        next(stream)


def test_whole_numbers_are_numbers() -> None:
    data = json.dumps([entry([[10, 20]], unit="s/op")]).encode()

    assert values(data, NAME) == [[10.0, 20.0]]
