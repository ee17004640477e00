"""Boosted forests by scikit-learn, taken over as plain arrays.

Features are first replaced by the number of their bin. scikit-learn would bin them itself, but
it also weighs the bins, which takes most of the time and differs between its versions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.panel.forests import LEAF, Forest

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

BINS: Final = 64
Edges = Sequence[Values]


def edges_of(rows: Values, shift: float = 0.0) -> Edges:
    """Edges of each feature: borders between at most 64 bins with about as many rows each.

    shift: by how much of a bin all borders lie further up, -0.5 to 0.5. The mean of forests whose
    borders lie between one another's jumps less where a feature passes one of them.
    """
    return [_edges(column, shift) for column in rows.T]


def _edges(column: Values, shift: float) -> Values:
    distinct_values = np.unique(column)
    if distinct_values.size <= BINS:
        return (distinct_values[:-1] + distinct_values[1:]) / 2
    shares = np.linspace(0, 100, BINS + 1)[1:-1] + 100 * shift / BINS
    return np.unique(np.percentile(column, shares, method="midpoint"))


def shifts_of_forests(count: int) -> list[float]:
    """Shifts of the borders of `count` forests: as far apart as they can be."""
    return [(number + 0.5) / count - 0.5 for number in range(count)]


def binned(rows: Values, edges: Edges) -> Values:
    """The number of each value's bin: how many borders lie below it."""
    columns = [np.searchsorted(e, c, side="left") for e, c in zip(edges, rows.T, strict=True)]
    return np.stack(columns, axis=1).astype(np.float64)


def fitted_shares(
    bins: Values, shares: Values, weights: Values, edges: Edges, options: Mapping[str, Any]
) -> Forest:
    """A forest for `shares` (0 to 1) by squared error."""
    from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: PLC0415  # a second to import

    model = HistGradientBoostingRegressor(loss="squared_error", **_common_options(options))
    return forest_of(model.fit(bins, shares, sample_weight=weights), edges)


def fitted_odds(
    bins: Values,
    labels: NDArray[np.bool_],
    weights: Values,
    edges: Edges,
    options: Mapping[str, Any],
) -> Forest:
    """A forest for the log odds of a label, both labels weighing as much."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415  # as above

    total = np.where(labels, weights[labels].sum(), weights[~labels].sum())
    model = HistGradientBoostingClassifier(**_common_options(options))
    fit = model.fit(bins, labels, sample_weight=weights * (weights.sum() / total / 2))
    return forest_of(fit, edges)


def _common_options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {"max_bins": BINS, "early_stopping": False, **options}


def forest_of(
    model: HistGradientBoostingRegressor | HistGradientBoostingClassifier, edges: Edges
) -> Forest:
    """The trees as arrays, thresholds in the features' own units instead of bins.

    The nodes stand in attributes that scikit-learn does not promise: its version is pinned, and
    a test compares with its own prediction.
    """
    trees = [predictors[0].nodes for predictors in model._predictors]  # noqa: SLF001
    starts = np.cumsum([0, *(tree.size for tree in trees)])
    nodes = np.concatenate(trees)
    leaf = nodes["is_leaf"].astype(bool)
    shift = np.repeat(starts[:-1], [tree.size for tree in trees])
    threshold = [
        0.0 if end else edges[feature][int(bins)]
        for end, feature, bins in zip(
            leaf, nodes["feature_idx"], nodes["num_threshold"], strict=True
        )
    ]
    node_indices = np.arange(nodes.size)
    return Forest(
        baseline=np.ravel(model._baseline_prediction).astype(np.float64),  # noqa: SLF001
        roots=starts[:-1],
        feature=np.where(leaf, LEAF, nodes["feature_idx"]),
        threshold=np.array(threshold, dtype=np.float64),
        left=np.where(leaf, node_indices, nodes["left"] + shift),
        right=np.where(leaf, node_indices, nodes["right"] + shift),
        value=np.where(leaf, nodes["value"], 0.0).astype(np.float64),
    )
