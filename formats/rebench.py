"""ReBench's data file: a line for every iteration of every invocation.

Source: smarr/ReBench: `rebench/persistence.py`. Columns are separated by tabs; lines that begin
with # say the environment and each run's command. An invocation is a process.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from formats.checks import A_NUMBER
from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import text_of
from formats.measurement import NOTHING_SAID, Measurement, RecordingHint
from formats.numbers import parse_number
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "set iterations: 3000 in the configuration, and let the harness print each of them"
HEADER: Final[tuple[str, ...]] = (
    "invocation",
    "iteration",
    "value",
    "unit",
    "criterion",
    "benchmark",
)
IDENTITY: Final = ("invocation", "benchmark", "unit")
VARIABLES: Final = (
    *("criterion", "executor", "suite", "extraArgs"),
    *("cores", "inputSize", "varValue", "tag", "machine"),
)
MOST_DIGITS: Final = 9  # of an iteration's number
TOTAL: Final = "total"  # the criterion of whole iterations

Row = Mapping[str, str]


@dataclass(slots=True)
class _Invocation:
    """One process's values of one criterion; the first row says the rest."""

    row: Row
    recording: RecordingHint
    values: list[float] = field(default_factory=list)
    last: int = 0


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each benchmark, variables, criterion and invocation."""
    invocations: dict[tuple[str, ...], _Invocation] = {}
    recording, columns = NOTHING_SAID, HEADER
    for line_number, line in enumerate(source.lines(), start=1):
        text = line.rstrip("\r\n")
        if text.startswith("#"):
            recording = _add_head_line(text, recording)
        elif text.startswith("\t".join(HEADER)):
            columns = tuple(text.split("\t"))
        elif text:
            row = dict(zip(columns, text.split("\t"), strict=False))
            key = tuple(row.get(column, "") for column in (*IDENTITY, *VARIABLES))
            _add(source, invocations.setdefault(key, _Invocation(row, recording)), row, line_number)
    if not invocations:
        raise source.problem("the whole file", found="no values", expected="a line an iteration")
    forks: Counter[tuple[str, ...]] = Counter()
    for (_, *same_runs), invocation in invocations.items():
        fork, forks[tuple(same_runs)] = forks[tuple(same_runs)], forks[tuple(same_runs)] + 1
        if (series := source.attempt(partial(_series, source, invocation, fork))) is not None:
            yield series


def _add_head_line(line: str, recording: RecordingHint) -> RecordingHint:
    """Add what a line of the head says: when this execution started, where, and of which commit."""
    word, _, text = line.removeprefix("#").strip().partition(": ")
    if word == "Execution Start":
        return RecordingHint(measured_at=text)
    if word not in {"Environment", "Source"}:
        return recording
    try:
        fields = json.loads(text)
    except ValueError:  # a head that somebody edited says nothing
        return recording
    build = text_of(fields.get("commitId")) or recording.build
    machine = text_of(fields.get("cpu")) or recording.machine
    instance = text_of(fields.get("hostName")) or recording.instance
    return replace(recording, build=build, machine=machine, instance=instance)


def _add(source: InputSource, invocation: _Invocation, row: Row, line_number: int) -> None:
    value, iteration = parse_number(row.get("value", ""), "."), row.get("iteration", "")
    if value is None:
        actual = repr(row.get("value", "")[:40])
        raise source.problem(f"line {line_number}, value", found=actual, expected=A_NUMBER)
    if (
        not iteration.isdecimal()
        or len(iteration) > MOST_DIGITS
        or int(iteration) <= invocation.last
    ):
        expected = f"a number greater than {invocation.last}, the iteration before"
        raise source.problem(
            f"line {line_number}, iteration", found=repr(iteration[:40]), expected=expected
        )
    invocation.values.append(value)
    invocation.last = int(iteration)


def _series(source: InputSource, invocation: _Invocation, fork: int) -> Measurement:
    row = invocation.row
    variables = {name: row[name] for name in VARIABLES if row.get(name)}
    if row.get("criterion") == TOTAL:
        variables.pop("criterion")
    return measurement(
        source,
        HarnessSeries(
            benchmark=row.get("benchmark", ""),
            params=variables,
            fork=fork,
            values=invocation.values,
            unit=row.get("unit", ""),
            recording=invocation.recording,
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    lines = start.text.splitlines()
    if any(line.startswith("\t".join(HEADER)) for line in lines[:1000]):
        return "columns invocation, iteration, value, unit, criterion: data of ReBench"
    return ""


READER = FileReader(
    name="rebench",
    title="data of ReBench",
    endings=(".data", ".tsv", ".txt"),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
