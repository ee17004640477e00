"""Convolution networks as arrays: three layers, an average over positions, a dense layer.

FCN and OSCNN differ in their kernels and in nothing else here: batch normalisation is folded
into the convolutions when a model is exported, and OSCNN's many kernel sizes are stored as kernels
of the largest, with zeros around. Zeros are not multiplied.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from detectors.learned.blas_threads import one_blas_thread
from detectors.learned.windows import Singles

LAYERS: Final = 3
REMEMBERED: Final = 8192  # windows, each with its score: five megabytes


@dataclass(frozen=True, slots=True, eq=False)
class ConvolutionLayer:
    """A convolution and a ReLU; the output is as long as the input.

    kernels: of each kernel size its taps and its matrix, (taps x in, out), the first input
             channels of the first tap first. Their outputs lie one after the other.
    """

    kernels: tuple[tuple[slice, Singles], ...]
    bias: Singles
    taps: int

    def __call__(self, x: Singles) -> Singles:
        """`x` is (positions, channels); outside of it everything is zero."""
        positions, channels = x.shape
        padding_before, padding_after = paddings(self.taps)
        padded_values = np.zeros(
            (positions + padding_before + padding_after, channels), dtype=np.float32
        )
        padded_values[padding_before : padding_before + positions] = x
        # The taps of a position lie one after the other: a row of the matrix product.
        rows = np.ascontiguousarray(
            np.lib.stride_tricks.sliding_window_view(padded_values.ravel(), self.taps * channels)[
                ::channels
            ]
        )
        output = np.empty((positions, self.bias.size), dtype=np.float32)
        first_channel = 0
        for taps, matrix in self.kernels:
            next_channel = first_channel + matrix.shape[1]
            input_slice = slice(taps.start * channels, taps.stop * channels)
            np.matmul(rows[:, input_slice], matrix, out=output[:, first_channel:next_channel])
            first_channel = next_channel
        output += self.bias
        return np.maximum(output, 0, out=output)


def paddings(taps: int) -> tuple[int, int]:
    """Zeros on the left and on the right of a kernel of so many taps."""
    return (taps - 1) // 2, taps // 2


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One fitted model; `dense` is (outputs, channels), `last` its bias.

    One output is the odds of "stable"; of two, the second is.
    """

    layers: tuple[ConvolutionLayer, ...]
    dense: Singles
    last: Singles

    @staticmethod
    def look(window: Singles) -> Singles:
        """Part of a window that the network sees: all of it."""
        return window

    def judged(self, window: Singles) -> float:
        """Stability of a standardised window, 0 to 1.

        With two outputs it is the logistic of the second, not their softmax: thresholds are.
        """
        return _stability(self, window.tobytes())

    def score(self, window: Singles) -> float:
        """Stability of a standardised window, as `judged` gives it."""
        return self.judged(window)

    def logits(self, window: Singles) -> Singles:
        return self.dense @ self.averages(window) + self.last

    def averages(self, window: Singles) -> Singles:
        """Mean over the positions of each channel of the last layer."""
        x = window[:, None]
        for layer in self.layers:
            x = layer(x)
        means: Singles = x.mean(axis=0)
        return means

    @staticmethod
    def accepts(score: float, threshold: float) -> bool:
        return score >= threshold

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Build from ``w1 b1 w2 b2 w3 b3 wd bd``; a `w` is (out, in, taps). KeyError,
        ValueError.
        """
        single_arrays = {name: np.array(arrays[name], dtype=np.float32) for name in NAMES}
        layers = tuple(
            convolution_layer(single_arrays[f"w{k}"], single_arrays[f"b{k}"])
            for k in range(1, LAYERS + 1)
        )
        dense_layer = np.atleast_2d(single_arrays["wd"])
        if dense_layer.shape != (single_arrays["bd"].size, layers[-1].bias.size):
            raise ValueError(
                f"a dense layer of {dense_layer.shape} does not fit its bias and channels"
            )
        return cls(layers, dense_layer, single_arrays["bd"])


@lru_cache(maxsize=REMEMBERED)
def _stability(network: Network, window: bytes) -> float:
    """A window costs a millisecond, and evidence, or another threshold, asks about it again."""
    with one_blas_thread():
        logits = network.logits(np.frombuffer(window, dtype=np.float32))
    logit = float(logits[-1])
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(logit))


NAMES: Final = (*(f"{kind}{k}" for k in range(1, LAYERS + 1) for kind in "wb"), "wd", "bd")


def convolution_layer(weights: Singles, bias: Singles) -> ConvolutionLayer:
    """Layer of `weights`, (out, in, taps), of which zeros around a kernel are left out."""
    output_count, _, taps = weights.shape
    if bias.shape != (output_count,):
        raise ValueError(f"{bias.size} biases for {output_count} channels")
    has_weight: NDArray[np.bool_] = np.any(weights, axis=1)  # (out, taps)
    spans = np.stack([has_weight.argmax(axis=1), taps - has_weight[:, ::-1].argmax(axis=1)])
    size_changes = np.flatnonzero(np.diff(spans).any(axis=0)) + 1
    kernels = []
    for outputs in np.split(np.arange(output_count), size_changes):
        begin, end = spans[:, outputs[0]].tolist()
        matrix = weights[outputs, :, begin:end].transpose(2, 1, 0).reshape(-1, outputs.size)
        kernels.append((slice(begin, end), np.ascontiguousarray(matrix)))
    return ConvolutionLayer(tuple(kernels), bias, taps)
