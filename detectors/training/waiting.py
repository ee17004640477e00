"""What online methods cost and miss: when they decide, and what is measured after that.

A method that decides as values come ends the warm-up there, and the next 100 iterations are the
measurement. One that needs the whole series, or never decides, has waited for all of it; it keeps
what comes after its answer. Either mean is set against that of what the panel calls steady.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from detectors.contract import NEVER, Detection, Values
from detectors.methods.plateau_online import EVEN, PlateauOnline
from detectors.prefixes import Look
from detectors.training.answers import Marked
from detectors.training.panel import Seen
from detectors.training.validation import Detections, OutOfFold, interval

MEASURED: Final = 100  # iterations after a decision
FAR: Final = 0.05  # a mean so far off is no measurement of the steady state
CONFIDENCES: Final = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Stop:
    """How one method ended one warm-up: iterations; `never` if it did not."""

    start: int
    decided: int
    measured: Values
    never: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """One method's figures over all series."""

    name: str
    n: int
    never: int
    testing: tuple[float, float, float]  # quartiles of iterations, measured ones included
    early: float  # share that decides before the panel's answer
    error: float
    low: float
    high: float
    median: float
    deviation: tuple[float, float, float]
    far: float


def stop_of(found: Detection, values: Values) -> Stop:
    """Where the measurement lies of a method that has answered so."""
    last = values.size - 1
    if found.steady_start == NEVER:
        return Stop(last, last, values[-MEASURED:], never=True)
    decided = last if found.decided_at is None else found.decided_at
    after = values[decided + 1 :][:MEASURED]
    if after.size < MEASURED:  # decided at the end: all that was kept is there already
        after = values[found.steady_start :]
    return Stop(found.steady_start, decided, after)


def online_stop(looks: Sequence[Look], values: Values, method: PlateauOnline) -> Stop:
    """What `plateau-online` would have answered, had it seen these looks."""
    sure = [look for look in looks if look.chance >= method.params.confidence]
    if not sure and looks[-1].chance >= EVEN:
        sure = [looks[-1]]
    if not sure:
        return stop_of(Detection(NEVER), values)
    return stop_of(Detection(method.start_of(sure[0]), decided_at=sure[0].n - 1), values)


def deviation(marked: Marked, stop: Stop) -> float:
    """|mean measured / mean of the steady part - 1|."""
    return float(abs(stop.measured.mean() / marked.values[marked.start :].mean() - 1))


def waiting(name: str, panel: Sequence[Marked], stops: Sequence[Stop]) -> Waiting:
    error = np.array([abs(s.start - m.start) for m, s in zip(panel, stops, strict=True)], float)
    off = np.array([deviation(m, s) for m, s in zip(panel, stops, strict=True)])
    sizes = np.array([each.values.size for each in panel])
    testing = np.minimum(np.array([s.decided + 1 + MEASURED for s in stops]), sizes)
    low, high = interval(error)
    return Waiting(
        name,
        len(stops),
        sum(each.never for each in stops),
        _quartiles(testing.astype(np.float64)),
        float(np.mean([s.decided < m.start for m, s in zip(panel, stops, strict=True)])),
        float(error.mean()),
        low,
        high,
        float(np.median(error)),
        _quartiles(off),
        float((off > FAR).mean()),
    )


def _quartiles(found: Values) -> tuple[float, float, float]:
    low, middle, high = np.percentile(found, (25, 50, 75)).tolist()
    return low, middle, high


def own_lines(seen: Seen, found: OutOfFold) -> Iterator[Waiting]:
    """`plateau-online` at several confidences, then `plateau`, which sees all."""
    marked = seen.panel.marked
    for confidence in CONFIDENCES:
        method = PlateauOnline(confidence=confidence)
        stops = [
            online_stop(looks, each.values, method)
            for looks, each in zip(found.looks, marked, strict=True)
        ]
        yield waiting(f"**plateau-online**, confidence {confidence}", marked, stops)
    stops = [
        stop_of(Detection(int(answer)), each.values)
        for answer, each in zip(found.answers, marked, strict=True)
    ]
    yield waiting("plateau, which needs the whole series", marked, stops)


def method_waiting(seen: Seen, name: str, found: Detections) -> Waiting | None:
    """A method's `detections`; None where it cannot answer for every series."""
    given = [each for each in found if each is not None]
    if len(given) < len(found):
        return None
    marked = seen.panel.marked
    stops = [stop_of(each, m.values) for each, m in zip(given, marked, strict=True)]
    return waiting(name, marked, stops)


def as_waiting_table(lines: Sequence[Waiting]) -> str:
    """Markdown, one line a method."""
    head = (
        "| method | series | never | testing time, quartiles | decided too early "
        "| mean error [95 %] | median | deviation %, quartiles | more than 5 % off |\n"
    )
    return head + "|---" * 9 + "|\n" + "".join(map(_row, lines))


def _row(each: Waiting) -> str:
    times = " / ".join(f"{value:.0f}" for value in each.testing)
    off = " / ".join(f"{100 * value:.1f}" for value in each.deviation)
    return (
        f"| {each.name} | {each.n} | {each.never or ''} | {times} | {each.early:.3f} "
        f"| {each.error:.0f} [{each.low:.0f}, {each.high:.0f}] | {each.median:.0f} | {off} "
        f"| {each.far:.3f} |\n"
    )


def as_waiting_document(each: Waiting) -> dict[str, Any]:
    return {
        "method": each.name.replace("*", ""),
        "testing_iterations": [round(value) for value in each.testing],
        "mean": round(each.error, 1),
        "median": round(each.median, 1),
        "deviation": [round(value, 4) for value in each.deviation],
        "more_than_5_percent_off": round(each.far, 3),
    }
