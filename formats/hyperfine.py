"""hyperfine's `--export-json`: the time of every run of every command.

Source: sharkdp/hyperfine: doc/README and `src/export/json.rs`. Runs of `--warmup` are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from formats.harness_series import HarnessSeries, measurement
from formats.json_fields import array, entries, json_excerpt, mapping, text_of
from formats.json_text import elements
from formats.measurement import Measurement
from formats.reader import FileReader, FileStart
from formats.source import InputSource

REMEDY: Final = "record with hyperfine --warmup 0 --runs 3000 --export-json FILE COMMAND"
NO_WARM_UP: Final = "runs of hyperfine's --warmup are in no export; --warmup 0 records them as runs"


def read(source: InputSource) -> Iterator[Measurement]:
    """A series for each command with its parameters."""
    for document in elements(source):
        results = mapping(source, document, "the whole file").get("results")
        yield from source.attempts(
            partial(_series, source, entry, number)
            for number, entry in enumerate(entries(source, results, "results"))
        )


def _series(source: InputSource, entry: object, number: int) -> Measurement:
    where = f"result number {number + 1}"
    fields = mapping(source, entry, where)
    command = text_of(fields.get("command"))
    if not command:
        raise source.problem(
            where, found=json_excerpt(fields.get("command")), expected="the command"
        )
    return measurement(
        source,
        HarnessSeries(
            benchmark=command,
            params=mapping(source, fields.get("parameters") or {}, f"{where}, parameters"),
            values=array(source, fields.get("times"), f"{where}, times"),
            unit="s",
            notes=(NO_WARM_UP,),
            remedy=REMEDY,
        ),
    )


def _recognise(start: FileStart) -> str:
    marks = ('"results"', '"command"', '"times"')
    return "a command with its times: hyperfine's JSON" if start.has(*marks) else ""


READER = FileReader(
    name="hyperfine",
    title="hyperfine JSON",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("system",),
    named_values=True,
    harness="hyperfine",
)
