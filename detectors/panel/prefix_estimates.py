"""Looks at a series that is still running: at its beginning, ever longer.

A look reads the values so far as if they were the whole series. A forest says how likely the
steady state begins at or before each position of it; at the last position, how likely it has
begun at all; another, how likely a panel that sees the whole calls the series steady. No look
depends on a value that came later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.kernels.place_features import step_strengths
from detectors.panel.panel_grid import GRID, grid_places, quantile_of, running_maximum
from detectors.panel.panel_models import PanelModel, plain_chance, steady_chance, summary_row
from detectors.panel.series_features import (
    MIDDLE,
    SeriesFeatures,
    centre_by_range,
    looked_at,
    medians_of_five,
    usual_strength,
)
from detectors.stories.plain_story import Story

FIRST: Final = 100  # values: as few as the features can be read from
REACH, LAST = 20, 2990  # in 3,000: the least way to look for a step, and the last place
ONLINE_COUNTS: Final = 1.07
"""How much the logarithm of the odds of steady counts at the end of a running series, fitted as
`detectors.panel.panel_models.STEADY_COUNTS` is (`python -m
evidence.replication.story_sureness`)."""
GROWTH: Final = 4  # a look follows when the series is longer by a quarter


@dataclass(frozen=True, slots=True, eq=False)
class PrefixEstimate:
    """One look at the first n values.

    chance: that the steady state has begun. steady: that the panel calls the series steady, once
    it sees all of it. median: where the steady state has begun, if it has. strength: of a step at
    every `size`-th iteration. story: the plain one so far; plain: that there is nothing else.
    """

    n: int
    chance: float
    steady: float
    median: float
    strength: Values
    size: int
    story: Story
    plain: float


def prefix_lengths(last_length: int) -> Iterator[int]:
    """After how many values is looked, in a series of `last_length`."""
    n = FIRST
    while n <= last_length:
        yield n
        n = next_prefix_length(n)


def prefix_lengths_at_end(size: int) -> list[int]:
    """After how many values is looked at a series that ends after `size`: at its end, too."""
    regular = list(prefix_lengths(size))
    return regular if regular[-1:] == [size] else [*regular, size]


def next_prefix_length(n: int) -> int:
    """The look that follows the one after n values."""
    return n + n // GROWTH


def prefix_rows(rows: Values, n: int) -> Values:
    """(64, 80): features at the grid, and the length n and positions in iterations.

    A position is a share of what is there; how soon people call a benchmark steady is a number
    of iterations.
    """
    log_lengths = np.log(np.full(GRID.size, float(n)))
    return np.column_stack([rows, log_lengths, np.log(grid_places(GRID, n))])


def prefix_estimate(values: Values, model: PanelModel) -> PrefixEstimate:
    """The look at `values`, at least 10; people's part is told of 100 or more."""
    features = SeriesFeatures.from_values(values)
    rows = prefix_rows(features.rows, features.n)
    cdf = np.clip(running_maximum(model.online.sums(rows)), 0.0, 1.0)
    chance = float(cdf[-1])
    median = quantile_of(cdf, GRID, chance / 2) if chance > 0 else 0.0
    chance_steady = steady_chance(model.online_steady, summary_row(rows), ONLINE_COUNTS)
    strength, size = middle_strengths(values)
    median_iteration = median * values.size / 3000
    chance_plain = plain_chance(features, model)
    return PrefixEstimate(
        values.size,
        chance,
        chance_steady,
        median_iteration,
        strength,
        size,
        features.story,
        chance_plain,
    )


def middle_strengths(values: Values) -> tuple[Values, int]:
    """Strength of a step over 80 values at each one that is looked at; how far these are apart."""
    y, size = looked_at(values)
    heights = medians_of_five(np.arcsinh(centre_by_range(y)))
    return step_strengths(np.append(0.0, np.cumsum(heights)), *MIDDLE), size


def snap_to_step(strength: Values, t: int, share: float, ratio: float, fade: float) -> int:
    """The strongest step about t (the first of equals), if it stands out; t if none does.

    Strength counts less with the distance from t: by exp(-fade) at the end of the reach.
    """
    n = strength.size
    reach = max(int(REACH * n / 3000), int(share * t))
    places = np.arange(max(1, t - reach), min(int(LAST * n / 3000), t + reach) + 1)
    if not places.size:
        return t
    width = max(
        1, t - int(places[0]), int(places[-1]) - t
    )  # an end of the series may cut one side off
    best_place = places[(strength[places] * np.exp(-fade * np.abs(places - t) / width)).argmax()]
    neighbours = places[
        np.abs(places - best_place) <= MIDDLE[0] // 2
    ]  # a step is as wide as its windows: its top
    best_place = neighbours[strength[neighbours].argmax()]
    return int(best_place) if strength[best_place] > ratio * usual_strength(strength) else t
