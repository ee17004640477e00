"""JMH's JSON: `rawData`, or the (value, count) pairs of `rawDataHistogram`.

The file holds measurement iterations only; what the configured warm-up was is kept in
`settings` and said in a note. Secondary metrics (profilers) are not read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import cast

import numpy as np

from formats.checks import check_count, check_values, read_only_values
from formats.errors import FormatError
from formats.iterations import ONE_OPERATION_EACH, SINGLE_SHOT, Conditions, measured_length
from formats.jmh_names import ModeNames, place, series_label
from formats.jmh_notes import warmup_note
from formats.json_fields import array, is_number, json_excerpt, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RawSamples, RecordingHint, Setting, Values
from formats.params import canonical
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.units import Unit, seconds, storage_unit

NO_TIME = "single-shot"
_INTEGER_SETTINGS = {
    "warmupIterations": "warmup_iterations",
    "measurementIterations": "measurement_iterations",
    "warmupBatchSize": "warmup_batch_size",
    "measurementBatchSize": "measurement_batch_size",
    "forks": "forks",
    "threads": "threads",
}
_TEXT_SETTINGS = {
    "jmhVersion": "jmh_version",
    "jdkVersion": "jdk_version",
    "jvm": "jvm",
    "vmName": "vm_name",
    "vmVersion": "vm_version",
}
_RECORDING_FIELDS = {
    "label": "label",
    "build": "build",
    "measuredAt": "measured_at",
    "machine": "machine",
    "instance": "instance",
    "runtime": "runtime",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One entry of the file: a benchmark with its parameters, in one mode."""

    source: InputSource
    benchmark: str
    params: str
    mode: str
    unit: Unit
    settings: Mapping[str, Setting]
    recording: RecordingHint
    notes: tuple[str, ...]

    def place(self, fork: int | None = None) -> str:
        return place(self.benchmark, self.params, fork)

    def problem(self, where: str, *, found: str, expected: str) -> FormatError:
        return self.source.problem(where, found=found, expected=expected)


def read(source: InputSource) -> Iterator[Measurement]:
    """Every fork of every benchmark in the file, in the file's order."""
    names = ModeNames()
    number = -1
    for number, entry in enumerate(elements(source)):
        forks = source.attempt(partial(_forks, source, entry, number, names))
        yield from source.attempts(forks or ())
    if number < 0:
        raise source.problem("list of benchmarks", found="no benchmark", expected="at least one")


def _forks(
    source: InputSource, entry: object, number: int, names: ModeNames
) -> list[partial[Measurement]]:
    """Make a reader for each fork of an entry; raises where the entry itself is wrong."""
    fields = mapping(source, entry, f"benchmark number {number + 1}")
    metric = mapping(
        source, fields.get("primaryMetric"), f"benchmark number {number + 1}, primaryMetric"
    )
    run = _run(source, fields, metric, number, names)
    histogram = metric.get("rawDataHistogram")
    make = _measurement_from_histogram if histogram else _measurement_from_values
    data = histogram or metric.get("rawData")
    if not isinstance(data, list) or not data:
        raise run.problem(
            run.place(),
            found="no rawData" if data is None else json_excerpt(data),
            expected="rawData or rawDataHistogram, a list a fork",
        )
    if len(data) > source.options.limits.series:
        raise source.limit_error(run.place(), "series", found=f"{len(data):,} forks")
    return [partial(make, run, fork, values) for fork, values in enumerate(data)]


def _run(
    source: InputSource,
    fields: Mapping[str, object],
    metric: Mapping[str, object],
    number: int,
    names: ModeNames,
) -> _Run:
    benchmark = fields.get("benchmark")
    if not isinstance(benchmark, str) or not benchmark.strip():
        where = f"benchmark number {number + 1}, benchmark"
        raise source.problem(where, found=json_excerpt(benchmark), expected="the benchmark's name")
    where = f"benchmark {benchmark}, params"
    params = canonical(_params(source, fields.get("params") or {}, where))
    mode = text_of(fields.get("mode"))
    settings = _settings(source, fields, mode, f"benchmark {benchmark}")
    return _Run(
        source=source,
        benchmark=names.name(benchmark, params, mode),
        params=params,
        mode=mode,
        unit=storage_unit(text_of(metric.get("scoreUnit")) or source.options.unit),
        settings=settings,
        recording=_recording(fields),
        notes=warmup_note(benchmark, params, mode, settings),
    )


def _params(source: InputSource, value: object, where: str) -> Mapping[str, object]:
    params = mapping(source, value, where)
    for name, param in params.items():
        if isinstance(param, list | dict):
            expected = "text, a number or true or false"
            raise source.problem(
                f"{where}, {name[:40]}", found=json_excerpt(param), expected=expected
            )
    return params


