"""Results of asv (airspeed velocity): samples of every benchmark of time, else its median.

Source: airspeed-velocity/asv: `asv/results.py`, docs/source/dev.rst. In version 2 a row holds what
`result_columns` name, the last ones left out where nothing is known; lists have an entry for each
combination of parameters, the last parameter running fastest. In version 1 a row is the result, or
an object. Samples are there only where they were asked for, and those of several processes (rounds)
stand one after the other. A result is nothing where a benchmark failed, NaN where it was skipped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, is_number, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE, commit_label

KEEP: Final = "record with asv run --record-samples --attribute rounds=1"
REMEDY: Final = f"{KEEP} --attribute repeat=3000 --attribute warmup_time=0"
ROUNDS: Final = "samples of several processes (rounds) are not told apart: --attribute rounds=1"
UNITS: Final = {"time": "s/op", "timeraw": "s/op", "mem": "bytes", "peakmem": "bytes"}

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark and combination of parameters that has samples.

    In a file without samples, for each that has a result: its only value.
    """
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        columns = [
            text_of(column)
            for column in entries(source, fields.get("result_columns") or [], "result_columns")
        ]
        cells_by_name = {
            name: _cells(source, name, row, columns)
            for name, row in mapping(source, fields.get("results"), "results").items()
        }
        recording, has_result = _recording(source, fields), False
        has_samples = any(cells["samples"] for cells in cells_by_name.values())
        for name, cells in cells_by_name.items():
            makers = list(_combinations(source, name, cells, recording, is_summary=not has_samples))
            has_result = has_result or bool(makers)
            yield from source.attempts(makers)
        if not has_result:
            expected = "the result of a benchmark"
            raise source.problem("results", found="none: all failed", expected=expected, hint=KEEP)


def _cells(source: InputSource, name: str, row: object, columns: list[str]) -> Fields:
    """Row of a benchmark by column, in the layout of version 2."""
    where = f"benchmark {name}"
    if isinstance(row, dict):
        cells = row
    elif row is None or is_number(row):
        cells = {"result": row}
    else:
        cells = dict(zip(columns, entries(source, row, where), strict=False))
    result, samples = cells.get("result"), cells.get("samples")
    return {
        "params": cells.get("params"),
        "result": result if isinstance(result, list) else [result],
        "samples": [samples]
        if isinstance(samples, list) and any(map(is_number, samples))
        else samples,
    }


def _recording(source: InputSource, fields: Fields) -> RecordingHint:
    machine = mapping(source, fields.get("params") or {}, "params")
    date, commit = fields.get("date"), text_of(fields.get("commit_hash"))
    environment = text_of(fields.get("env_name")) or _environment(source, fields)
    machine_name = text_of(machine.get("machine"))
    return RecordingHint(
        label=commit_label(commit, machine_name, environment),
        build=commit,
        measured_at=time_stamp(date) if isinstance(date, int | float) else "",
        machine=text_of(machine.get("cpu")),
        instance=machine_name,
        runtime=environment,
    )


def _environment(source: InputSource, fields: Fields) -> str:
    """Name of the environment as asv builds it, where version 1 leaves it out."""
    requirements = mapping(source, fields.get("requirements") or {}, "requirements")
    python = text_of(fields.get("python"))
    words = (f"{name}{text_of(version)}" for name, version in sorted(requirements.items()))
    return "-".join([f"py{python}", *words]) if python else ""


def _combinations(
    source: InputSource, name: str, cells: Fields, recording: RecordingHint, *, is_summary: bool
) -> Iterator[partial[Measurement]]:
    """Make a reader for each series of a benchmark; combinations that failed have none."""
    param_lists = entries(source, cells.get("params") or [], f"benchmark {name}, params")
    param_choices = [
        entries(source, param_values, f"benchmark {name}, params") for param_values in param_lists
    ]
    samples = entries(source, cells.get("samples") or [], f"benchmark {name}, samples")
    results = entries(source, cells.get("result"), f"benchmark {name}, result")
    count = max(len(samples), len(results))
    for index, combination in zip(range(count), product(*param_choices), strict=False):
        times = samples[index] if index < len(samples) else None
        result = results[index] if index < len(results) else None
        numbered_names = tuple(f"param{number}" for number in range(1, len(combination) + 1))
        names = source.options.param_names.get(name, ())
        names = names if len(set(names)) == len(combination) else numbered_names
        params = dict(zip(names, map(text_of, combination), strict=True))
        make_series = partial(_series, source, name, params, recording=recording)
        if times:
            yield partial(make_series, times, note=ROUNDS)
        elif is_summary and is_number(result) and not math.isnan(result):  # type: ignore[arg-type]
            yield partial(make_series, [result], note=ONE_FIGURE)


def _series(
    source: InputSource,
    name: str,
    params: Mapping[str, str],
    times: object,
    *,
    recording: RecordingHint,
    note: str,
) -> Measurement:
    measure_kind = name.rpartition(".")[2].partition("_")[0].lower()
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params=params,
            values=array(source, times, f"benchmark {name}, samples"),
            unit=UNITS.get(measure_kind, "") if note == ONE_FIGURE else "s/op",
            recording=recording,
            notes=(note,),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    if start.has('"result_columns"', '"results"'):
        return '"result_columns" found: results of asv'
    is_first_version = start.has('"commit_hash"', '"requirements"', '"results"')
    return '"commit_hash" and "requirements" found: results of asv' if is_first_version else ""


READER = FileReader(
    name="asv",
    title="asv results",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
