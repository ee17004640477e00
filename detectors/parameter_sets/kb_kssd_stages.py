"""KB-KSSD under many parameter sets: which stages they share, found once, for any series.

Substitution depends on three parameters, the step on three more, Kelly's windows on these and
one, and only counting and comparing on the rest. Thousands of sets have few distinct values of
the first, so that a set costs little more than a look at a few windows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Context, Values
from detectors.kernels.kb_kssd_stages import fill_answers
from detectors.methods.kb_kssd import KbKssd
from detectors.parameter_sets.answer_tables import NO_ANSWER, Table

Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]

SUBSTITUTION = ("outlier_window", "pct_low", "pct_high")
WAY = ("medfilt", "short_half", "step_window")
NUMBERS = ("prob_window", "t_crit", "prob_threshold", "min_steady_length")


def published_mask(sets: Sequence[KbKssd.Params]) -> Bools:
    """Mask of sets that are the published method, whatever their numbers: variants have no
    stages.
    """
    return np.array([detector.as_published for detector in _detector_per_set(sets)], dtype=np.bool_)


def _detector_per_set(sets: Sequence[KbKssd.Params]) -> Iterator[KbKssd]:
    """The method with one set after the other: one object, because thousands take seconds."""
    detector = KbKssd()
    for params in sets:
        detector.params = params
        yield detector


@dataclass(frozen=True, slots=True, eq=False)
class KbKssdPlan:
    """The parameter sets as the kernel takes them (`fill_answers` says what each array is).

    order: (k,) position among the sets of each of the kernel's answers.
    """

    order: Indices
    outliers: Values
    ways: Indices
    way_bounds: Indices
    way_indices: Indices
    numbers: Values
    set_bounds: Indices

    def answers(self, values: Values) -> Table:
        sorted_answers, ordered_answers = np.empty((2, self.order.size), np.int32)
        fill_answers(
            values,
            self.outliers,
            self.ways,
            self.way_bounds,
            self.way_indices,
            self.numbers,
            self.set_bounds,
            sorted_answers,
        )
        ordered_answers[self.order] = sorted_answers
        return ordered_answers


def plan_sets(sets: Sequence[KbKssd.Params]) -> KbKssdPlan:
    """Sets sorted so that those which share a stage stand together."""
    outliers, outlier_indices = _distinct_rows(_columns(sets, SUBSTITUTION))
    numbers = _columns(sets, NUMBERS)
    order = np.lexsort((numbers[:, 1], numbers[:, 0], outlier_indices))
    distinct_ways, way_indices = _distinct_rows(
        np.column_stack([outlier_indices, _columns(sets, WAY)])
    )
    outlier_numbers = np.arange(len(outliers) + 1)
    return KbKssdPlan(
        order=order,
        outliers=outliers,
        ways=np.ascontiguousarray(distinct_ways[:, 1:].astype(np.int64)),
        way_bounds=np.searchsorted(distinct_ways[:, 0], outlier_numbers),
        way_indices=way_indices[order],
        numbers=numbers[order],
        set_bounds=np.searchsorted(outlier_indices[order], outlier_numbers),
    )


def _columns(sets: Sequence[KbKssd.Params], names: Sequence[str]) -> Values:
    rows = [[float(getattr(params, name)) for name in names] for params in sets]
    return np.array(rows, dtype=np.float64)


def _distinct_rows(rows: Values) -> tuple[Values, Indices]:
    """The distinct rows in lexical order, and which of them each row is."""
    distinct_rows, row_numbers = np.unique(rows, axis=0, return_inverse=True)
    return distinct_rows, row_numbers.ravel()


class KbKssdStages:
    """Answers of published sets for one series after the other; threads may share it."""

    def __init__(self, sets: Sequence[KbKssd.Params]) -> None:
        self.sets = sets
        self.least_lengths = np.array(
            [detector.least_length for detector in _detector_per_set(sets)]
        )
        self.plan = plan_sets(sets)

    def __call__(self, values: Values, context: Context) -> Table:
        fits = self.least_lengths <= values.size
        if fits.all():
            return self.plan.answers(values)
        starts = np.full(len(self.sets), NO_ANSWER, np.int32)
        if fits.any():
            long_enough_sets = [
                params for params, long_enough in zip(self.sets, fits, strict=True) if long_enough
            ]
            starts[fits] = plan_sets(long_enough_sets).answers(values)
        return starts
