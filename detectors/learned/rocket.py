"""ROCKET as arrays: random kernels, and the linear classifier on what they find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.rocket import rocket_decision, rocket_features
from detectors.learned.windows import Singles

Places = NDArray[np.int64]
TINY: Final = np.float32(1e-8)  # added to the deviation, as the published program does
KINDS: Final[Mapping[str, type]] = {
    "weights": np.float32,
    "lengths": np.int64,
    "biases": np.float32,
    "dilations": np.int64,
    "paddings": np.int64,
}
FITTED: Final = ("scale", "coef", "intercept")
SMALL: Final = ("lengths", "dilations", "paddings")  # two bytes each in a file


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class RandomKernels:
    """Random convolutions; `weights` holds one after the other, by `lengths`. Read-only arrays."""

    weights: Singles
    lengths: Places
    biases: Singles
    dilations: Places
    paddings: Places

    def features(self, window: Singles) -> Singles:
        """Two a kernel: the share of positive outputs, and the largest.

        The window is standardised once more, as published.
        """
        x = (window - window.mean()) / (window.std() + TINY)
        return rocket_features(
            x, self.weights, self.lengths, self.biases, self.dilations, self.paddings
        )

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Build kernels; equal arrays give one object, so that models can share what they see."""
        frozen_arrays = {name: _frozen_array(arrays[name], dtype) for name, dtype in KINDS.items()}
        if frozen_arrays["weights"].size != frozen_arrays["lengths"].sum():
            raise ValueError(
                f"{frozen_arrays['weights'].size} weights for kernels of other lengths"
            )
        content = b"".join(array.tobytes() for array in frozen_arrays.values())
        kernels = cls(**frozen_arrays)
        return _known.setdefault(content, kernels)  # type: ignore[return-value]


_known: WeakValueDictionary[bytes, RandomKernels] = WeakValueDictionary()


def _frozen_array(values: NDArray[Any], dtype: type) -> NDArray[Any]:
    array: NDArray[Any] = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class RocketModel:
    """One fitted model: kernels, and a classifier with two numbers a kernel."""

    kernels: RandomKernels
    scale: Values
    coef: Values
    intercept: Values  # one number

    @property
    def look(self) -> Callable[[Singles], Singles]:
        """Features that the model sees of a window; models with the same kernels see the same."""
        return self.kernels.features

    def judged(self, features: Singles) -> float:
        """The classifier's value; above its threshold, 0, the window is stable."""
        return float(rocket_decision(features, self.scale, self.coef, float(self.intercept[0])))

    def score(self, window: Singles) -> float:
        """Decision value of a standardised window."""
        return self.judged(self.look(window))

    @staticmethod
    def accepts(score: float, threshold: float) -> bool:
        return score > threshold

    def as_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Arrays for a file: whole numbers small."""
        arrays = {field.name: getattr(self.kernels, field.name) for field in fields(RandomKernels)}
        arrays |= {name: arrays[name].astype(np.int16) for name in SMALL}
        return arrays | {name: getattr(self, name) for name in FITTED}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Restore the model that `as_arrays` wrote; a missing array is a KeyError, one that does
        not fit an error.
        """
        kernels = RandomKernels.of_arrays(arrays)
        scale, coef, intercept = (_frozen_array(arrays[name], np.float64) for name in FITTED)
        count = kernels.lengths.size
        if not scale.size == coef.size == 2 * count:
            raise ValueError(f"{coef.size} coefficients for {count} kernels")
        return cls(kernels, scale, coef, intercept)
