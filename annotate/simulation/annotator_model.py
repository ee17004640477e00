"""Model of how people differ who mark the same series: five annotators, for demonstrations.

Pure functions over arrays; no Django. Each number below is fitted on figures that were published
about five researchers and 586 series (Beseda et al., KB-KSSD; annotation files of
`MartinBeseda/steady-state`), by `python -m evidence.replication.annotator_habits`, which prints
them with their sources. `docs/guide/simulated-annotators.md` says what the model leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import NEVER, Values

CAREFUL_SPREAD: Final = 15.0  # iterations: standard deviation of a careful mark
SPREAD: Final = 0.8  # standard deviation of the logarithm of any other mark
MISCLICKS: Final = 0.0196  # share of marks that are anywhere
NEVER_IF_LEVEL: Final = 0.176  # share of people who call a series never steady that levels off
NEVER_IF_LATE: Final = 0.405  # the same where it levels off in the last third, or not at all
MEDIAN_OF: Final = 15  # values of the running median that the eye follows
NEXT: Final = 50  # iterations of which most have to be level
KEPT: Final = 0.9  # share of them, and of all that follow
LATE: Final = 2 / 3  # of the series: a change behind it is late
SEED: Final = 1


@dataclass(frozen=True, slots=True)
class AnnotatorHabits:
    """One annotator: the share of careful marks, and how far the others lie off on average.

    bias  mean of log((mark + 1) / (place + 1)) of marks that are not careful
    """

    careful: float
    bias: float


PEOPLE: Final = (
    AnnotatorHabits(careful=0.484, bias=-0.381),
    AnnotatorHabits(careful=0.433, bias=0.37),
    AnnotatorHabits(careful=0.086, bias=1.02),
    AnnotatorHabits(careful=0.474, bias=-0.627),
    AnnotatorHabits(careful=0.454, bias=-0.151),
)


def level_from(values: Values) -> int:
    """First iteration from which the running median keeps to the band of the last sixth.

    The band is that of 5 to 95 % of the running median, widened by its height on both sides. To
    keep to it is to be inside for nine of ten of the next 50 values and of all that follow: the
    eye forgives a spike. `NEVER` where that begins in the last third, and for too few values.
    """
    n = values.size
    if n < 2 * NEXT:
        return NEVER
    middle = np.median(np.lib.stride_tricks.sliding_window_view(values, MEDIAN_OF), axis=1)
    low, high = np.quantile(middle[-(middle.size // 6) :], [0.05, 0.95])
    is_inside = (middle >= 2 * low - high) & (middle <= 2 * high - low)
    share_inside = np.lib.stride_tricks.sliding_window_view(is_inside, NEXT).mean(axis=1)
    share_inside_later = np.cumsum(is_inside[::-1])[::-1] / np.arange(middle.size, 0, -1)
    level = np.flatnonzero(
        (share_inside >= KEPT) & (share_inside_later[: share_inside.size] >= KEPT)
    )
    start = int(level[0]) if level.size else n
    return start if start < LATE * n else NEVER


def generator(digest: str) -> np.random.Generator:
    """Make the random generator of the answers for one series, told apart by the SHA-256 of its
    values.
    """
    return np.random.default_rng([SEED, int(digest[:8], 16)])


def simulated_answers(
    values: Values, rng: np.random.Generator, people: tuple[AnnotatorHabits, ...] = PEOPLE
) -> list[int]:
    """Draw the answer of each of `people` for a series: the first steady iteration, or `NEVER`."""
    place = level_from(values)
    never_probability = NEVER_IF_LATE if place == NEVER else NEVER_IF_LEVEL
    says_never = rng.random(len(people)) < never_probability
    last = values.size - 1
    level_start = int(LATE * last) if place == NEVER else place
    drawn_marks = simulated_marks(np.array([level_start]), last + 1, rng, people)[0]
    return [
        NEVER if is_never else int(mark)
        for is_never, mark in zip(says_never, drawn_marks, strict=True)
    ]


def simulated_marks(
    places: np.ndarray,
    n: int,
    rng: np.random.Generator,
    people: tuple[AnnotatorHabits, ...],
    spread: float = SPREAD,
) -> np.ndarray:
    """Marks of `people` for series of n values that level off at `places`.

    Returns integers of shape (places, people), 0 to n - 1.
    """
    shape = (places.size, len(people))
    is_careful = np.array([person.careful for person in people])
    bias = np.array([person.bias for person in people])
    careful_marks = places[:, None] + CAREFUL_SPREAD * rng.standard_normal(shape)
    careless_marks = (places[:, None] + 1) * np.exp(bias + spread * rng.standard_normal(shape)) - 1
    chosen_marks = np.where(rng.random(shape) < is_careful, careful_marks, careless_marks)
    is_misclick = rng.random(shape) < MISCLICKS
    chosen_marks = np.where(is_misclick, n * rng.random(shape), chosen_marks)
    return np.clip(np.rint(chosen_marks), 0, n - 1).astype(np.int64)
