"""BenchmarkDotNet's full JSON: warm-up and actual iterations of every launch.

Source: dotnet/BenchmarkDotNet: `src/BenchmarkDotNet/Exporters/Json/JsonExporterBase.cs`,
docs/articles/guides/how-it-works.md. A measurement has a mode and a stage, a count of operations
and their nanoseconds. Overhead, jitting and the pilot's growing counts of operations are no
iterations of the benchmark; results are actual iterations less the overhead, which are all that a
brief report has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats import params
from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import entries, is_number, json_excerpt, mapping, numbers, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

KEEP: Final = "export with --exporters fulljson"
REMEDY: Final = (
    "record with --exporters fulljson --warmupCount 1 --iterationCount 3000 --invocationCount 1 "
    "--unrollFactor 1"
)
BRIEF_NOTE: Final = f"the brief report has no warm-up, and may leave outliers out: {KEEP}"
STAGES: Final = "overhead, jitting, pilot and result are other stages, and no part of the series"
WARMUP: Final = ("WorkloadWarmup", "MainWarmup")  # the second: before version 0.11
ACTUAL: Final = ("WorkloadActual", "WorkloadTarget", "MainTarget")
DEFAULT_JOB: Final = "DefaultJob"

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark and launch: warm-up iterations, then actual ones."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        host = mapping(source, fields.get("HostEnvironmentInfo") or {}, "HostEnvironmentInfo")
        recording = RecordingHint(
            machine=text_of(host.get("ProcessorName")), runtime=text_of(host.get("RuntimeVersion"))
        )
        for number, entry in enumerate(entries(source, fields.get("Benchmarks"), "Benchmarks")):
            launches = source.attempt(partial(_benchmark, source, entry, number, recording))
            yield from source.attempts(launches or ())


def _benchmark(
    source: InputSource, entry: object, number: int, recording: RecordingHint
) -> list[partial[Measurement]]:
    """Make a reader for each launch of a benchmark."""
    fields = mapping(source, entry, f"benchmark number {number + 1}")
    names = (text_of(fields.get(field_name)) for field_name in ("Namespace", "Type", "Method"))
    name = ".".join(filter(None, names)) or text_of(fields.get("FullName"))
    where = f"benchmark {name or number + 1}"
    parameters = {**params.split(text_of(fields.get("Parameters"))), **_job(fields)}
    if "Measurements" not in fields:
        statistics = fields.get("Statistics")
        values = statistics.get("OriginalValues") if isinstance(statistics, dict) else None
        if not values:
            expected = "Measurements, with every iteration"
            raise source.problem(where, found="a summary", expected=expected, hint=KEEP)
        series = HarnessSeries(
            benchmark=name,
            params=parameters,
            values=numbers(source, values, f"{where}, OriginalValues", "iteration"),
            unit="ns/op",
            recording=recording,
            notes=(BRIEF_NOTE,),
            remedy=REMEDY,
        )
        return [partial(measurement, source, series)]
    iterations_by_launch: dict[object, list[Fields]] = {}
    for index, listed_measurement in enumerate(
        entries(source, fields["Measurements"], f"{where}, Measurements")
    ):
        iteration = mapping(source, listed_measurement, f"{where}, measurement {index}")
        if _stage(iteration) in {*WARMUP, *ACTUAL}:
            launch_index = iteration.get("LaunchIndex")
            if launch_index is not None and not is_number(launch_index):
                place = f"{where}, measurement {index}, LaunchIndex"
                raise source.problem(place, found=json_excerpt(launch_index), expected="a number")
            iterations_by_launch.setdefault(launch_index, []).append(iteration)
    if not iterations_by_launch:
        expected = "iterations of the stages warm-up and actual"
        raise source.problem(f"{where}, Measurements", found="none", expected=expected, hint=KEEP)
    return [
        partial(
            _launch, source, name, launch, fork=fork, parameters=parameters, recording=recording
        )
        for fork, launch in enumerate(iterations_by_launch.values())
    ]


def _stage(iteration: Fields) -> str:
    return f"{text_of(iteration.get('IterationMode'))}{text_of(iteration.get('IterationStage'))}"


def _job(fields: Fields) -> dict[str, str]:
    """The job where it is not the default one: a benchmark may have been run under several."""
    _, _, description_rest = text_of(fields.get("DisplayInfo")).partition(": ")
    job = description_rest.partition(" [")[0]
    return {"job": job} if job not in {"", DEFAULT_JOB} else {}


def _launch(
    source: InputSource,
    name: str,
    launch: list[Fields],
    *,
    fork: int,
    parameters: Mapping[str, str],
    recording: RecordingHint,
) -> Measurement:
    where = f"benchmark {name}, launch {fork}"
    warmups = [iteration for iteration in launch if _stage(iteration) in WARMUP]
    values = [_time(source, iteration, where) for iteration in launch]
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params=parameters,
            fork=fork,
            values=values,
            unit="ns/op",
            settings={"warmup_values": len(warmups)} if warmups else {},
            recording=recording,
            notes=(STAGES,),
            remedy=REMEDY,
        ),
    )


def _time(source: InputSource, iteration: Fields, where: str) -> float:
    time, count = iteration.get("Nanoseconds"), iteration.get("Operations")
    if not is_number(time) or not is_number(count) or count <= 0:  # type: ignore[operator]
        actual, iteration_index = (
            f"{json_excerpt(time)} in {json_excerpt(count)}",
            text_of(iteration.get("IterationIndex")),
        )
        expected = "Nanoseconds, a finite number, and Operations, one or more"
        raise source.problem(
            f"{where}, iteration {iteration_index}", found=actual, expected=expected
        )
    return float(time) / float(count)  # type: ignore[arg-type]


def _recognise(start: FileStart) -> str:
    marks = ('"HostEnvironmentInfo"', '"Benchmarks"')
    return '"HostEnvironmentInfo" found: BenchmarkDotNet\'s JSON' if start.has(*marks) else ""


READER = FileReader(
    name="benchmark-dotnet",
    title="BenchmarkDotNet JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
    harness="benchmarkdotnet",
)
