"""BenchmarkTools.jl's JSON: the time of every sample of a trial, else its estimate.

Source: JuliaCI/BenchmarkTools.jl: `src/serialization.jl`, `src/trials.jl`. A value is a pair of
type and fields; before version 1.0 the type begins with ``BenchmarkTools.``. Where a program wrote
the groups itself (``JSON.print``), they are objects with `data`. Times are nanoseconds. Some
versions sort the times of a trial: what was measured first is not known then.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import is_number, json_excerpt, mapping, numbers
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE, SORTED, are_sorted

REMEDY: Final = "record with run(suite, evals=1, samples=3000), and save trials, not their median"
_PREFIX: Final = "BenchmarkTools."
_MOST_DEEP: Final = 50

Path = tuple[str, ...]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each trial or estimate, named by the groups that it is in."""
    recording, has_trial = RecordingHint(), False
    for document in elements(source):
        if isinstance(document, dict) and "Julia" in document:
            version = document["Julia"]
            recording = RecordingHint(runtime=f"Julia {version}" if version else "")
            continue
        for path, kind, fields in _values(source, document):
            has_trial = True
            make = partial(_series, source, path, kind, fields)
            if (series := source.attempt(partial(make, recording=recording))) is not None:
                yield series
    if not has_trial:
        found_text, expected = "parameters of benchmarks, and no trial", "the times of a Trial"
        hint = "save what run(suite, evals=1) returns"
        raise source.problem("the whole file", found=found_text, expected=expected, hint=hint)


def _values(source: InputSource, document: object) -> Iterator[tuple[Path, str, object]]:
    """Path, type and fields of each trial and estimate, in the order of the file."""
    unvisited: list[tuple[Path, object]] = [((), document)]
    while unvisited:
        path, inner_document = unvisited.pop()
        if isinstance(inner_document, dict):
            if kind := _kind_of_object(inner_document):
                yield path, kind, inner_document
            elif len(path) < _MOST_DEEP:
                unvisited += _group_members(path, inner_document)
            continue
        pair = inner_document if isinstance(inner_document, list) else []
        kind = pair[0].removeprefix(_PREFIX) if pair and isinstance(pair[0], str) else ""
        if kind in {"Trial", "TrialEstimate"} and len(pair) == 2:
            yield path, kind, pair[1]
        elif kind == "BenchmarkGroup" and len(pair) == 2 and len(path) < _MOST_DEEP:
            group = mapping(
                source, mapping(source, pair[1], f"group {'/'.join(path)}").get("data"), "data"
            )
            unvisited += [((*path, name), value) for name, value in reversed(list(group.items()))]
        elif not kind and len(path) < _MOST_DEEP:
            unvisited += [(path, value) for value in reversed(pair)]


def _kind_of_object(fields: dict[str, object]) -> str:
    """Type of an object that is no pair; empty for a group."""
    if isinstance(fields.get("times"), list) and "gctimes" in fields:
        return "Trial"
    return "TrialEstimate" if "time" in fields and "gctime" in fields else ""


def _group_members(path: Path, group: dict[str, object]) -> list[tuple[Path, object]]:
    """Members of a group by their names; whatever stands around a group adds none."""
    data = group.get("data")
    if isinstance(data, dict):
        return [((*path, name), value) for name, value in reversed(list(data.items()))]
    return [(path, value) for value in reversed(list(group.values()))]


def _series(
    source: InputSource, path: Path, kind: str, data: object, *, recording: RecordingHint
) -> Measurement:
    name = "/".join(path) or source.options.benchmark or source.stem
    where = f"benchmark {name}"
    fields = mapping(source, data, where)
    if kind == "Trial":
        values = numbers(source, fields.get("times"), f"{where}, times", "sample")
    elif is_number(fields.get("time")):
        values = [float(fields["time"])]  # type: ignore[arg-type]
    else:
        found_text = json_excerpt(fields.get("time"))
        raise source.problem(f"{where}, time", found=found_text, expected="a finite number")
    is_sorted = are_sorted(values)
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=[median(values)] if is_sorted else values,
            unit="ns/op",
            recording=recording,
            notes=(SORTED,) if is_sorted else (ONE_FIGURE,) if kind != "Trial" else (),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    if start.has('"Julia"', '"BenchmarkTools"'):
        return '"BenchmarkTools" found: JSON of BenchmarkTools.jl'
    if start.has('"data"', '"time_tolerance"', '"gctrial"'):
        return '"gctrial" found: JSON of BenchmarkTools.jl'
    return ""


READER = FileReader(
    name="benchmark-tools-jl",
    title="BenchmarkTools.jl JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system", "benchmark"),
    named_values=True,
)
