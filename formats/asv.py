"""Results of asv (airspeed velocity): the samples of every benchmark of time.

Source: airspeed-velocity/asv: `asv/results.py`, docs/source/dev.rst. A row holds what
`result_columns` name, the last ones left out where nothing is known; lists have an entry for each
combination of parameters, the last parameter running fastest. Samples are there only where they
were asked for, and those of several processes (rounds) stand one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.occasions import time_stamp
from formats.reader import FileReader, FileStart
from formats.source import InputSource

KEEP: Final = "record with asv run --record-samples --attribute rounds=1"
REMEDY: Final = f"{KEEP} --attribute repeat=3000 --attribute warmup_time=0"
ROUNDS: Final = "samples of several processes (rounds) are not told apart: --attribute rounds=1"

Fields = Mapping[str, object]


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark and combination of parameters that has samples."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        columns = [
            text_of(column)
            for column in entries(source, fields.get("result_columns"), "result_columns")
        ]
        recording, sampled = _recording(source, fields), False
        for name, row in mapping(source, fields.get("results"), "results").items():
            cells = dict(zip(columns, entries(source, row, f"benchmark {name}"), strict=False))
            makes = list(_combinations(source, name, cells, recording))
            sampled = sampled or bool(makes)
            yield from source.attempts(makes)
        if not sampled:
            expected = "samples of a benchmark of time"
            raise source.problem("results", found="summaries", expected=expected, hint=KEEP)


def _recording(source: InputSource, fields: Fields) -> RecordingHint:
    machine = mapping(source, fields.get("params") or {}, "params")
    date = fields.get("date")
    when = time_stamp(date) if isinstance(date, int | float) else ""
    return RecordingHint(
        build=text_of(fields.get("commit_hash")),
        measured_at=when,
        machine=text_of(machine.get("machine")),
        runtime=text_of(fields.get("env_name")),
    )


def _combinations(
    source: InputSource, name: str, cells: Fields, recording: RecordingHint
) -> Iterator[partial[Measurement]]:
    """Make a reader for each series of a benchmark; combinations that failed have no samples."""
    param_lists = entries(source, cells.get("params") or [], f"benchmark {name}, params")
    values = [
        entries(source, param_values, f"benchmark {name}, params") for param_values in param_lists
    ]
    samples = entries(source, cells.get("samples") or [], f"benchmark {name}, samples")
    for combination, times in zip(product(*values), samples, strict=False):
        if times:
            params = {
                f"param{number}": text_of(value)
                for number, value in enumerate(combination, start=1)
            }
            yield partial(_series, source, name, params, times, recording)


def _series(
    source: InputSource,
    name: str,
    params: Mapping[str, str],
    times: object,
    recording: RecordingHint,
) -> Measurement:
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params=params,
            values=array(source, times, f"benchmark {name}, samples"),
            unit="s/op",
            recording=recording,
            notes=(ROUNDS,),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    marks = ('"result_columns"', '"results"')
    return '"result_columns" found: results of asv' if start.has(*marks) else ""


READER = FileReader(
    name="asv",
    title="asv results",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
