"""Spread of the answers to one series: the order of the queue of disagreements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.statistics.annotator_agreement import spreads
from analysis.statistics.answers import Answers, Bools, same_series
from analysis.statistics.pairwise_agreement import agreements


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One series: how far detectors and yardstick lie apart.

    series    position in the comparison
    spread    largest minus smallest steady answer, in iterations, the yardstick's included;
              the whole length of the series when some say steady and some never
    differing methods that differ from the yardstick by more than the tolerance, or in yes/no
    answered  methods that have an answer
    never     methods that say never
    split     some say steady and some never
    """

    series: int
    spread: int
    differing: int
    answered: int
    never: int
    split: bool


def disagreements(
    methods: Mapping[str, Answers],
    truth: Answers,
    *,
    lengths: ArrayLike,
    tolerance: ArrayLike,
    mask: Bools | None = None,
) -> tuple[Disagreement, ...]:
    """The series, of `mask` if given, with at least two answers; widest spread first.

    Of equal spreads the one on which more methods differ from the yardstick comes first, then
    the lower position, so that the order is the same every time.
    """
    sources = [truth, *methods.values()]
    n = same_series(sources)
    has_answer = np.array([source.given for source in sources])
    steady_masks = np.array([source.steady for source in sources])
    is_split = steady_masks.any(axis=0) & (has_answer & ~steady_masks).any(axis=0)
    spread = np.where(is_split, np.broadcast_to(lengths, n), np.nan_to_num(spreads(sources)))
    differing_counts = np.array(
        [(m.given & truth.given) & ~agreements(m, truth, tolerance) for m in methods.values()]
    ).sum(axis=0)
    is_counted = has_answer.sum(axis=0) > 1
    if mask is not None:
        is_counted &= mask
    unsorted_disagreements = [
        Disagreement(
            series_index,
            int(spread[series_index]),
            int(differing_counts[series_index]),
            int(has_answer[1:, series_index].sum()),
            int((has_answer[1:, series_index] & ~steady_masks[1:, series_index]).sum()),
            bool(is_split[series_index]),
        )
        for series_index in np.flatnonzero(is_counted).tolist()
    ]
    return tuple(
        sorted(unsorted_disagreements, key=lambda row: (-row.spread, -row.differing, row.series))
    )
