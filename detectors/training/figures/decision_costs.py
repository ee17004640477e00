"""Costs and losses of online methods: when they decide, and what is measured after that.

A method that decides as values come ends the warm-up there, and the next 100 iterations are the
measurement. One that needs the whole series, or never decides, has waited for all of it; it keeps
what comes after its answer. Either mean is set against that of what the panel calls steady.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import NEVER, Detection, Values
from detectors.training.labels.panel_answers import MarkedSeries

MEASURED: Final = 100  # iterations after a decision
FAR: Final = 0.05  # a mean so far off is no measurement of the steady state


@dataclass(frozen=True, slots=True)
class WarmUpStop:
    """End of one warm-up by one method: the last iteration that it read, and what was measured."""

    decided: int
    measured: Values


@dataclass(frozen=True, slots=True)
class DecisionCosts:
    """Costs and losses of a method's decisions, over all series.

    testing: quartiles of iterations, measured ones included. early: share that decides before the
    panel's answer. deviation: quartiles; far: share that deviates by more than 5 %.
    """

    testing: tuple[float, float, float]
    early: float
    deviation: tuple[float, float, float]
    far: float


def stop_of(detection: Detection, values: Values) -> WarmUpStop:
    """Last iteration read and values measured by a method with this detection."""
    last = values.size - 1
    if detection.steady_start == NEVER:
        return WarmUpStop(last, values[-MEASURED:])
    decided_at = last if detection.decided_at is None else detection.decided_at
    values_after = values[decided_at + 1 :][:MEASURED]
    if values_after.size < MEASURED:  # decided at the end: all that was kept is there already
        values_after = values[detection.steady_start :]
    return WarmUpStop(decided_at, values_after)


def deviation(series: MarkedSeries, stop: WarmUpStop) -> float:
    """|mean measured / mean of the steady part - 1|."""
    return float(abs(stop.measured.mean() / series.values[series.start :].mean() - 1))


def decision_costs(
    marked_series: Sequence[MarkedSeries], detections: Sequence[Detection | None]
) -> DecisionCosts | None:
    """Costs of a method's answers for the marked series; None where one is missing."""
    answered_detections = [detection for detection in detections if detection is not None]
    if len(answered_detections) < len(detections):
        return None
    stops = [
        stop_of(detection, m.values)
        for detection, m in zip(answered_detections, marked_series, strict=True)
    ]
    deviations = np.array([deviation(m, s) for m, s in zip(marked_series, stops, strict=True)])
    sizes = np.array([series.values.size for series in marked_series])
    testing_iterations = np.minimum(
        np.array([stop.decided + 1 + MEASURED for stop in stops]), sizes
    )
    return DecisionCosts(
        _quartiles(testing_iterations.astype(np.float64)),
        float(np.mean([s.decided < m.start for m, s in zip(marked_series, stops, strict=True)])),
        _quartiles(deviations),
        float((deviations > FAR).mean()),
    )


def _quartiles(values: Values) -> tuple[float, float, float]:
    low, middle, high = np.percentile(values, (25, 50, 75)).tolist()
    return low, middle, high
