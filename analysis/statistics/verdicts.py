"""The verdict on one answer: does it agree, and if not, in which way does it differ?"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.statistics.answers import Answers, Bools, Indices, errors

Verdict = Literal["agrees", "early", "late", "missed", "false plateau", "both never"]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
SYMBOLS: Final[dict[Verdict, str]] = {
    "agrees": "✓",
    "early": "←",
    "late": "→",
    "missed": "○",
    "false plateau": "●",
    "both never": "✓",
}
NO_VERDICT: Final = -1
"""Code of a series for which the method or the yardstick has no answer."""

TOLERANCE_PERCENT: Final = 5


def tolerance_for(lengths: ArrayLike, iterations: int | None = None) -> Indices:
    """Iterations for series of these lengths: 5 % of n, rounded down, unless a number is asked."""
    series_lengths = np.asarray(lengths, dtype=np.int64)
    return (
        series_lengths * TOLERANCE_PERCENT // 100
        if iterations is None
        else np.full(series_lengths.shape, iterations)
    )


def verdict_codes(answers: Answers, truth: Answers, tolerance: ArrayLike) -> NDArray[np.int8]:
    """Positions in VERDICTS, one a series; NO_VERDICT where an answer is missing.

    `tolerance` in iterations, inclusive: one number, or one a series.
    """
    delta = errors(answers, truth)
    tolerances = np.asarray(tolerance)
    mask_by_verdict: dict[Verdict, Bools] = {  # the first verdict that holds counts
        "both never": truth.never & answers.never,
        "false plateau": truth.never,
        "missed": answers.never,
        "early": delta < -tolerances,
        "late": delta > tolerances,
    }
    masks = [~(answers.given & truth.given), *mask_by_verdict.values()]
    codes = [NO_VERDICT, *map(VERDICTS.index, mask_by_verdict)]
    return np.select(masks, codes, default=VERDICTS.index("agrees")).astype(np.int8)


def verdicts(answers: Answers, truth: Answers, tolerance: ArrayLike) -> tuple[Verdict | None, ...]:
    """The verdict on each series as a word; None where an answer is missing."""
    codes = verdict_codes(answers, truth, tolerance)
    return tuple(None if code == NO_VERDICT else VERDICTS[code] for code in codes)


def verdict(start: float | None, truth: float | None, tolerance: float) -> Verdict | None:
    """The verdict on one series, from cells: an iteration, NEVER, or None for no answer."""
    return verdicts(Answers.from_list([start]), Answers.from_list([truth]), tolerance)[0]
