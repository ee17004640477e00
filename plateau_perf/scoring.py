"""Distances of answers from the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import NEVER
from plateau_perf.answer import Answer

WITHIN: Final = 50  # iterations
Start = int | Answer | None
"""A first steady iteration; None or -1 for never."""


@dataclass(frozen=True, slots=True)
class Score:
    """Answers against the truth. Errors, in iterations, are of series that both call steady.

    A figure of nothing is None.

    Attributes:
        n: Series.
        both: Steady by both.
        mean: Of the absolute errors.
        median: Of the absolute errors.
        bias: Mean of answer less truth: below 0, answers come early.
        within: Share of `both` at most 50 iterations off.
        missed: Steady by the truth alone.
        invented: Steady by the answer alone.
        balanced: Mean of the shares of steady and of never series that were told right.
    """

    n: int
    both: int
    mean: float | None
    median: float | None
    bias: float | None
    within: float | None
    missed: int
    invented: int
    balanced: float | None


def score(predicted: Sequence[Start], truth: Sequence[Start]) -> Score:
    """Compare answers with the truth, one of each a series, in the same order.

    Raises:
        ValueError: They are not equally many.

    Example:
        >>> score([10, 20, None], [15, 20, 30])
        Score(n=3, both=2, mean=2.5, median=2.5, bias=-2.5, within=1.0, missed=1, invented=0, \
balanced=None)
    """
    if len(predicted) != len(truth):
        raise ValueError(f"expected one answer a series: {len(predicted)} for {len(truth)} truths")
    answered_starts, true_starts = (
        np.array([*map(_start, starts)], dtype=np.int64) for starts in (predicted, truth)
    )
    steady_mask = (answered_starts != NEVER) & (true_starts != NEVER)
    errors = (answered_starts - true_starts)[steady_mask]
    absolute_errors = np.abs(errors)
    return Score(
        n=answered_starts.size,
        both=int(steady_mask.sum()),
        mean=float(absolute_errors.mean()) if absolute_errors.size else None,
        median=float(np.median(absolute_errors)) if absolute_errors.size else None,
        bias=float(errors.mean()) if absolute_errors.size else None,
        within=float((absolute_errors <= WITHIN).mean()) if absolute_errors.size else None,
        missed=int(((answered_starts == NEVER) & (true_starts != NEVER)).sum()),
        invented=int(((answered_starts != NEVER) & (true_starts == NEVER)).sum()),
        balanced=_balanced_accuracy(answered_starts == NEVER, true_starts == NEVER),
    )


def _start(answer: Start) -> int:
    start = answer.start if isinstance(answer, Answer) else answer
    return NEVER if start is None else int(start)


def _balanced_accuracy(says_never: np.ndarray, is_never: np.ndarray) -> float | None:
    """Balanced accuracy of never; None without both labels among the truths."""
    if is_never.all() or not is_never.any():
        return None
    return float(
        (
            (says_never & is_never).sum() / is_never.sum()
            + (~says_never & ~is_never).sum() / (~is_never).sum()
        )
        / 2
    )
