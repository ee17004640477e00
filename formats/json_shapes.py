"""Readers of JSON files whose benchmarks are objects of one shape: one walk for all of them.

A shape says which fields make an object a benchmark, wherever it stands in the document, and where
its values are: those of every iteration if the file has them, else one figure, for the trend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import is_number, json_excerpt, numbers, text_of
from formats.json_text import documents, elements
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint
from formats.reader import FileReader, FileStart, OptionName
from formats.source import InputSource
from formats.summaries import ONE_FIGURE, SORTED, are_sorted, left_out_note, unit_per_operation

Fields = Mapping[str, object]
_MOST_DEEP: Final = 50  # levels of a document that are searched through


def _no_recording(_fields: Fields) -> RecordingHint:
    return NOTHING_SAID


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonShape:
    """Shape of an object that is one benchmark.

    marks      sets of texts in quotes, of which one stands in the beginning of the file
    needs      paths of fields that the object has, such as ``result.latency``
    or_needs   other sets of them, of which one will do
    failed     paths of fields that it has where it failed: it is left out, and named
    values     paths of its values, the first that is there: a list, or one number
    names      paths of its name, the first that is there
    within     fields of it or of an object around it, whose text precedes its name
    unit       of its values, or the path of a field that has it, behind a dot
    remedy     how to record every iteration
    notes      sentences on its series
    sorts      some versions sort the values: then their median is one figure
    lines      the file is a document a line
    recording  what the document says of its recording
    """

    name: str
    title: str
    marks: tuple[tuple[str, ...], ...]
    needs: tuple[str, ...]
    values: tuple[str, ...]
    unit: str
    remedy: str
    or_needs: tuple[tuple[str, ...], ...] = ()
    failed: tuple[str, ...] = ()
    names: tuple[str, ...] = ("name",)
    within: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    endings: tuple[str, ...] = (".json",)
    sorts: bool = False
    lines: bool = False
    scale: Callable[[Fields, object], object] = lambda _fields, values: values
    recording: Callable[[Fields], RecordingHint] = _no_recording
    options: tuple[OptionName, ...] = field(default=("system",))


def field_at(fields: object, path: str) -> object:
    """The field of an object at a path such as ``result.latency``; None where there is none."""
    for name in path.split("."):
        fields = fields.get(name) if isinstance(fields, dict) else None
    return fields


def reader_of_shape(shape: JsonShape) -> FileReader:
    """The reader of all files whose benchmarks have `shape`."""
    return FileReader(
        name=shape.name,
        title=shape.title,
        endings=shape.endings,
        recognise=partial(_recognise, shape),
        read=partial(_read, shape),
        options=shape.options,
        named_values=True,
    )


def _recognise(shape: JsonShape, start: FileStart) -> str:
    for marks in shape.marks:
        if start.has(*(f'"{mark}"' for mark in marks)):
            return f"{' and '.join(f'“{mark}”' for mark in marks)} found: {shape.title}"
    return ""


def _read(shape: JsonShape, source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark; a repeated name is the next fork of the same benchmark."""
    forks: Counter[str] = Counter()
    failures: list[str] = []
    last: Measurement | None = None  # given when all is read: it says what failed
    for name, fields, recording in _file_benchmarks(shape, source):
        if any(field_at(fields, path) is not None for path in shape.failed):
            failures.append(name)
            continue
        make = partial(_series, shape, source, fields, name=name, fork=forks[name])
        forks[name] += 1
        if (series := source.attempt(partial(make, recording=recording))) is not None:
            if last is not None:
                yield last
            last = series
    if last is not None:
        yield replace(last, notes=(*last.notes, *left_out_note("benchmarks that failed", failures)))
    if not forks:
        found_text = "none but benchmarks that failed" if failures else "no benchmark"
        expected = f"objects with {' and '.join(shape.needs)}"
        raise source.problem("the whole file", found=found_text, expected=expected)


def _file_benchmarks(
    shape: JsonShape, source: InputSource
) -> Iterator[tuple[str, Fields, RecordingHint]]:
    """Name and fields of each benchmark of the file, and what its document says of it."""
    for document in documents(source) if shape.lines else elements(source):
        recording = shape.recording(document) if isinstance(document, dict) else NOTHING_SAID
        for names, fields in _benchmarks(shape, document):
            yield " > ".join(names), fields, recording


def _benchmarks(shape: JsonShape, document: object) -> Iterator[tuple[tuple[str, ...], Fields]]:
    """Names and fields of each benchmark in a document, in its order."""
    unvisited: list[tuple[tuple[str, ...], object, int]] = [((), document, 0)]
    while unvisited:
        names, part, depth = unvisited.pop()
        inner_values: list[object] = []
        if isinstance(part, dict):
            outer_name = next(filter(None, (text_of(part.get(word)) for word in shape.within)), "")
            names = (outer_name,) if outer_name else names
            if any(_has_fields(part, paths) for paths in (shape.needs, *shape.or_needs)):
                yield (*names, _name(shape, part)), part
                continue
            inner_values = list(part.values())
        elif isinstance(part, list) and not all(map(is_number, part)):
            inner_values = part
        if depth < _MOST_DEEP:
            nested_values = [value for value in inner_values if isinstance(value, dict | list)]
            unvisited += [(names, value, depth + 1) for value in reversed(nested_values)]


def _has_fields(fields: Fields, paths: Sequence[str]) -> bool:
    return all(field_at(fields, path) is not None for path in paths)


def _name(shape: JsonShape, fields: Fields) -> str:
    names = (text_of(field_at(fields, path)) for path in shape.names)
    return next(filter(None, names), "")


def _series(  # what one benchmark is made of
    shape: JsonShape,
    source: InputSource,
    fields: Fields,
    *,
    name: str,
    fork: int,
    recording: RecordingHint,
) -> Measurement:
    where = f"benchmark {name}"
    if not name:
        found_text = json_excerpt(field_at(fields, shape.names[0]))
        raise source.problem(where, found=found_text, expected="the benchmark's name")
    candidates = ((path, field_at(fields, path)) for path in shape.values)
    path, values = next(
        ((path, values) for path, values in candidates if values not in (None, [])),
        (shape.values[0], []),
    )
    values = shape.scale(fields, values)
    is_figure = not isinstance(values, list)
    notes = (*shape.notes, ONE_FIGURE) if is_figure else shape.notes
    series_values = numbers(
        source, [values] if is_figure else values, f"{where}, {path}", "iteration"
    )
    if shape.sorts and are_sorted(series_values):
        series_values, notes = [median(series_values)], (*notes, SORTED)
    unit = text_of(field_at(fields, shape.unit[1:])) if shape.unit[:1] == "." else shape.unit
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            values=series_values,
            unit=unit_per_operation(unit),
            fork=fork,
            recording=recording,
            notes=notes,
            remedy=shape.remedy,
        ),
    )
