"""One method under many parameter sets: a table of answers, each as `detect` gives it.

    sets = [Georges.Params(k=k) for k in range(10, 100)]
    table = answers(Georges, sets, series)  # int32 (90, series)

A method whose stages share their inputs has a way of its own here (`STAGED`), which computes
every stage once for each of its inputs; all others are asked set by set. The answers are the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from detectors.contract import BadSeries, Context, Detector, Parameters, Values, as_series
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.answer_tables import NO_ANSWER, SetAnswerer, Table, single_answerer
from detectors.parameter_sets.kb_kssd_stages import KbKssdStages, published_mask

__all__ = ["NO_ANSWER", "SetAnswerer", "Table", "answering", "answers", "single_answerer"]


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
    all_contexts = [Context()] * len(series) if contexts is None else contexts
    judge = answering(method, sets)
    inputs = [
        (as_series(values), context) for values, context in zip(series, all_contexts, strict=True)
    ]
    with ThreadPoolExecutor(threads) as pool:
        columns = list(pool.map(lambda series_input: judge(*series_input), inputs))
    return np.column_stack(columns) if columns else np.empty((len(sets), 0), np.int32)


def answering(method: type[Detector], sets: Sequence[Parameters]) -> SetAnswerer:
    """Build the answerer of one series after the other; what the sets share is prepared here, once.

    Values come as `as_series` gives them.
    """
    if method not in STAGED:
        return single_answerer(method, sets)
    mask_of_staged, staged = STAGED[method]
    is_staged = mask_of_staged(sets)
    if not is_staged.any():
        return single_answerer(method, sets)
    answer_staged = staged([sets[i] for i in np.flatnonzero(is_staged).tolist()])
    answer_rest = single_answerer(method, [sets[i] for i in np.flatnonzero(~is_staged).tolist()])

    def judge(values: Values, context: Context) -> Table:
        starts = np.empty(len(sets), np.int32)
        starts[~is_staged] = answer_rest(values, context)
        try:
            starts[is_staged] = answer_staged(*method.reads(values, context))
        except BadSeries:
            starts[is_staged] = NO_ANSWER
        return starts

    return judge


Takes = Callable[[Sequence[Any]], NDArray[np.bool_]]
Staged = Callable[[Sequence[Any]], SetAnswerer]

# By the class itself: what a subclass changes is not known to the stages.
STAGED: Final[Mapping[type[Detector], tuple[Takes, Staged]]] = {
    KbKssd: (published_mask, KbKssdStages)
}
"""Which sets of a method have shared stages, and what answers for these."""
