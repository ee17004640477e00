"""Training of the forest that says whether a series is plain, so that its story answers.

Plain are drawn series of known shape, and those of the corpus with recorded noise, as far as the
story is right. What people marked is not, nor are its beginnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Values
from detectors.panel.forests import Forest
from detectors.panel.panel_models import PEOPLE_FROM, summary_row
from detectors.panel.plain_rows import plain_row
from detectors.panel.prefix_estimates import prefix_lengths
from detectors.panel.series_features import SeriesFeatures
from detectors.simulated.plain_series import NOISES, TRAINING, PlainShape, plain_series, shapes_of
from detectors.simulated.uneven_noise import UNEVEN_NOISES
from detectors.training.fitting.forests import binned, edges_of, fitted_odds
from detectors.training.labels.panel_answers import KnownSeries, PanelAnswers

PLAIN_OPTIONS: Final[dict[str, Any]] = {
    "max_iter": 300,
    "learning_rate": 0.1,
    "max_leaf_nodes": 16,
    "min_samples_leaf": 20,
    "l2_regularization": 5,
}
LENGTHS: Final = (300, 420, 600, 900, 1300, 2000, 3000, 6000, 20_000)
COPIES: Final = 8  # of each shape, length and noise
UNEVEN_COPIES: Final = 4  # of each with noise of `UNEVEN_NOISES`
SLOW_SHAPE: Final = "slow-first"
SLOW_COPIES, SLOW_LENGTH = 12, 1300  # of so many values, where people place a start elsewhere
SOURCES: Final = {**NOISES, **UNEVEN_NOISES}
NEAR: Final = 50  # iterations beside a known answer at which a story is right


@dataclass(frozen=True, slots=True, eq=False)
class PlainExamples:
    """Rows (k, 62), whether each is plain, and the group of its series; of drawn ones none.

    known_sums: (known, 412) of all simulated series, for the forest of never.
    """

    rows: Values
    plain: NDArray[np.bool_]
    groups: NDArray[np.str_]
    known_sums: Values

    @classmethod
    def from_panel(
        cls, panel: PanelAnswers, progress: Callable[[int], object] = int
    ) -> PlainExamples:
        people = list(_people(panel))
        simulated_examples = list(_known_rows(panel.known, progress))
        known_rows = [(row, group) for row, group, _ in simulated_examples if row is not None]
        drawn_examples = drawn_rows()
        rows = [row for row, _ in (*people, *known_rows)]
        groups = [group for _, group in (*people, *known_rows)] + [""] * len(drawn_examples)
        is_plain = np.arange(len(groups)) >= len(people)
        sums = np.array([total for _, _, total in simulated_examples])
        return cls(
            np.array([*rows, *drawn_examples]), is_plain, np.array(groups, dtype=np.str_), sums
        )


def _people(panel: PanelAnswers) -> Iterator[tuple[Values, str]]:
    """Every series that people were shown, and one beginning of each."""
    series = [(panel_series.values, panel_series.group) for panel_series in panel.marked]
    series += [(panel_series.values, panel_series.group) for panel_series in panel.shown]
    for number, (values, group) in enumerate(series):
        yield plain_row(SeriesFeatures.from_values(values)), group
        lengths = [n for n in prefix_lengths(values.size - 1) if n >= PEOPLE_FROM]
        if lengths:
            beginning = values[: lengths[number % len(lengths)]]
            yield plain_row(SeriesFeatures.from_values(beginning)), group


def _known_rows(
    series: Sequence[KnownSeries], progress: Callable[[int], object]
) -> Iterator[tuple[Values | None, str, Values]]:
    """The row of each series, None where its story is wrong; its group; and its summary."""
    for number, known_series in enumerate(series, start=1):
        features = SeriesFeatures.from_values(known_series.values)
        row = plain_row(features) if is_right(features.story.start, known_series.start) else None
        yield row, known_series.group, summary_row(features.rows)
        progress(number)


def is_right(story_start: int, true_start: int) -> bool:
    if NEVER in {story_start, true_start}:
        return story_start == true_start
    return abs(story_start - true_start) <= NEAR


@lru_cache(maxsize=1)
def drawn_rows() -> list[Values]:
    """Rows of plain series whose story is right."""
    rows = []
    for n in LENGTHS:
        for shape, (noise, source) in product(shapes_of(n), SOURCES.items()):
            for number in range(_copy_count(shape, noise, n)):
                series = plain_series(shape, noise, n, number, TRAINING, source)
                features = SeriesFeatures.from_values(series.values)
                if series.is_right(features.story.start):
                    rows.append(plain_row(features))
    return rows


def _copy_count(shape: PlainShape, noise: str, n: int) -> int:
    if noise in UNEVEN_NOISES:
        return min(UNEVEN_COPIES, COPIES)
    return SLOW_COPIES if shape == SLOW_SHAPE and n >= SLOW_LENGTH else COPIES


def fitted_plain(examples: PlainExamples, groups: Sequence[str], seed: int) -> Forest:
    """The forest of what is known of `groups`: people's series weigh half of all.

    The other half is shared by drawn series and those of the corpus.
    """
    is_training = np.isin(examples.groups, [*groups, ""])
    rows, is_plain = examples.rows[is_training], examples.plain[is_training]
    is_drawn = examples.groups[is_training] == ""
    weights = np.ones(is_plain.size)
    for member_mask in (is_drawn, is_plain & ~is_drawn):  # of equal weight; a row has 1 on average
        weights[member_mask] = is_plain.sum() / max(int(member_mask.sum()), 1) / 2
    edges = edges_of(rows)
    options = {**PLAIN_OPTIONS, "random_state": seed}
    return fitted_odds(binned(rows, edges), is_plain, weights, edges, options)
