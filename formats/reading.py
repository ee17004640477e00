"""Reading any file: look at its first bytes, then let the reader of that format yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias

from formats.checks import INDICES, looks_like_indices
from formats.errors import FormatError
from formats.iterations import add_iteration_setting, stated_settings
from formats.measurement import Measurement
from formats.names import first_flaw, text_weight
from formats.options import Format, ReadOptions
from formats.paths import stem
from formats.registry import reader_of
from formats.sniff import sniff
from formats.source import InputSource, open_source

OnProblem: TypeAlias = Callable[[FormatError], None]


def read_series_of_file(
    stream: BinaryIO,
    name: str,
    *,
    format: Format = "auto",
    options: ReadOptions | None = None,
    on_problem: OnProblem | None = None,
) -> Iterator[Measurement]:
    """The series in a file, one after the other, as they are read.

    `stream` is read from where it stands, and not closed. `name` is the file's name: it names
    series where the file does not, and stands in errors.
    Raises `FormatError` at the first problem. With `on_problem`, a problem of one series is
    handed to it, that series is left out and reading goes on; a file that cannot be read at all,
    or passes a limit, raises in any case.
    """
    source = open_measurements(stream, name, options, on_problem)
    auto = format == "auto"
    format_name = sniff(source.head(), name, source.options).format if auto else format
    yield from accepted_measurements(source, format_name)


def open_measurements(
    stream: BinaryIO, name: str, options: ReadOptions | None, on_problem: OnProblem | None
) -> InputSource:
    """`stream` ready for any reader: too big a file is refused before any of it is read."""
    return open_source(stream, name, options or ReadOptions(), on_problem, stem(name))


def accepted_measurements(source: InputSource, format: Format) -> Iterator[Measurement]:
    """The series that the reader of `format` finds in an open source, checked together."""
    reader = reader_of(format)
    measurements = reader.read(source)
    if reader.harness:
        measurements = map(partial(_with_harness, reader.harness), measurements)
    return _accept(source, measurements if reader.named_values else map(_with_note, measurements))


def read_path(
    path: Path, *, format: Format = "auto", options: ReadOptions | None = None
) -> Iterator[Measurement]:
    """The series in the file at `path`, which is open while they are read."""
    with path.open("rb") as stream:
        yield from read_series_of_file(stream, path.name, format=format, options=options)


def _with_harness(harness: str, measurement: Measurement) -> Measurement:
    return replace(measurement, settings={**measurement.settings, "harness": harness})


def _with_note(measurement: Measurement) -> Measurement:
    if not looks_like_indices(measurement.values):
        return measurement
    return replace(measurement, notes=(*measurement.notes, INDICES))


def _accept(source: InputSource, measurements: Iterator[Measurement]) -> Iterator[Measurement]:
    """The measurements within the limits, none of which the file holds twice."""
    limits = source.options.limits
    iteration_settings, better = stated_settings(source.options.iteration), source.options.better
    accepted_keys: set[tuple[str, ...]] = set()
    value_count = character_count = 0
    for measurement in measurements:
        value_count += measurement.values.size
        character_count += text_weight(measurement)
        if character_count > limits.text:
            raise source.limit_error(
                f"series {measurement.label[:200]}", "text", found="more names and settings"
            )
        if len(accepted_keys) >= limits.series:
            raise source.limit_error(f"series {measurement.label}", "series", found="more series")
        if value_count > limits.points:
            raise source.limit_error(f"series {measurement.label}", "points", found="more values")
        if unstorable_error := _unstorable_name_error(source, measurement):
            source.report(unstorable_error)
            continue
        key = (
            measurement.recording.label,
            measurement.system,
            measurement.benchmark,
            measurement.params,
            str(measurement.fork),
        )
        if key in accepted_keys:
            source.report(_duplicate_error(source, measurement))
            continue
        accepted_keys.add(key)
        completed_measurement = add_iteration_setting(measurement, iteration_settings)
        yield (replace(completed_measurement, better=better) if better else completed_measurement)


def _unstorable_name_error(source: InputSource, measurement: Measurement) -> FormatError | None:
    if (wrong_name := first_flaw(measurement)) is None:
        return None
    name, flaw = wrong_name
    where = f"series {measurement.label[:200]}, {name}"
    return source.problem(where, found=flaw.found, expected=flaw.expected)


def _duplicate_error(source: InputSource, measurement: Measurement) -> FormatError:
    return source.problem(
        f"series {measurement.label}",
        found=f"fork {measurement.fork} of benchmark {measurement.benchmark} a second time",
        expected="every benchmark, parameters and fork once",
        hint="runs on another occasion belong in another file",
    )
