"""Data of ReBench for ReBenchDB: values of every iteration and criterion of each invocation.

Source: smarr/ReBenchDB: `src/shared/api.ts`. A data point has an invocation `in` and measures `m`:
one for each iteration `it` with the number of a criterion `c` and a value `v`, or, in version 2, a
list of values for each criterion. The first versions wrote `run_id` and `var_value`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement, RecordingHint
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "set iterations: 3000 in the configuration of ReBench"
VARIABLES: Final = {  # by name now, and by that in the first versions
    "inputSize": "input_size",
    "varValue": "var_value",
    "cores": "cores",
    "extraArgs": "extra_args",
}

Fields = Mapping[str, object]
Values = dict[tuple[int, int], list[object]]  # by invocation and number of the criterion


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each run, criterion and invocation."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        criteria = _criteria(source, fields)
        recording = _recording(source, fields)
        for index, entry in enumerate(entries(source, fields.get("data"), "data")):
            where = f"data, run {index}"
            run = mapping(source, entry, where)
            values = source.attempt(partial(_values, source, run, where)) or {}
            yield from source.attempts(
                partial(_series, source, run, key, times, criteria=criteria, recording=recording)
                for key, times in values.items()
            )


def _criteria(source: InputSource, fields: Fields) -> dict[int, tuple[str, str]]:
    """Name and unit of each criterion by its number."""
    criteria = {}
    for index, entry in enumerate(entries(source, fields.get("criteria"), "criteria")):
        criterion = mapping(source, entry, f"criteria, {index}")
        number = criterion.get("i")
        number = number if isinstance(number, int) else index
        criteria[number] = (text_of(criterion.get("c")), text_of(criterion.get("u")))
    return criteria


def _recording(source: InputSource, fields: Fields) -> RecordingHint:
    commit = mapping(source, fields.get("source") or {}, "source")
    machine = mapping(source, fields.get("env") or {}, "env")
    return RecordingHint(
        label=text_of(fields.get("experimentName")),
        build=text_of(commit.get("commitId")),
        measured_at=text_of(fields.get("startTime")),
        machine=text_of(machine.get("cpu")),
        instance=text_of(machine.get("hostName")),
    )


def _values(source: InputSource, run: Fields, where: str) -> Values:
    values: Values = {}
    for entry in entries(source, run.get("d"), f"{where}, d"):
        point = mapping(source, entry, f"{where}, d")
        invocation = point.get("in")
        invocation = invocation if isinstance(invocation, int) else 1
        for number, measure_fields in enumerate(entries(source, point.get("m"), f"{where}, m")):
            if isinstance(measure_fields, dict):
                criterion = measure_fields.get("c")
                key = (invocation, criterion if isinstance(criterion, int) else 0)
                values.setdefault(key, []).append(measure_fields.get("v"))
            elif measure_fields is not None:
                listed_values = entries(source, measure_fields, f"{where}, m, criterion {number}")
                values.setdefault((invocation, number), []).extend(listed_values)
    return values


def _series(  # what one series is made of
    source: InputSource,
    run: Fields,
    key: tuple[int, int],
    times: list[object],
    *,
    criteria: Mapping[int, tuple[str, str]],
    recording: RecordingHint,
) -> Measurement:
    invocation, number = key
    criterion, unit = criteria.get(number, (str(number), ""))
    run_id = mapping(source, run.get("runId") or run.get("run_id") or {}, "runId")
    benchmark = mapping(source, run_id.get("benchmark") or {}, "runId, benchmark")
    suite = mapping(source, benchmark.get("suite") or {}, "runId, suite")
    executor = mapping(source, suite.get("executor") or {}, "runId, executor")
    name = text_of(benchmark.get("name")) or text_of(run_id.get("cmdline"))
    params = {
        "suite": text_of(suite.get("name")),
        "executor": text_of(executor.get("name")),
        "criterion": "" if criterion == "total" else criterion,
        **{
            variable: text_of(run_id.get(variable) or run_id.get(first_name))
            for variable, first_name in VARIABLES.items()
        },
    }
    measured_times = [time for time in times if time is not None]
    return measurement(
        source,
        HarnessSeries(
            benchmark=name,
            params={variable_name: text for variable_name, text in params.items() if text},
            fork=max(invocation - 1, 0),
            values=array(source, measured_times, f"benchmark {name}, invocation {invocation}"),
            unit=unit,
            recording=recording,
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    marks = ('"criteria"', '"data"')
    is_data = start.has('"runId"', *marks) or start.has('"run_id"', *marks)
    return '"runId" and "criteria" found: data for ReBenchDB' if is_data else ""


READER = FileReader(
    name="rebench-db",
    title="data for ReBenchDB",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
