"""BenchmarkDotNet's full JSON: warm-up and actual iterations of every launch.

Source: dotnet/BenchmarkDotNet: `src/BenchmarkDotNet/Exporters/Json/JsonExporterBase.cs`,
docs/articles/guides/how-it-works.md. A measurement has a mode and a stage, a count of operations
and their nanoseconds. Overhead, jitting and the pilot's growing counts of operations are no
iterations of the benchmark; results are actual iterations less the overhead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats import params
from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import entries, is_number, mapping, shown, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

KEEP: Final = "export with --exporters fulljson"
REMEDY: Final = (
    "record with --exporters fulljson --warmupCount 1 --iterationCount 3000 --invocationCount 1 "
    "--unrollFactor 1"
)
STAGES: Final = "overhead, jitting, pilot and result are other stages, and no part of the series"
WARMUP: Final = ("WorkloadWarmup", "MainWarmup")  # the second: before version 0.11
ACTUAL: Final = ("WorkloadActual", "WorkloadTarget", "MainTarget")
DEFAULT_JOB: Final = "DefaultJob"

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark and launch: warm-up iterations, then actual ones."""
    for whole in elements(source):
        fields = mapping(source, whole, "the whole file")
        recording = _recording(source, fields)
        for number, entry in enumerate(entries(source, fields.get("Benchmarks"), "Benchmarks")):
            found = source.attempt(partial(_benchmark, source, entry, number, recording))
            yield from source.attempts(found or ())


def _recording(source: InputSource, fields: Fields) -> RecordingHint:
    host = mapping(source, fields.get("HostEnvironmentInfo") or {}, "HostEnvironmentInfo")
    return RecordingHint(
        machine=text_of(host.get("ProcessorName")), runtime=text_of(host.get("RuntimeVersion"))
    )


def _benchmark(
    source: InputSource, entry: object, number: int, recording: RecordingHint
) -> list[partial[Measurement]]:
    """What would read each launch of a benchmark."""
    fields = mapping(source, entry, f"benchmark number {number + 1}")
    names = (text_of(fields.get(each)) for each in ("Namespace", "Type", "Method"))
    name = ".".join(filter(None, names)) or text_of(fields.get("FullName"))
    where = f"benchmark {name or number + 1}"
    if "Measurements" not in fields:
        expected = "Measurements, with every iteration"
        raise source.problem(where, found="a summary", expected=expected, hint=KEEP)
    launches: dict[object, list[Fields]] = {}
    for at, each in enumerate(entries(source, fields["Measurements"], f"{where}, Measurements")):
        one = mapping(source, each, f"{where}, measurement {at}")
        if _stage(one) in {*WARMUP, *ACTUAL}:
            launches.setdefault(one.get("LaunchIndex"), []).append(one)
    if not launches:
        expected = "iterations of the stages warm-up and actual"
        raise source.problem(f"{where}, Measurements", found="none", expected=expected, hint=KEEP)
    said = {**params.split(text_of(fields.get("Parameters"))), **_job(fields)}
    return [
        partial(_launch, source, name, launch, fork=fork, said=said, recording=recording)
        for fork, launch in enumerate(launches.values())
    ]


def _stage(one: Fields) -> str:
    return f"{text_of(one.get('IterationMode'))}{text_of(one.get('IterationStage'))}"


def _job(fields: Fields) -> dict[str, str]:
    """The job where it is not the default one: a benchmark may have been run under several."""
    _, _, after = text_of(fields.get("DisplayInfo")).partition(": ")
    job = after.partition(" [")[0]
    return {"job": job} if job not in {"", DEFAULT_JOB} else {}


def _launch(
    source: InputSource,
    name: str,
    launch: list[Fields],
    *,
    fork: int,
    said: Mapping[str, str],
    recording: RecordingHint,
) -> Measurement:
    where = f"benchmark {name}, launch {fork}"
    warmups = [each for each in launch if _stage(each) in WARMUP]
    values = [_time(source, each, where) for each in launch]
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params=said,
            fork=fork,
            values=values,
            unit="ns/op",
            settings={"warmup_values": len(warmups)} if warmups else {},
            recording=recording,
            notes=(STAGES,),
            remedy=REMEDY,
        ),
    )


def _time(source: InputSource, one: Fields, where: str) -> float:
    time, count = one.get("Nanoseconds"), one.get("Operations")
    if not is_number(time) or not is_number(count) or count <= 0:  # type: ignore[operator]
        found, at = f"{shown(time)} in {shown(count)}", text_of(one.get("IterationIndex"))
        expected = "Nanoseconds, a finite number, and Operations, one or more"
        raise source.problem(f"{where}, iteration {at}", found=found, expected=expected)
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
)
