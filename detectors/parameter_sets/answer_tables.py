"""A table of answers: one method under many parameter sets (rows) for many series (columns)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Context, Detector, DetectorError, Parameters, Values

NO_ANSWER: Final = -2
"""In a table of answers: the method has none for this series (too short, not available)."""

Table = NDArray[np.int32]


class SetAnswerer(Protocol):
    """The answers of every parameter set for one series: int32 (k,). Values as from `as_series`."""

    def __call__(self, values: Values, context: Context) -> Table: ...


def single_answerer(method: type[Detector], sets: Sequence[Parameters]) -> SetAnswerer:
    """Every set asked by itself: the definition that every other way must equal."""
    detectors = [method.with_params(params) for params in sets]

    def judge(values: Values, context: Context) -> Table:
        starts = (_start(detector, values, context) for detector in detectors)
        return np.fromiter(starts, np.int32, len(detectors))

    return judge


def _start(detector: Detector, values: Values, context: Context) -> int:
    try:
        return detector.answer(values, context).steady_start
    except DetectorError:
        return NO_ANSWER
