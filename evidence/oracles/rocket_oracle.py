"""ROCKET's features by whole-array arithmetic, and by the kernel."""

from __future__ import annotations

import numpy as np

from detectors.kernels.rocket import rocket_features
from detectors.learned.rocket import RandomKernels
from detectors.learned.windows import Singles


def features(x: Singles, model: RandomKernels) -> list[float]:
    """The oracle: each kernel as a matrix of its shifted copies, in double precision."""
    shares_and_peaks: list[float] = []
    begin = 0
    for k, length in enumerate(model.lengths.tolist()):
        d, p = int(model.dilations[k]), int(model.paddings[k])
        w = model.weights[begin : begin + length].astype(float)
        begin += length
        padded_values = np.pad(x.astype(float), p)
        m = padded_values.size - (length - 1) * d
        taps = np.stack([padded_values[j * d : j * d + m] for j in range(length)])
        y = float(model.biases[k]) + w @ taps
        shares_and_peaks += [np.mean(y > 0), y.max()]
    return shares_and_peaks


def features_by_model(x: Singles, model: RandomKernels) -> Singles:
    return rocket_features(
        x, model.weights, model.lengths, model.biases, model.dilations, model.paddings
    )
