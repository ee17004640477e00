"""Judges series for a web process: `python -m analysis.harness.judging_process`.

A question names the judge and, for each of some series, what it is judged by; then come their
values. The answer is one line. Django is not loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO, Final

import numpy as np

from analysis.harness.judging import AskedSeries, judge_series, plain_judgement
from detectors.contract import Context, Values, as_series
from detectors.registry import from_key
from formats.child_process import Question, Say, serve
from formats.iterations import IterationLength

MEMORY: Final = 6 * 2**30  # bytes of address space, a good part of which libraries only reserve


def main() -> int:
    return serve(respond, memory=MEMORY)


def respond(request: Question, inbox: BinaryIO, say: Say) -> None:
    judge = from_key(request["judge"])
    all_series = [_series(description, inbox) for description in request["series"]]
    say([plain_judgement(judge_series(series, judge)) for series in all_series])


def question(judge: str, series: list[AskedSeries]) -> tuple[Question, bytes]:
    """Question for `respond`, and the bytes that follow."""
    descriptions = [
        {
            "n": asked_series.values.size,
            "unit": asked_series.unit,
            "length": asked_series.length and _slot_values(asked_series.length),
            "start": asked_series.start,
            "context": _slot_values(asked_series.context)
            | {"settings": dict(asked_series.context.settings)},
        }
        for asked_series in series
    ]
    values_bytes = b"".join(
        asked_series.values.astype("<f8", copy=False).tobytes() for asked_series in series
    )
    return {"judge": judge, "series": descriptions}, values_bytes


def _slot_values(record: Context | IterationLength) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


def _series(description: Mapping[str, Any], inbox: BinaryIO) -> AskedSeries:
    values: Values = as_series(np.frombuffer(inbox.read(8 * description["n"]), "<f8"))
    length = IterationLength(**description["length"]) if description["length"] else None
    return AskedSeries(
        values, Context(**description["context"]), description["unit"], length, description["start"]
    )


if __name__ == "__main__":
    raise SystemExit(main())
