"""Answers to one question for many series: an iteration, never, or none at all.

Three states need three spellings. `given` and `steady` say which state a series is in; `index`
is read only where `steady` is true, so that an index of -1, which some publications print for
"no warm-up", is never taken for "never".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

NEVER: Final = -1
"""Never steady, in arrays, CSV and JSON."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.int64]
Number = int | float


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Answers of one detector, person or recipe, aligned with the series of a comparison.

    index   float64 (n,), iterations, 0-based; whole except for a median of people
    steady  bool (n,), the answer is "steady from index"
    given   bool (n,), there is an answer; `given & ~steady` is never
    """

    index: Floats
    steady: Bools
    given: Bools

    def __post_init__(self) -> None:
        if not self.index.shape == self.steady.shape == self.given.shape == (self.index.size,):
            raise ValueError(
                f"answers: found shapes {self.index.shape}, {self.steady.shape}, "
                f"{self.given.shape}, expected three times the same (n,)"
            )
        if np.any(self.steady & ~self.given):
            raise ValueError("answers: found steady where nothing is given, expected a subset")

    @classmethod
    def from_list(
        cls, values: Iterable[Number | None], *, steady_mask: ArrayLike | None = None
    ) -> Answers:
        """Answers from a list: an iteration, NEVER for never, None for no answer.

        With `steady_mask`, that array alone says what is never, as for published indices.
        """
        answer_values = list(values)
        has_answer = np.array([value is not None for value in answer_values], dtype=np.bool_)
        index = np.array(answer_values, np.float64)  # None becomes NaN
        is_steady = index > NEVER if steady_mask is None else np.array(steady_mask, np.bool_)
        return cls(index, is_steady & has_answer, has_answer)

    @classmethod
    def from_arrays(cls, index: ArrayLike, is_given: ArrayLike | None = None) -> Answers:
        """Answers from arrays: `index` with NEVER for never, `is_given` false where there is
        none.
        """
        starts = np.array(index, dtype=np.float64)
        has_answer = (
            np.ones(starts.shape, np.bool_) if is_given is None else np.array(is_given, np.bool_)
        )
        return cls(starts, (starts > NEVER) & has_answer, has_answer)

    @classmethod
    def of_keys(cls, wanted_pks: Sequence[int], keys: Indices, values: Floats) -> Answers:
        """Answers for `wanted_pks` keys, each once, from `values` by `keys`; NaN is no answer, as
        is a key without a value. Of a key that stands twice the last value counts.
        """
        sort_order = np.argsort(wanted_keys := np.array(wanted_pks, np.int64))
        key_indices = np.searchsorted(wanted_keys, keys, sorter=sort_order)
        key_indices[key_indices == sort_order.size] = 0
        index = np.full(sort_order.size, np.nan)
        if sort_order.size:
            positions = sort_order[key_indices]
            is_wanted = wanted_keys[positions] == keys
            index[positions[is_wanted]] = values[is_wanted]
        return cls.from_arrays(index, ~np.isnan(index))

    @classmethod
    def nothing(cls, n: int) -> Answers:
        """No answer to any of n series."""
        return cls.from_list([None] * n)

    @classmethod
    def constant(cls, n: int, index: Number) -> Answers:
        """Answers that name one iteration for all n series."""
        return cls.from_arrays(np.full(n, float(index)))

    @property
    def never(self) -> Bools:
        return self.given & ~self.steady

    @property
    def n(self) -> int:
        return self.index.size

    def take(self, rows: Bools | Indices) -> Answers:
        """The answers of some series: a mask or positions."""
        return Answers(self.index[rows], self.steady[rows], self.given[rows])

    def value(self, series_index: int) -> Number | None:
        """The answer of one series as a cell: an iteration, NEVER, or None."""
        if not self.given[series_index]:
            return None
        return as_integer(float(self.index[series_index])) if self.steady[series_index] else NEVER


def errors(answers: Answers, truth: Answers) -> Floats:
    """Signed errors, predicted - truth in iterations; NaN unless both say steady."""
    difference = answers.index - truth.index
    difference[~(answers.steady & truth.steady)] = np.nan
    return difference


def same_series(answers: Sequence[Answers]) -> int:
    """The number of series that all answers are about; ValueError if they differ."""
    sizes = sorted({answer.n for answer in answers})
    if len(sizes) > 1:
        raise ValueError(f"answers: found lengths {sizes}, expected one length: aligned series")
    return sizes[0] if sizes else 0


def as_integer(number: float) -> Number:
    """A whole number as an int, so that a table prints 81519 and not 81519.0."""
    return int(number) if float(number).is_integer() else float(number)
