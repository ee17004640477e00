"""Regression forests as plain arrays: read from a file of numbers, summed by a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.forests import sum_of_leaves

Places = NDArray[np.int32]
Number = TypeVar("Number", np.int32, np.float64)
LEAF = -1
WHOLE = ("roots", "feature", "left", "right")


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Trees whose sum, over `baseline`, is the answer for a row of features.

    A row goes left at a node if its `feature` is at most the `threshold`. `roots` are the nodes
    at which trees begin; `left` and `right` are node numbers; a leaf's feature is -1. Whole numbers
    have 32 bits: more nodes stay in the cache of the processor.
    """

    baseline: Values  # one number
    roots: Places
    feature: Places
    threshold: Values
    left: Places
    right: Places
    value: Values

    def __post_init__(self) -> None:
        for name in WHOLE:
            object.__setattr__(self, name, getattr(self, name).astype(np.int32, copy=False))

    def sums(self, rows: Values) -> Values:
        """One number a row; `rows` is (k, features)."""
        trees = self.roots, self.feature, self.threshold, self.left, self.right, self.value
        summed_leaves: Values = self.baseline[0] + sum_of_leaves(rows, *trees)
        return summed_leaves

    @property
    def nodes(self) -> int:
        return int(self.feature.size)

    def as_arrays(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Arrays for a file: names begin with `name`; children as distances, whole numbers
        small.
        """
        node_indices = np.arange(self.nodes)
        is_inner = self.feature != LEAF
        small_arrays = {
            "feature": self.feature,
            "left": np.where(is_inner, self.left - node_indices, 0),
            "right": np.where(is_inner, self.right - node_indices, 0),
        }
        return {
            f"{name}_baseline": self.baseline,
            f"{name}_roots": self.roots.astype(np.int32),
            f"{name}_threshold": np.where(is_inner, self.threshold, 0.0),
            f"{name}_value": np.where(is_inner, 0.0, self.value),
            **{f"{name}_{key}": array.astype(np.int16) for key, array in small_arrays.items()},
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the forest that `as_arrays` wrote; a missing array is a KeyError."""
        stored_arrays = {field.name: arrays[f"{name}_{field.name}"] for field in fields(cls)}
        integers = {key: stored_arrays[key].astype(np.int32) for key in WHOLE}
        exact_arrays = {
            key: stored_arrays[key].astype(np.float64) for key in ("baseline", "threshold", "value")
        }
        node_indices = np.arange(integers["feature"].size, dtype=np.int32)
        integers["left"], integers["right"] = (
            node_indices + integers["left"],
            node_indices + integers["right"],
        )
        arrays_of_trees: list[NDArray[Any]] = [*integers.values(), *exact_arrays.values()]
        for array in arrays_of_trees:
            array.setflags(write=False)
        return cls(
            baseline=exact_arrays["baseline"],
            roots=integers["roots"],
            feature=integers["feature"],
            threshold=exact_arrays["threshold"],
            left=integers["left"],
            right=integers["right"],
            value=exact_arrays["value"],
        )


def mean_forest(forests: Sequence[Forest], weights: Iterable[float] = ()) -> Forest:
    """One forest whose sum is the (weighted) mean of the sums of `forests`."""
    shares = np.array([*weights] or [1.0] * len(forests))
    shares = shares / shares.sum()
    starts = np.cumsum([0, *(forest.nodes for forest in forests)])[:-1]
    return Forest(
        np.array([sum(s * f.baseline[0] for s, f in zip(shares, forests, strict=True))]),
        _concatenate(f.roots + start for f, start in zip(forests, starts, strict=True)),
        _concatenate(f.feature for f in forests),
        _concatenate(f.threshold for f in forests),
        _concatenate(f.left + start for f, start in zip(forests, starts, strict=True)),
        _concatenate(f.right + start for f, start in zip(forests, starts, strict=True)),
        _concatenate(share * f.value for f, share in zip(forests, shares, strict=True)),
    )


def _concatenate(arrays: Iterable[NDArray[Number]]) -> NDArray[Number]:
    return np.concatenate(list(arrays))
