"""Fitting of ROCKET: kernels at random, then a ridge classifier on their features.

The classifier is fitted by normal equations, so that memory holds the features and little more.
Its penalty is the one with the smallest squared error when each window is left out in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from detectors.contract import Values
from detectors.learned.rocket import RandomKernels, RocketModel
from detectors.learned.windows import WINDOW, Singles
from detectors.training.labels.labelled_windows import Labels

KERNELS: Final = 500
LENGTHS: Final = (7, 9, 11)
PENALTIES: Final = np.logspace(-3, 3, 10)
ROWS: Final = 4096  # at a time, in double precision
Progress = Callable[[str], object]


def draw_kernels(seed: int, count: int = KERNELS, window: int = WINDOW) -> RandomKernels:
    """Random kernels, the same for every fold: what one model sees of a window, all see.

    window: values of one, 12 or more, so that the longest kernel lies in it.
    """
    random = np.random.default_rng(seed)
    lengths = random.choice(LENGTHS, count)
    weights: list[Singles] = []
    dilations, paddings = np.empty(count, np.int64), np.empty(count, np.int64)
    biases = random.uniform(-1, 1, count)
    for k, length in enumerate(lengths.tolist()):
        w = random.standard_normal(length).astype(np.float32)
        weights.append(w - w.mean())
        widest_dilation = np.log2((window - 1) / (length - 1))
        dilations[k] = int(2 ** random.uniform(0, widest_dilation))
        is_padded = random.integers(2) == 1
        paddings[k] = (length - 1) * dilations[k] // 2 if is_padded else 0
    return RandomKernels.of_arrays(
        {
            "weights": np.concatenate(weights),
            "lengths": lengths,
            "biases": biases,
            "dilations": dilations,
            "paddings": paddings,
        }
    )


def window_features(kernels: RandomKernels, windows: Singles, progress: Progress = str) -> Singles:
    """The features of each window, (windows, 2 a kernel)."""
    features = np.empty((windows.shape[0], 2 * kernels.lengths.size), dtype=np.float32)
    for row, window in enumerate(windows):
        features[row] = kernels.features(window)
        if row % 1000 == 0:
            progress(f"features of window {row:,} of {windows.shape[0]:,}")
    return features


def fit_rocket(
    kernels: RandomKernels, features: Singles, is_stable: Labels
) -> tuple[RocketModel, float]:
    """The model of these features, and the penalty that was chosen."""
    scale = features.std(axis=0, dtype=np.float64)
    scale[scale == 0] = 1.0
    target = np.where(is_stable, 1.0, -1.0)
    coef, intercept, penalty = ridge(features, scale, target)
    return RocketModel(kernels, scale, coef, np.array([intercept])), penalty


def ridge(features: Singles, scale: Values, target: Values) -> tuple[Values, float, float]:
    """Coefficients, intercept and penalty of the classifier on ``features / scale``."""
    n = features.shape[0]
    mean = (
        sum((rows.sum(axis=0) for rows in _scale_rows(features, scale)), np.zeros(scale.size)) / n
    )
    middle = float(target.mean())
    gram = np.zeros((scale.size, scale.size))
    projections = np.zeros(scale.size)
    begin = 0
    for rows in _scale_rows(features, scale):
        centred = rows - mean
        gram += centred.T @ centred
        projections += centred.T @ (target[begin : begin + rows.shape[0]] - middle)
        begin += rows.shape[0]
    values, vectors = np.linalg.eigh(gram)
    values = np.maximum(values, 0.0)
    rotated_target = vectors.T @ projections
    errors = _left_out_errors(features, scale, mean, target, (values, vectors, rotated_target))
    penalty = float(PENALTIES[int(errors.argmin())])
    coef: Values = vectors @ (rotated_target / (values + penalty))
    return coef, middle - float(mean @ coef), penalty


def _left_out_errors(
    features: Singles,
    scale: Values,
    mean: Values,
    target: Values,
    parts: tuple[Values, Values, Values],
) -> Values:
    """Sum of squared errors for each penalty, every window judged by a fit without it."""
    values, vectors, rotated_target = parts
    shrinkage = 1 / (values[:, None] + PENALTIES)  # (features, penalties)
    errors, begin, middle = np.zeros(PENALTIES.size), 0, target.mean()
    for rows in _scale_rows(features, scale):
        z = (rows - mean) @ vectors
        leverage = (
            1 / features.shape[0] + (z * z) @ shrinkage
        )  # how much a window pulls its own value
        residuals = (
            target[begin : begin + rows.shape[0], None] - middle - (z * rotated_target) @ shrinkage
        )
        errors += ((residuals / (1 - leverage)) ** 2).sum(axis=0)
        begin += rows.shape[0]
    return errors


def _scale_rows(features: Singles, scale: Values) -> Iterator[Values]:
    for begin in range(0, features.shape[0], ROWS):
        yield features[begin : begin + ROWS].astype(np.float64) / scale


def decision_values(model: RocketModel, features: Singles) -> Values:
    """The classifier's value for each row of features."""
    parts = [rows @ model.coef for rows in _scale_rows(features, model.scale)]
    decisions: Values = np.concatenate([*parts, np.empty(0)]) + model.intercept[0]
    return decisions
