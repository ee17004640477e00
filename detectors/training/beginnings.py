"""Training of `plateau-online`: a panel's answers, and beginnings of the series they are of.

A row is a position of a beginning; what is learned is whether the panel's answer, which it gave
for the whole series, lies at or before it. Of a series that the panel calls never steady it
lies at or before none. A second forest learns of a beginning as a whole whether the panel calls the
series steady.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.panel.forests import Forest, mean_forest
from detectors.panel.panel_grid import GRID, grid_places
from detectors.panel.panel_models import PanelModel, summary_row
from detectors.panel.prefix_estimates import (
    PrefixEstimate,
    prefix_estimate,
    prefix_lengths,
    prefix_lengths_at_end,
    prefix_rows,
)
from detectors.panel.series_features import grid_rows
from detectors.training.fitting.forests import binned, edges_of, fitted_odds, fitted_shares
from detectors.training.labels.panel_answers import SHOWN_WEIGHT, PanelAnswers

ONLINE_OPTIONS: Final[dict[str, Any]] = {
    "max_iter": 60,
    "learning_rate": 0.08,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 60,
    "max_features": 0.3,
    "l2_regularization": 5,
}
ONLINE_STEADY_OPTIONS: Final[dict[str, Any]] = {
    "max_iter": 60,
    "learning_rate": 0.08,
    "max_leaf_nodes": 6,
    "min_samples_leaf": 60,
    "max_features": 0.2,
    "l2_regularization": 5,
}
ONLINE_SEEDS: Final = 2
EVERY_MARKED: Final = 2  # looks: neighbours of one series say nearly the same
EVERY_SHOWN: Final = 4
POSITIONS: Final = np.unique(np.r_[1 : GRID.size : 3, GRID.size - 1])
"""Every third position, and the last, of which is asked whether the steady state has begun."""


@dataclass(frozen=True, slots=True, eq=False)
class Beginnings:
    """Rows (k, 80) of beginnings, with the share of marks at or before each, and its system."""

    rows: Values
    shares: Values
    weights: Values
    groups: NDArray[np.str_]

    @classmethod
    def from_panel(cls, panel: PanelAnswers) -> Beginnings:
        prefix_lengths = [*_marked_parts(panel), *_shown_parts(panel)]
        counts = [rows.shape[0] for _, _, _, rows in prefix_lengths]
        return cls(
            np.concatenate([rows for _, _, _, rows in prefix_lengths]),
            np.concatenate([shares for _, shares, _, _ in prefix_lengths]),
            np.repeat([weight for _, _, weight, _ in prefix_lengths], counts),
            np.repeat([group for group, _, _, _ in prefix_lengths], counts),
        )


@dataclass(frozen=True, slots=True, eq=False)
class LabelledBeginnings:
    """Rows (k, 414), one a look at a series, with its label, its weight and its system."""

    rows: Values
    steady: NDArray[np.bool_]
    weights: Values
    groups: NDArray[np.str_]

    @classmethod
    def from_panel(cls, panel: PanelAnswers) -> LabelledBeginnings:
        """Every look at each labelled series, also at its end."""
        series = [(x.group, x.values, x.steady) for x in panel.shown if x.steady is not None]
        looks = [prefix_lengths_at_end(values.size) for _, values, _ in series]
        counts = [len(lengths_of_series) for lengths_of_series in looks]
        return cls(
            np.array(
                [
                    summary_row(prefix_rows(grid_rows(values[:n]), n))
                    for (_, values, _), lengths in zip(series, looks, strict=True)
                    for n in lengths
                ]
            ),
            np.repeat(np.array([is_steady for _, _, is_steady in series], dtype=np.bool_), counts),
            np.ones(sum(counts)),
            np.repeat(np.array([group for group, *_ in series], dtype=np.str_), counts),
        )


Part = tuple[str, Values, float, Values]


def _marked_parts(panel: PanelAnswers) -> Iterator[Part]:
    for number, series in enumerate(panel.marked):
        marks = np.array([series.start])
        yield from _parts(series.group, series.values, marks, 1.0, number, EVERY_MARKED)


def _shown_parts(panel: PanelAnswers) -> Iterator[Part]:
    """Series with marks of single people, or without any as they are never steady."""
    for number, series in enumerate(panel.shown):
        if series.marks or series.steady is False:
            marks = np.array(series.marks if series.steady is not False else (series.values.size,))
            yield from _parts(series.group, series.values, marks, SHOWN_WEIGHT, number, EVERY_SHOWN)


def _parts(  # noqa: PLR0917
    group: str, values: Values, marks: NDArray[np.int64], weight: float, number: int, period: int
) -> Iterator[Part]:
    """One part a look; which looks of a series are taken goes round with its number."""
    for order, n in enumerate(prefix_lengths(values.size)):
        if order % period == number % period:
            iterations = grid_places(GRID, n)[POSITIONS]
            shares = (marks[:, None] <= iterations).mean(axis=0)
            yield group, shares, weight, prefix_rows(grid_rows(values[:n]), n)[POSITIONS]


def fitted_online(beginnings: Beginnings, groups: list[str], seed: int) -> Forest:
    """Fit the forest of beginnings to those of `groups`."""
    is_training = np.isin(beginnings.groups, groups)
    rows = beginnings.rows[is_training]
    edges = edges_of(rows)
    bins = binned(rows, edges)
    return mean_forest(
        [
            fitted_shares(
                bins,
                beginnings.shares[is_training],
                beginnings.weights[is_training],
                edges,
                {**ONLINE_OPTIONS, "random_state": random_state},
            )
            for random_state in range(seed, seed + ONLINE_SEEDS)
        ]
    )


def fitted_online_steady(beginnings: LabelledBeginnings, groups: list[str], seed: int) -> Forest:
    """The forest of log odds of what is known of `groups`, which must have both labels."""
    is_training = np.isin(beginnings.groups, groups)
    edges = edges_of(beginnings.rows[is_training])
    bins = binned(beginnings.rows[is_training], edges)
    return mean_forest(
        [
            fitted_odds(
                bins,
                beginnings.steady[is_training],
                beginnings.weights[is_training],
                edges,
                {**ONLINE_STEADY_OPTIONS, "random_state": random_state},
            )
            for random_state in range(seed, seed + ONLINE_SEEDS)
        ]
    )


def all_looks(values: Values, model: PanelModel) -> list[PrefixEstimate]:
    """Every look at a series, its end included, whatever they say."""
    return [prefix_estimate(values[:n], model) for n in prefix_lengths_at_end(values.size)]
