"""Answers one request after the other, for a program that asks: `python -m detectors.answers`.

A request is a line of JSON, then the bytes of the arrays that it announces; the answer is a
line of JSON, and one with the evidence. The program that asks may end this process at any
moment: whatever a method does with strange parameters, it does not do it there.

    {"key": "kb-kssd", "context": {"unit": "s"}, "arrays": [["values", "<f8", 3000]]}
"""

from __future__ import annotations

import time
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from detectors.contract import (
    Context,
    Detector,
    DetectorError,
    Evidence,
    TooLong,
    TooShort,
    Values,
    as_json,
    as_series,
)
from detectors.contract.evidence import thin_curve
from detectors.detection_rows import warm_up
from detectors.registry import from_key
from formats import RawSamples
from formats.child_process import Question, Say, serve

MEMORY = 6 * 2**30  # bytes of address space, a good part of which libraries only reserve


def main() -> int:
    """Answer until there is nobody left to ask."""
    warm_methods: set[str] = set()

    def respond(question: Question, inbox: BinaryIO, say: Say) -> None:
        arrays = {name: _array(inbox, dtype, size) for name, dtype, size in question["arrays"]}
        detector = from_key(question["key"])
        if detector.slug not in warm_methods and detector.cost != "slow":
            # The first call loads compiled kernels, or compiles them; that is no method's time.
            warm_up([detector])
        warm_methods.add(detector.slug)
        say({"warm": True})
        samples = None
        if "offsets" in arrays:
            samples = RawSamples(arrays["samples"], arrays["counts"], arrays["offsets"])
        values, context = (
            as_series(arrays["values"]),
            Context(**question["context"], samples=samples),
        )
        reply = timed_answer(detector, values, context)
        say(reply)
        drawings = _evidence(detector, values, context) if "steady_start" in reply else ()
        say([as_json(thin_curve(drawing)) for drawing in drawings])

    return serve(respond, memory=MEMORY)


def timed_answer(detector: Detector, values: Values, context: Context) -> dict[str, Any]:
    """Detection with its time, or the reason why there is none."""
    began_at = time.perf_counter()
    try:
        detection = detector.answer(values, context)
    except TooShort as short:
        return {"too_short": [short.needed, short.got]}
    except TooLong as long:
        return {"too_long": [long.most, long.got]}
    except DetectorError as error:
        return {"problem": str(error)}
    except MemoryError:
        return {"problem": "needs more memory than there is here"}
    except Exception as error:  # noqa: BLE001  # anyone's method: a page shows what it said
        return {"problem": f"{type(error).__name__}: {error}"}
    milliseconds = (time.perf_counter() - began_at) * 1000
    return {
        "steady_start": detection.steady_start,
        "published_index": detection.published_index,
        "decided_at": detection.decided_at,
        "flags": list(detection.flags),
        "reason": detection.reason,
        "milliseconds": round(milliseconds, 3),
    }


def _evidence(detector: Detector, values: Values, context: Context) -> tuple[Evidence, ...]:
    """Evidence is an extra: where there is none, the answer still is one."""
    try:
        return detector.explained(values, context)
    except (DetectorError, MemoryError):
        return ()


def _array(inbox: BinaryIO, dtype: str, size: int) -> NDArray[Any]:
    array_type = np.dtype(dtype)
    return np.frombuffer(inbox.read(size * array_type.itemsize), array_type)


if __name__ == "__main__":
    raise SystemExit(main())
