"""Judges series for a web process: `python -m analysis.harness.judging_process`.

A question names the judge and, for each of some series, what it is judged by; then come their
values. The answer is one line. Django is not loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO, Final

import numpy as np

from analysis.harness.judging import AskedSeries, judged, told
from detectors.contract import Context, Values, as_series
from detectors.registry import from_key
from formats.child_process import Question, Say, serve
from formats.iterations import IterationLength

MEMORY: Final = 6 * 2**30  # bytes of address space, a good part of which libraries only reserve


def main() -> int:
    return serve(respond, memory=MEMORY)


def respond(asked: Question, inbox: BinaryIO, say: Say) -> None:
    judge = from_key(asked["judge"])
    every = [_series(each, inbox) for each in asked["series"]]
    say([told(judged(each, judge)) for each in every])


def question(judge: str, series: list[AskedSeries]) -> tuple[Question, bytes]:
    """What `respond` is asked, and the bytes that follow."""
    said = [
        {
            "n": each.values.size,
            "unit": each.unit,
            "length": each.length and _fields(each.length),
            "start": each.start,
            "context": _fields(each.context) | {"settings": dict(each.context.settings)},
        }
        for each in series
    ]
    data = b"".join(each.values.astype("<f8", copy=False).tobytes() for each in series)
    return {"judge": judge, "series": said}, data


def _fields(one: Context | IterationLength) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


def _series(said: Mapping[str, Any], inbox: BinaryIO) -> AskedSeries:
    values: Values = as_series(np.frombuffer(inbox.read(8 * said["n"]), "<f8"))
    length = IterationLength(**said["length"]) if said["length"] else None
    return AskedSeries(values, Context(**said["context"]), said["unit"], length, said["start"])


if __name__ == "__main__":
    raise SystemExit(main())
