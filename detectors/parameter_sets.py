"""One method under many parameter sets: a table of answers, each as `detect` gives it.

    sets = [Georges.Params(k=k) for k in range(10, 100)]
    table = answers(Georges, sets, series)  # int32 (90, series)

A method whose stages share their inputs has a way of its own here (`STAGED`), which computes
every stage once; all others are asked set by set. The answers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from detectors.contract import Context, Detector, DetectorError, Parameters, Values, door

NO_ANSWER: Final = -2
"""In a table of answers: the method has none for this series (too short, not available)."""

Table = NDArray[np.int32]


class Answering(Protocol):
    """The answers of every parameter set for one series: int32 (k,)."""

    def __call__(self, values: Values, context: Context) -> Table: ...


def answers(
    method: type[Detector],
    sets: Sequence[Parameters],
    series: Sequence[ArrayLike],
    contexts: Sequence[Context] | None = None,
    *,
    threads: int = 1,
) -> Table:
    """`steady_start` of `method` under each parameter set, for each series: int32 (k, series).

    Iterations, 0-based; `NEVER` (-1) for never, `NO_ANSWER` (-2) where `detect` raises a
    `DetectorError`. `contexts`: one a series; empty ones when None. What costs least is many
    sets and few series a call: stages are shared by the sets of one series.
    Raises `BadSeries` for values that are no series.
    """
    known = [Context()] * len(series) if contexts is None else contexts
    judge = answering(method, sets)
    doors = [door(values) for values in series]
    with ThreadPoolExecutor(threads) as pool:
        columns = list(pool.map(judge, doors, known, strict=True))
    return np.column_stack(columns) if columns else np.empty((len(sets), 0), np.int32)


def answering(method: type[Detector], sets: Sequence[Parameters]) -> Answering:
    """What answers for one series after the other; what the sets share is prepared here, once.

    Values come as `door` gives them.
    """
    staged = STAGED.get(method.slug)
    return staged(method, sets) if staged else one_by_one(method, sets)


def one_by_one(method: type[Detector], sets: Sequence[Parameters]) -> Answering:
    """Every set asked by itself: the definition that every other way must equal."""
    detectors = [method.with_params(each) for each in sets]

    def judge(values: Values, context: Context) -> Table:
        starts = (_start(detector, values, context) for detector in detectors)
        return np.fromiter(starts, np.int32, len(detectors))

    return judge


def _start(detector: Detector, values: Values, context: Context) -> int:
    try:
        return detector.answer(values, context).steady_start
    except DetectorError:
        return NO_ANSWER


Staged = Callable[[type[Detector], Sequence[Parameters]], Answering]

STAGED: Final[Mapping[str, Staged]] = {}
"""Ways that compute what sets share once, by the slug of their method."""
