"""Clusters of marks on the line of iterations, by scikit-learn's DBSCAN."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from annotate.recipes.contract import RecipeMark

Clusters = list[list[RecipeMark]]
KEPT: Final = 20_000  # answers of a few hundred bytes


def clusters(marks: Sequence[RecipeMark], *, eps: int, min_samples: int) -> Clusters:
    """Clusters from the lowest to the highest, each sorted by index; noise is left out.

    A mark is core if at least `min_samples` marks, itself included, lie within `eps`
    iterations (inclusive). Marks go in sorted by index, so that a border mark between two
    clusters joins the lower one, whoever made it.
    """
    if len(marks) < min_samples:
        return []
    sorted_marks = sorted(marks, key=_index)
    labels = _labels(tuple(_index(mark) for mark in sorted_marks), eps, min_samples)
    return [
        [mark for mark, mark_label in zip(sorted_marks, labels, strict=True) if mark_label == label]
        for label in range(max(labels) + 1)
    ]


@lru_cache(maxsize=KEPT)
def _labels(sorted_indices: tuple[int, ...], eps: int, min_samples: int) -> tuple[int, ...]:
    """DBSCAN's label of each index, -1 for noise. A campaign asks for the same marks every time."""
    # Imported here: scikit-learn takes a second to load, and most commands never cluster.
    from sklearn.cluster import DBSCAN  # noqa: PLC0415

    column = np.array(sorted_indices, dtype=np.float64)[:, None]
    labels = DBSCAN(eps=eps, min_samples=min_samples).fit_predict(column)
    return tuple(labels.tolist())


def preload() -> None:
    """Load scikit-learn now, so that the first mark that a server saves need not wait for it."""
    from sklearn.cluster import DBSCAN  # noqa: F401, PLC0415


def _index(mark: RecipeMark) -> int:
    if mark.index is None:
        raise ValueError(f"mark of {mark.annotator}: found {mark.kind}, expected a steady mark")
    return mark.index


def steady_indices(marks: Sequence[RecipeMark]) -> list[int]:
    """Indices of steady marks, lowest first."""
    return sorted(_index(mark) for mark in marks)
