"""A panel's answers as rows of features, and a `PanelModel` fitted on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.panel.forests import Forest, mean_forest
from detectors.panel.panel_grid import GRID, NEARNESS_REACH
from detectors.panel.panel_models import PanelModel, summary_row
from detectors.panel.series_features import SeriesFeatures, grid_rows
from detectors.training.beginnings import (
    Beginnings,
    LabelledBeginnings,
    fitted_online,
    fitted_online_steady,
)
from detectors.training.fitting.forests import (
    binned,
    edges_of,
    fitted_odds,
    fitted_shares,
    shifts_of_forests,
)
from detectors.training.labels.panel_answers import SHOWN_WEIGHT, PanelAnswers, ShownSeries
from detectors.training.plain import PlainExamples, fitted_plain

Chosen = NDArray[np.bool_]

START_OPTIONS: Final[dict[str, Any]] = {
    "max_iter": 60,
    "learning_rate": 0.08,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 60,
    "max_features": 0.3,
    "l2_regularization": 5,
}
STEADY_OPTIONS: Final[dict[str, Any]] = {
    "max_iter": 60,
    "learning_rate": 0.08,
    "max_leaf_nodes": 6,
    "min_samples_leaf": 12,
    "max_features": 0.2,
    "l2_regularization": 5,
}
NEAR_OPTIONS: Final[dict[str, Any]] = {
    "max_iter": 60,
    "learning_rate": 0.1,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 80,
    "max_features": 0.3,
    "l2_regularization": 5,
}
SEEDS: Final = 3  # forests whose mean is steadier: random features differ, and borders of bins
SPACED: Final = np.sqrt(np.gradient(GRID)) / np.sqrt(np.gradient(GRID)).mean()
"""Weight of a position: an error far out on the grid is an error of many iterations."""
KNOWN_WEIGHT: Final = 0.02
"""Of a simulated series beside one that people labelled, in whether a series is steady."""
FEWEST: Final = 10  # marked series, and series of either label, below which nothing is fitted
LEVELS: Final = (0.15, 0.85)  # hold four of five answers out of fold


class TooFewAnswers(ValueError):
    """Fewer answers than can be learned from; the sentence says what is there and needed."""


@dataclass(frozen=True, eq=False)
class PanelFeatures:
    """A panel's series as features: computed once, whatever the folds.

    sights: of the marked series, rows: (marked, 64, 78) of them; shown_rows likewise. starts:
    in series of 3,000 values. plain: rows of all series, and of drawn ones.
    """

    panel: PanelAnswers
    sights: tuple[SeriesFeatures, ...]
    rows: Values
    starts: Values
    groups: NDArray[np.str_]
    shown_rows: Values
    shown_groups: NDArray[np.str_]
    labelled: Chosen
    steady: Chosen
    known_groups: NDArray[np.str_]
    known_steady: Chosen
    plain: PlainExamples

    @classmethod
    def from_panel(
        cls, panel: PanelAnswers, progress: Callable[[int], object] = int
    ) -> PanelFeatures:
        """Raises `TooFewAnswers`."""
        if len(panel.marked) < FEWEST:
            raise TooFewAnswers(
                f"found {len(panel.marked)} series that the panel calls steady, "
                f"expected at least {FEWEST}"
            )
        sights: list[SeriesFeatures] = []
        for number, series in enumerate(panel.marked, start=1):
            sights.append(SeriesFeatures.from_values(series.values))
            progress(number)
        shown_rows = [grid_rows(series.values) for series in panel.shown]
        rows = np.stack([series.rows for series in sights])
        return cls(
            panel,
            tuple(sights),
            rows,
            np.array([3000 * series.start / series.values.size for series in panel.marked]),
            np.array([series.group for series in panel.marked]),
            np.stack(shown_rows) if shown_rows else np.empty((0, *rows[0].shape)),
            np.array([series.group for series in panel.shown], dtype=np.str_),
            np.array([series.steady is not None for series in panel.shown], dtype=np.bool_),
            np.array([bool(series.steady) for series in panel.shown], dtype=np.bool_),
            np.array([series.group for series in panel.known], dtype=np.str_),
            np.array([series.steady for series in panel.known], dtype=np.bool_),
            PlainExamples.from_panel(panel, progress),
        )

    @property
    def all_groups(self) -> list[str]:
        return sorted({*self.groups, *self.shown_groups, *self.known_groups})

    @cached_property
    def beginnings(self) -> Beginnings:
        """Beginnings for reading online: computed once, when asked for."""
        return Beginnings.from_panel(self.panel)

    @cached_property
    def labelled_beginnings(self) -> LabelledBeginnings:
        """Beginnings with the panel's label steady or never."""
        return LabelledBeginnings.from_panel(self.panel)