def _settings(
    source: InputSource, fields: Mapping[str, object], mode: str, where: str
) -> dict[str, Setting]:
    settings: dict[str, Setting] = {
        setting: _parse_whole_number(source, fields[jmh_name], f"{where}, {jmh_name}")
        for jmh_name, setting in _INTEGER_SETTINGS.items()
        if not isinstance(fields.get(jmh_name), bool | None)
    }
    settings |= {
        setting: word
        for jmh_name, setting in _TEXT_SETTINGS.items()
        if (word := text_of(fields.get(jmh_name)))
    }
    for kind in ("warmup", "measurement"):
        if (length := seconds(text_of(fields.get(f"{kind}Time")))) is not None:
            settings[f"{kind}_seconds"] = length
    if isinstance(arguments := fields.get("jvmArgs"), list):
        settings["jvm_args"] = " ".join(map(text_of, arguments))
    if mode != SINGLE_SHOT:
        settings |= _length_of_iterations(fields, settings)
    return {name: value for name, value in settings.items() if _is_set(value)}


def _parse_whole_number(source: InputSource, value: object, where: str) -> int:
    """A number of the configuration, which other programs may have written as 5.0 or "5"."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise source.problem(where, found=json_excerpt(value), expected="a whole number")


def _length_of_iterations(fields: Mapping[str, object], settings: Conditions) -> Conditions:
    """A time of `single-shot` is JMH's word for none: an iteration is one operation."""
    if "measurement_seconds" in settings:
        return {"seconds_per_iteration": settings["measurement_seconds"]}
    return ONE_OPERATION_EACH if fields.get("measurementTime") == NO_TIME else {}


def _is_set(value: Setting) -> bool:
    """JMH writes -1 for what was not set; a number beyond its own range is none of its."""
    return not isinstance(value, int) or 0 <= value < 2**31


def _recording(fields: Mapping[str, object]) -> RecordingHint:
    """Plateau's recorder adds a `recording` object; plain JMH says what the runtime was."""
    runtime = " ".join(
        word for key in ("vmName", "vmVersion") if (word := text_of(fields.get(key)))
    )
    hint_texts = {"runtime": runtime}
    if isinstance(recorder_fields := fields.get("recording"), dict):
        hint_texts |= {
            setting: word
            for key, setting in _RECORDING_FIELDS.items()
            if (word := text_of(recorder_fields.get(key)))
        }
    return RecordingHint(**hint_texts)


def _measurement_from_values(run: _Run, fork: int, data: object) -> Measurement:
    values = array(run.source, data, run.place(fork))
    check_count(run.source, run.place(fork), values.size)
    return _measurement(run, fork, run.unit.convert_all(values), None)


def _measurement_from_histogram(run: _Run, fork: int, data: object) -> Measurement:
    """The mean of each iteration's values; the pairs themselves are kept beside it."""
    if not isinstance(data, list):
        raise run.problem(run.place(fork), found=json_excerpt(data), expected="a list an iteration")
    check_count(run.source, run.place(fork), len(data))
    pairs = [_pairs(run, fork, index, iteration) for index, iteration in enumerate(data)]
    offsets = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    flat_pairs = np.array(list(chain.from_iterable(pairs)), dtype=np.float64).reshape(-1, 2)
    values, counts = run.unit.convert_all(flat_pairs[:, 0]), flat_pairs[:, 1].astype(np.int64)
    starts = offsets[:-1]
    totals = np.add.reduceat(counts, starts)
    means = np.add.reduceat(values * counts, starts) / totals
    return _measurement(run, fork, means, RawSamples(read_only_values(values), counts, offsets))


def _pairs(run: _Run, fork: int, index: int, data: object) -> list[list[float]]:
    """One iteration's (value, count) pairs, at least one."""
    where = f"{run.place(fork)}, iteration {index}"
    if not isinstance(data, list) or not data:
        actual = "no pair" if data == [] else json_excerpt(data)
        raise run.problem(where, found=actual, expected="a list of [value, count] pairs")
    for pair in data:
        if not _is_pair(pair):
            actual = json_excerpt(pair)
            raise run.problem(where, found=actual, expected="[value, count] with a count above 0")
    return cast("list[list[float]]", data)


def _is_pair(pair: object) -> bool:
    if not isinstance(pair, list) or len(pair) != 2 or not all(map(is_number, pair)):
        return False
    value, count = pair
    return math.isfinite(value) and 0 < count < 2**53 and float(count).is_integer()


def _measurement(run: _Run, fork: int, values: Values, samples: RawSamples | None) -> Measurement:
    where = run.place(fork)
    check_values(run.source, values, run.unit, lambda index: f"{where}, iteration {index}")
    measurement = Measurement(
        benchmark=run.benchmark,
        system=run.source.options.system,
        params=run.params,
        fork=fork,
        values=read_only_values(values),
        label=series_label(run.benchmark, run.params, fork),
        unit=run.unit.name,
        mode=run.mode,
        settings=run.settings,
        samples=samples,
        recording=run.recording,
        notes=run.notes,
    )
    length_settings = measured_length(measurement)
    return (
        replace(measurement, settings={**run.settings, **length_settings})
        if length_settings
        else measurement
    )


def _recognise(start: FileStart) -> str:
    for word in ("primaryMetric", "jmhVersion"):
        if f'"{word}"' in start.json:
            return f'"{word}" found: JMH JSON'
    has_both_fields = '"benchmark"' in start.json and '"mode"' in start.json
    return '"benchmark" and "mode" found: JMH JSON' if has_both_fields else ""


READER = FileReader(
    name="jmh",
    title="JMH JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("unit", "system"),
    named_values=True,
)
