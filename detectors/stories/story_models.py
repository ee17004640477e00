"""Models of how the levels of blocks move, each with a price; the cheapest is the story.

The price is -2 log likelihood of innovations whose noise remembers the one before, and more for
each change. Noise of short memory and a random walk are told apart by the bound on that memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.level_pieces import last_changes

ModelKind = Literal["levels", "curve", "curve and step", "walk"]

MEMORY: Final = 0.5
"""Greatest AR(1) coefficient of noise, from block to block; what remembers longer is a walk."""
CHANGE: Final = 6.0  # ln N that a change of level costs
CURVE: Final = 3.0  # and a curve
CURVE_AND_STEP: Final = 8.0
WALK: Final = (0.0, -2.0, -2.0, 6.0)
"""That a walk costs more of so many blocks: of few, its levels leave the first ones only late."""
WALK_BLOCKS: Final = (20, 30, 60, 120)
MOST_CHANGES: Final = 4
FEW: Final = 30  # blocks, of which at most two changes are told
CURVE_AND_STEP_FROM: Final = 40  # blocks
SHORTEST_CURVE: Final = 1.2  # blocks: time constant of a decay that is no single block
PARTS: Final = 4  # of a block: a curve is averaged over them
SMOOTHINGS: Final = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
"""Walk with noise on it, whose level follows each block in part: ARIMA(0, 1, 1)."""


@dataclass(frozen=True, slots=True, eq=False)
class PricedModel:
    """One model of N levels.

    changes: first blocks of the pieces after the first. curve: (4 N,) what settles or drifts, in
    the unit of the levels; empty without. step: by how much the level falls at the change beside a
    curve. fit: (N,) levels; empty of a walk. memory: of its noise.
    """

    kind: ModelKind
    price: float
    fit: Values
    changes: tuple[int, ...] = ()
    curve: Values = field(default_factory=lambda: np.empty(0))
    step: float = 0.0
    memory: float = 0.0


def priced_models(
    levels: Values, weights: Values, least_variance: float, min_length: int, walk_price: float = 0.0
) -> list[PricedModel]:
    """All models, the cheapest first.

    weights: (N,) inverse variances. least_variance: that noise is taken to have. min_length:
    blocks of a piece. walk_price: what a walk costs more.
    """
    unpriced_models = [*_pieces(levels, weights, min_length), *_fit_curves(levels, min_length)]
    roots = np.sqrt(weights)
    residuals = (levels - np.array([model.fit for model in unpriced_models])) * roots
    prices, memories = innovation_prices(residuals, least_variance)
    penalty_by_kind = {"curve": CURVE, "curve and step": CURVE_AND_STEP}
    penalties = np.log(levels.size) * np.array(
        [penalty_by_kind.get(m.kind, CHANGE * len(m.changes)) for m in unpriced_models]
    )
    models = [
        PricedModel(m.kind, float(price), m.fit, m.changes, m.curve, m.step, float(memory))
        for m, price, memory in zip(unpriced_models, prices + penalties, memories, strict=True)
    ]
    models.append(_walk(levels * roots, least_variance, walk_price))
    return sorted(models, key=lambda model: model.price)


def innovation_prices(residuals: Values, least_variance: float) -> tuple[Values, Values]:
    """-2 log likelihood and memory of each row of errors (k, N)."""
    n, squares = residuals.shape[1], np.maximum((residuals * residuals).sum(axis=1), 1e-300)
    memory = np.clip((residuals[:, 1:] * residuals[:, :-1]).sum(axis=1) / squares, 0.0, MEMORY)
    innovations = residuals[:, 1:] - memory[:, None] * residuals[:, :-1]
    own_share = 1 - memory**2
    variance = (
        (innovations * innovations).sum(axis=1) + own_share * residuals[:, 0] ** 2
    ) / n + least_variance
    return n * np.log(variance) - np.log(own_share), memory


# --- pieces of one level --------------------------------------------------------------------------


def _pieces(levels: Values, weights: Values, min_length: int) -> list[PricedModel]:
    """The best pieces with no to four changes, by dynamic programming over weighted squares."""
    most_changes = MOST_CHANGES if levels.size >= FEW else 2
    return [
        PricedModel("levels", 0.0, piece_fit(levels, weights, changes), tuple(changes))
        for changes in best_changes(levels, weights, most_changes, min_length)
    ]


def best_changes(
    levels: Values, weights: Values, most_changes: int, min_length: int
) -> list[list[int]]:
    """Changes of the best 1, 2, … `most_changes` + 1 pieces, as far as there is room."""
    sums = np.zeros((3, levels.size + 1))
    for power in (0, 1, 2):
        np.cumsum(weights * levels**power, out=sums[power, 1:])
    back_pointers, costs = last_changes(sums, min_length, most_changes)
    possible_count = int(np.isfinite(costs).sum())
    return [
        [],
        *(_trace_changes(back_pointers[:k], levels.size) for k in range(1, possible_count + 1)),
    ]


def _trace_changes(back_pointers: NDArray[np.int64], n: int) -> list[int]:
    changes, end = [], n
    for last in back_pointers[::-1]:
        end = int(last[end])
        changes.append(end)
    return changes[::-1]


def piece_levels(levels: Values, weights: Values, changes: Sequence[int]) -> Values:
    """Weighted mean of each piece."""
    starts = [0, *changes]
    means: Values = np.add.reduceat(weights * levels, starts) / np.add.reduceat(weights, starts)
    return means


def piece_fit(levels: Values, weights: Values, changes: Sequence[int]) -> Values:
    sizes = np.diff([0, *changes, levels.size])
    return np.repeat(piece_levels(levels, weights, changes), sizes)


# --- curves ---------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def curves(n: int) -> tuple[Values, Values]:
    """Curves of mean 0 and length 1 over n blocks, (k, n), and over the parts of blocks."""
    t = (np.arange(n * PARTS) + 0.5) / (n * PARTS)
    times = np.geomspace(0.006, 0.7, 18)
    rows = [np.exp(-t / time) for time in times[times * n >= SHORTEST_CURVE]]
    times = np.geomspace(0.003, 0.5, 10)
    slow_times = times[times * n >= 0.7 * SHORTEST_CURVE]
    rows += [(1 + t / time) ** -power for time in slow_times for power in (1.0, 2.0, 4.0)]
    rows += [t**power for power in (0.5, 0.75, 1.0, 1.33, 2.0)]
    rows += [np.maximum(0.0, 1 - t / kink) for kink in np.arange(1, 10) / 10]
    fine_curves = np.array(rows)
    coarse_curves = fine_curves.reshape(len(rows), n, PARTS).mean(axis=2)
    coarse_curves -= coarse_curves.mean(axis=1, keepdims=True)
    length = np.sqrt((coarse_curves * coarse_curves).sum(axis=1, keepdims=True))
    return coarse_curves / length, fine_curves / length


def _fit_curves(levels: Values, min_length: int) -> list[PricedModel]:
    """The best curve, and the best curve with a step."""
    n, mean = levels.size, levels.mean()
    coarse_curves, fine_curves = curves(n)
    residuals = levels - mean
    slopes = coarse_curves @ residuals
    residual_squares = float(residuals @ residuals) - slopes**2
    best_index = int(residual_squares.argmin())
    fit = mean + slopes[best_index] * coarse_curves[best_index]
    models = [PricedModel("curve", 0.0, fit, curve=slopes[best_index] * fine_curves[best_index])]
    if n < CURVE_AND_STEP_FROM:
        return models
    counts_before = np.arange(1, n)
    residual_sums = (
        np.cumsum(residuals)[:-1]
        - (curve_sums := np.cumsum(coarse_curves, axis=1)[:, :-1]) * slopes[:, None]
    )
    room = counts_before * (n - counts_before) / n
    step_squares = room - curve_sums**2
    step_squares[step_squares < 1e-3 * room] = np.inf  # the curve is this very step
    gain = residual_sums**2 / step_squares
    gain[:, : min_length - 1] = 0
    gain[:, n - min_length :] = 0
    curve_index, step_index = divmod(int((residual_squares[:, None] - gain).argmin()), n - 1)
    step = residual_sums[curve_index, step_index] / step_squares[curve_index, step_index]
    slope = slopes[curve_index] - step * curve_sums[curve_index, step_index]
    change = step_index + 1
    first = np.arange(n) < change
    fit = mean + slope * coarse_curves[curve_index] + step * (first - change / n)
    changes, moving = (change,), slope * fine_curves[curve_index]
    models.append(PricedModel("curve and step", 0.0, fit, changes, moving, float(step)))
    return models


# --- random walk ----------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _followers(n: int) -> Values:
    """(k, n, n): each takes levels to the innovations of a walk with one of `SMOOTHINGS`."""
    lag = np.arange(n)[:, None] - np.arange(n)[None, :]
    exponents = np.maximum(lag - 1, 0)
    return np.array(
        [
            np.where(lag > 0, -share * (1 - share) ** exponents, 0.0) + np.eye(n)
            for share in SMOOTHINGS
        ]
    )


def _walk(levels: Values, least_variance: float, extra_price: float) -> PricedModel:
    n = levels.size
    innovations = _followers(n) @ (levels - levels[0])
    prices = n * np.log((innovations[:, 1:] ** 2).mean(axis=1) + least_variance)
    extra_price += float(np.interp(n, WALK_BLOCKS, WALK))
    return PricedModel(
        "walk", float(prices.min()) + np.log(n) + extra_price, np.empty(0), memory=1.0
    )