def fit_panel_model(features: PanelFeatures, groups: Sequence[str], seed: int) -> PanelModel:
    """Fit the model of all series of `groups`."""
    marked_mask = np.isin(features.groups, list(groups))
    shown_mask = np.isin(features.shown_groups, list(groups))
    known_mask = np.isin(features.known_groups, list(groups))
    steady_forest = fitted_steady(features, shown_mask, known_mask, seed)
    return PanelModel(
        fitted_starts(features, marked_mask, shown_mask, seed),
        steady_forest,
        fit_nearness(features, marked_mask, seed),
        fitted_online(features.beginnings, list(groups), seed),
        LEVELS,
        None
        if steady_forest is None
        else fitted_online_steady(features.labelled_beginnings, list(groups), seed),
        fitted_plain(features.plain, groups, seed),
    )


def fit_nearness(
    features: PanelFeatures, marked_mask: Chosen, seed: int, forests: int = SEEDS
) -> Forest:
    """Fit the nearness of the panel's answer to an iteration: 1 there, 1/e for every 40 beside
    it.
    """
    row_indices = np.flatnonzero(marked_mask).tolist()
    rows = np.concatenate([features.sights[row].steps for row in row_indices])
    shares = np.concatenate(
        [
            np.exp(
                -np.abs(features.sights[row].candidates - features.panel.marked[row].start)
                / NEARNESS_REACH
            )
            for row in row_indices
        ]
    )
    weights, fits = np.ones(shares.size), []
    for random_state, shift in enumerate(shifts_of_forests(forests), start=seed):
        edges = edges_of(rows, shift)
        options = {**NEAR_OPTIONS, "random_state": random_state}
        fits.append(fitted_shares(binned(rows, edges), shares, weights, edges, options))
    return mean_forest(fits)


def fitted_starts(
    features: PanelFeatures,
    marked_mask: Chosen,
    shown_mask: Chosen,
    seed: int,
    forests: int = SEEDS,
) -> Forest:
    """Mean of forests on the panel's answers alone, and with single marks beside them."""
    rows = [_flatten_rows(features.rows[marked_mask])]
    shares = [np.ravel(features.starts[marked_mask][:, None] <= GRID).astype(np.float64)]
    row_indices = [
        row for row in np.flatnonzero(shown_mask).tolist() if features.panel.shown[row].marks
    ]
    rows.append(_flatten_rows(features.shown_rows[row_indices]))
    shares.append(np.ravel([_shares(features.panel.shown[row]) for row in row_indices]))
    count = [target_part.size // GRID.size for target_part in shares]
    weights = np.outer(np.repeat([1.0, SHOWN_WEIGHT], count), SPACED).ravel()
    all_rows, target = np.concatenate(rows), np.concatenate(shares)
    marked_count = shares[0].size
    fits = []
    for random_state, shift in enumerate(shifts_of_forests(forests), start=seed):
        edges = edges_of(all_rows, shift)
        bins = binned(all_rows, edges)
        options = {**START_OPTIONS, "random_state": random_state}
        marked_arrays = bins[:marked_count], target[:marked_count], weights[:marked_count]
        fits.append(fitted_shares(*marked_arrays, edges, options))
        fits.append(fitted_shares(bins, target, weights, edges, options))
    return mean_forest(fits)


def _flatten_rows(rows: Values) -> Values:
    return rows.reshape(-1, rows.shape[-1])


def _shares(series: ShownSeries) -> Values:
    """Share of the marks at or before each position."""
    marks = 3000 * np.array(series.marks, dtype=np.float64) / series.values.size
    shares: Values = (marks[:, None] <= GRID).mean(axis=0)
    return shares


def fitted_steady(
    features: PanelFeatures,
    shown_mask: Chosen,
    known_mask: Chosen,
    seed: int,
    forests: int = SEEDS,
    *,
    options: Mapping[str, Any] = STEADY_OPTIONS,
) -> Forest | None:
    """Fit the odds of steady; None where people gave too few series either label."""
    labelled_mask = shown_mask & features.labelled
    labels = features.steady[labelled_mask]
    if min(labels.sum(), (~labels).sum()) < FEWEST:
        return None
    rows = np.stack([summary_row(row) for row in features.shown_rows[labelled_mask]])
    weights = np.ones(labels.size)
    if known_mask.any():
        rows = np.concatenate([rows, features.plain.known_sums[known_mask]])
        weights = np.concatenate([weights, np.full(known_mask.sum(), KNOWN_WEIGHT)])
        labels = np.concatenate([labels, features.known_steady[known_mask]])
    edges = edges_of(rows)
    bins = binned(rows, edges)
    return mean_forest(
        [
            fitted_odds(bins, labels, weights, edges, {**options, "random_state": random_state})
            for random_state in range(seed, seed + forests)
        ]
    )
