"""pytest-benchmark's JSON: the time of one call in every round, else the median of the rounds.

Source: ionelmc/pytest-benchmark: docs/usage.rst, `src/pytest_benchmark/stats.py`. Warm-up rounds
are not in it; a saved file has the rounds only with `--benchmark-save-data`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, is_number, json_excerpt, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.summaries import ONE_FIGURE, commit_label

KEEP: Final = "record with pytest --benchmark-json=FILE, or save with --benchmark-save-data"
REMEDY: Final = "record with pytest --benchmark-min-rounds=3000 --benchmark-warmup=off"
WARMED: Final = "warm-up rounds are not in the file; --benchmark-warmup=off records them as rounds"


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark with its parameters."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        recording = _recording(source, fields)
        yield from source.attempts(
            partial(_series, source, entry, number, recording)
            for number, entry in enumerate(entries(source, fields.get("benchmarks"), "benchmarks"))
        )


def _recording(source: InputSource, fields: Mapping[str, object]) -> RecordingHint:
    machine = mapping(source, fields.get("machine_info") or {}, "machine_info")
    commit = mapping(source, fields.get("commit_info") or {}, "commit_info")
    cpu_fields = cpu if isinstance(cpu := machine.get("cpu"), dict) else {}
    words = (text_of(machine.get(f"python_{field}")) for field in ("implementation", "version"))
    return RecordingHint(
        build=text_of(commit.get("id")),
        measured_at=text_of(fields.get("datetime")),
        machine=text_of(cpu_fields.get("brand_raw") or cpu_fields.get("brand")),
        instance=text_of(machine.get("node")),
        runtime=" ".join(filter(None, words)),
    )


def _series(
    source: InputSource, entry: object, number: int, recording: RecordingHint
) -> Measurement:
    where = f"benchmark number {number + 1}"
    fields = mapping(source, entry, where)
    name = text_of(fields.get("fullname")) or text_of(fields.get("name"))
    if not name:
        raise source.problem(
            f"{where}, name", found=json_excerpt(name), expected="the benchmark's name"
        )
    stats = mapping(source, fields.get("stats"), f"benchmark {name}, stats")
    is_summary = "data" not in stats
    if is_summary and not is_number(stats.get("median")):
        place, expected = f"benchmark {name}, stats", "data, with the time of every round"
        raise source.problem(place, found="no time", expected=expected, hint=KEEP)
    if is_summary:
        label = commit_label(recording.build, recording.measured_at)
        recording = replace(recording, label=label)
    params = fields.get("params") or {}
    options = mapping(source, fields.get("options") or {}, f"benchmark {name}, options")
    return measurement(
        source,
        HarnessSeries(
            benchmark=_name_without_params(name) if params else name,
            params=mapping(source, params, f"benchmark {name}, params"),
            values=array(
                source,
                [stats["median"]] if is_summary else stats["data"],
                f"benchmark {name}, data",
            ),
            unit="s/op",
            recording=recording,
            notes=(
                *((WARMED,) if options.get("warmup") else ()),
                *((ONE_FIGURE,) if is_summary else ()),
            ),
            remedy=KEEP if is_summary else REMEDY,
        ),
    )


def _name_without_params(name: str) -> str:
    """The name without the values of its parameters, which stand in brackets at its end."""
    return name.partition("[")[0] if name.endswith("]") else name


def _recognise(start: FileStart) -> str:
    marks = ('"machine_info"', '"benchmarks"')
    return '"machine_info" found: pytest-benchmark\'s JSON' if start.has(*marks) else ""


READER = FileReader(
    name="pytest-benchmark",
    title="pytest-benchmark JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
