"""Krun's results: the wall-clock time of every in-process iteration of every process execution.

Source: softdevteam/krun: `krun/results.py`, `krun/scheduler.py`. A key is benchmark, virtual
machine and variant; executions that crashed are empty lists. Krun packs its file with bzip2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, mapping
from formats.json_text import elements
from formats.measurement import Measurement
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "set iterations to 3000 in the configuration of Krun"
TIMES: Final = "wallclock_times"
CRASHED: Final = "process executions without a time crashed, and are no series"


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each process execution that has times."""
    for document in elements(source):
        fields = mapping(source, document, "the whole file")
        has_times = False
        for key, listed_executions in mapping(source, fields.get(TIMES), TIMES).items():
            executions = entries(source, listed_executions, f"{TIMES}, {key}")
            make_measurements = [
                partial(_series, source, key, fork, times, has_crashed=[] in executions)
                for fork, times in enumerate(executions)
                if times
            ]
            has_times = has_times or bool(make_measurements)
            yield from source.attempts(make_measurements)
        if not has_times:
            raise source.problem(TIMES, found="no time", expected="times of an execution")


def _series(
    source: InputSource, key: str, fork: int, times: object, *, has_crashed: bool
) -> Measurement:
    benchmark, *qualifiers = key.split(":")
    return measurement(
        source,
        HarnessSeries(
            benchmark=benchmark,
            params=dict(zip(("vm", "variant"), qualifiers, strict=False)),
            fork=fork,
            values=array(source, times, f"{TIMES}, {key}, execution {fork}"),
            unit="s/op",
            notes=(CRASHED,) if has_crashed else (),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    return f'"{TIMES}" found: results of Krun' if start.has(f'"{TIMES}"') else ""


READER = FileReader(
    name="krun",
    title="Krun JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
)
