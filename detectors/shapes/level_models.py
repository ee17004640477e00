"""Models of how the level of a series moves, fitted to block medians and compared by BIC. Pure.

After EnvCpt (Beaulieu & Killick 2018, Journal of Climate 31(23), 9519-9543): a mean, a trend and
changes of the mean, each with errors that follow an AR(1) process, so that slow noise is not
taken for changes; the model with the least BIC (Schwarz 1978) wins. Plateau adds decay, cycles
and a random walk, counts a change as three parameters (Zhang & Siegmund 2007, Biometrics 63), and
fits medians of blocks, so that spikes do not count and a million values cost as many as 400.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
LevelModel = Literal["flat", "drift", "decay", "steps", "cycles", "random-walk"]

RESOLUTION: Final = 1e-3
"""Standard deviation that is added to every model's errors: finer than 0.1 % nothing is fitted."""
MEMORY: Final = 0.7
"""Greatest AR(1) coefficient of errors, from block to block; what remembers longer is a walk."""
MOST_CHANGES: Final = 12
LEAST_SEGMENT: Final = 2  # blocks
LEVELLED: Final = 0.1
"""Share of a decay that may be left at the end; with more of it left it is a drift."""
STRETCHES: Final = (0.5, 1.0)  # exponents of a stretched exponential; 1 is the plain one
TIMES: Final = 24  # time constants that are tried
FEWEST_CYCLES: Final = 3
HARMONICS: Final = 5
BLOCKS_OF_A_PERIOD: Final = 4
AS_MUCH: Final = 0.98  # of what the best period explains
FORMS, FORMED = ("drift", "decay"), 0.95
"""Of 300 simulated random walks 4 have such a form by chance."""
SMOOTHINGS: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9)
"""MA(1) coefficients of a random walk with noise on it: ARIMA(0, 1, 1)."""


@dataclass(frozen=True, slots=True)
class FittedLevel:
    """A model of the level: its BIC (less is better) and the level of each block.

    changes: first blocks of the segments after the first, of steps. length: time constant of a
    decay, or period of cycles, in blocks.
    """

    model: LevelModel
    bic: float
    fit: Values
    changes: tuple[int, ...] = ()
    length: float = 0.0

    @property
    def reach(self) -> float:
        """Distance from the lowest to the highest level."""
        return float(np.ptp(self.fit))


def fitted_levels(blocks: Values) -> list[FittedLevel]:
    """The best of each model for levels of at least 20 blocks, the least BIC first.

    But for a random walk, which fits whatever happens: a drift or a decay that explains `FORMED`
    of the spread of the blocks comes before it.
    """
    return fitted_levels_of_rows(blocks[None])[0]


def fitted_levels_of_rows(rows: Values) -> list[list[FittedLevel]]:
    """`fitted_levels` of each row of block levels, float64 (series, blocks)."""
    fits = np.repeat(rows.mean(axis=1)[:, None], rows.shape[1], axis=1)
    bics = _information(rows - fits, 1).tolist()
    models = [
        [FittedLevel("flat", bic, fit) for bic, fit in zip(bics, fits, strict=True)],
        *_exponentials(rows),
        _steps(rows),
        *_cycles(rows),
        _random_walk(rows),
    ]
    return [
        _rank_fits(list(fits), row)
        for row, fits in zip(rows, zip(*models, strict=True), strict=True)
    ]


def _rank_fits(fits: list[FittedLevel], blocks: Values) -> list[FittedLevel]:
    ranked_fits = sorted(fits, key=lambda fit: fit.bic)
    if ranked_fits[0].model == "random-walk":
        formed_variance = FORMED * float(blocks.var())
        formed_fits = [
            fit for fit in ranked_fits if fit.model in FORMS and fit.fit.var() >= formed_variance
        ]
        if formed_fits:
            ranked_fits.remove(formed_fits[0])
            ranked_fits.insert(0, formed_fits[0])
    return ranked_fits


def _information(errors: Values, parameters: int) -> Values:
    """BIC of each row of Gaussian errors that remember the one before, as far as `MEMORY`."""
    n = errors.shape[1]
    total = np.vecdot(errors, errors)
    lagged_products = np.vecdot(errors[:, 1:], errors[:, :-1])
    memory = np.divide(lagged_products, total, out=np.zeros_like(total), where=total > 0)
    memory = np.clip(memory, 0.0, MEMORY)
    innovations = errors[:, 1:] - memory[:, None] * errors[:, :-1]
    residual_squares = np.vecdot(innovations, innovations) + (1 - memory**2) * errors[:, 0] ** 2
    likelihood = n * np.log(residual_squares / n + RESOLUTION**2) - np.log(1 - memory**2)
    information: Values = likelihood + (parameters + 2) * np.log(n)  # memory and deviation
    return information


def _products(matrix: Values, rows: Values) -> Values:
    """`matrix` times each row by itself, (series, k): no digit depends on the other rows."""
    products: Values = np.matmul(matrix, rows[:, :, None])[:, :, 0]
    return products


# --- drift and decay --------------------------------------------------------------------------
def _exponentials(rows: Values) -> Iterator[list[FittedLevel]]:
    """A decay that has levelled off by the end; a drift that has not, a straight line included."""
    curves, lengths, is_settled = _curves(rows.shape[1])
    means = rows.mean(axis=1)[:, None]
    deviations = rows - means
    slopes = _products(curves, deviations)
    residual_squares = np.vecdot(deviations, deviations)[:, None] - slopes**2
    level_models: tuple[tuple[LevelModel, bool], ...] = (("drift", False), ("decay", True))
    for name, must_settle in level_models:
        best_rows = np.where(is_settled == must_settle, residual_squares, np.inf).argmin(axis=1)
        fits = means + slopes[np.arange(best_rows.size), best_rows][:, None] * curves[best_rows]
        bics = _information(rows - fits, 4).tolist()
        times = lengths[best_rows].tolist()
        yield [
            FittedLevel(name, bic, fit, length=length)
            for bic, fit, length in zip(bics, fits, times, strict=True)
        ]


@lru_cache(maxsize=256)
def _curves(n: int) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Curves of mean 0 and length 1, a row each; their time constants; whether they level off."""
    t = np.arange(n) / n
    rows, lengths, settled_flags = [t], [0.0], [False]
    for stretch in STRETCHES:
        ending_time = np.log(1 / LEVELLED) ** (-1 / stretch)  # settled at the end exactly
        for share in np.geomspace(1 / n, 4 * ending_time, TIMES):
            rows.append(np.exp(-((t / share) ** stretch)))
            lengths.append(share * n)
            settled_flags.append(bool(share <= ending_time))
    rows += [np.exp(t / share) for share in (0.2, 0.4, 0.8)]  # ever faster: no decay
    lengths += [0.0] * 3
    settled_flags += [False] * 3
    curves = np.array(rows) - np.mean(rows, axis=1, keepdims=True)
    curves /= np.linalg.norm(curves, axis=1, keepdims=True)
    return curves, np.array(lengths), np.array(settled_flags)


# --- steps ------------------------------------------------------------------------------------
def _steps(rows: Values) -> list[FittedLevel]:
    """Segments of one level each: the best places for every number of changes, then BIC."""
    count, n = rows.shape
    changes_by_count = _best_changes(rows, min(MOST_CHANGES, n // 10))
    fits = [_segment_levels(rows, changes) for changes in changes_by_count]
    bics = np.array(
        [_information(rows - fit, 1 + 3 * number) for number, fit in enumerate(fits, start=1)]
    )
    best_indices = bics.argmin(axis=0)
    return [
        FittedLevel(
            "steps",
            float(bics[count_index, row]),
            fits[count_index][row],
            tuple(changes_by_count[count_index][row].tolist()),
        )
        for row, count_index in zip(range(count), best_indices.tolist(), strict=True)
    ]


def _segment_levels(rows: Values, changes: NDArray[np.intp]) -> Values:
    """Each block's level, the mean of its segment; `changes` (series, k)."""
    count, n = rows.shape
    starts = np.c_[np.zeros(count, np.intp), changes] + n * np.arange(count)[:, None]
    lengths = np.diff(np.r_[starts.ravel(), rows.size])
    means = np.add.reduceat(rows.ravel(), starts.ravel()) / lengths
    levels: Values = np.repeat(means, lengths).reshape(count, n)
    return levels


def best_changes(y: Values, most_changes: int) -> list[tuple[int, ...]]:
    """The places of 1 … `most_changes` changes with the least squares: segment neighbourhood
    search.

    Auger & Lawrence 1989; each segment has at least `LEAST_SEGMENT` blocks.
    """
    return [tuple(changes[0].tolist()) for changes in _best_changes(y[None], most_changes)]


def _best_changes(rows: Values, most_changes: int) -> list[NDArray[np.intp]]:
    """`best_changes` of each row: an array (series, k) for each k of 1 … `most_changes`.

    The ends of segments are gone through in order, with all numbers of changes at once: what may
    come before an end is known by then.
    """
    count, n = rows.shape
    deviations = rows - rows.mean(axis=1)[:, None]
    sums, squares = (
        np.c_[np.zeros(count), np.cumsum(terms, axis=1)] for terms in (deviations, deviations**2)
    )
    least_squares = np.full(
        (count, most_changes + 1, n + 1), np.inf
    )  # squares of blocks before an end
    previous_starts = np.zeros((count, most_changes, n + 1), np.intp)
    series_indices, change_counts = np.arange(count)[:, None], np.arange(most_changes)
    for end in range(LEAST_SEGMENT, n + 1):
        starts = end - LEAST_SEGMENT + 1
        segment_squares = squares[:, end, None] - squares[:, :starts]
        segment_squares -= (sums[:, end, None] - sums[:, :starts]) ** 2 / (end - np.arange(starts))
        least_squares[:, 0, end] = segment_squares[:, 0]
        total_squares = least_squares[:, :most_changes, :starts] + segment_squares[:, None, :]
        best_starts = total_squares.argmin(axis=2)
        previous_starts[:, :, end] = best_starts
        least_squares[:, 1:, end] = total_squares[series_indices, change_counts, best_starts]
    return [_trace_changes(previous_starts[:, :number], n) for number in range(1, most_changes + 1)]


def _trace_changes(previous_starts: NDArray[np.intp], end: int) -> NDArray[np.intp]:
    count, number, _ = previous_starts.shape
    changes = np.full((count, number + 1), end)
    for level in reversed(range(number)):
        changes[:, level] = previous_starts[np.arange(count), level, changes[:, level + 1]]
    return changes[:, :-1]


# --- cycles -----------------------------------------------------------------------------------
def _cycles(rows: Values) -> Iterator[list[FittedLevel]]:
    """A repeated form (`HARMONICS` waves) on a straight line; none for few blocks."""
    periods, bases = _waves(rows.shape[1])
    if not periods.size:
        return
    means = rows.mean(axis=1)[:, None]
    base_rows = bases.reshape(-1, rows.shape[1])
    inner_products = _products(base_rows, rows - means).reshape(len(rows), *bases.shape[:2])
    best_period_indices = [
        _fundamental_period(explained_squares)
        for explained_squares in (inner_products**2).sum(axis=2)
    ]
    fits = means + np.array(
        [
            row_products[period_index] @ bases[period_index]
            for row_products, period_index in zip(inner_products, best_period_indices, strict=True)
        ]
    )
    bics = _information(rows - fits, bases.shape[1] + 1).tolist()
    yield [
        FittedLevel("cycles", bic, fit, length=float(periods[period_index]))
        for bic, fit, period_index in zip(bics, fits, best_period_indices, strict=True)
    ]


def _fundamental_period(explained_squares: Values) -> int:
    """The shortest period that explains as much as any: its multiples explain the same."""
    last = int(np.flatnonzero(explained_squares >= AS_MUCH * explained_squares.max())[-1])
    first = max(last - 2, 0)
    return first + int(explained_squares[first : last + 1].argmax())


@lru_cache(maxsize=32)
def _waves(n: int) -> tuple[Values, Values]:
    """Periods in blocks, and for each an orthonormal basis: line and waves, (2 + 2 H, n)."""
    counts = np.arange(FEWEST_CYCLES, n / BLOCKS_OF_A_PERIOD, 0.5)
    t = np.arange(n)
    if n < FEWEST_CYCLES * 2 * HARMONICS:
        return np.empty(0), np.empty((0, 0, n))
    bases = []
    for count in counts:
        # A wave above half of the blocks' own rate says nothing new.
        waves = [h * count for h in range(1, HARMONICS + 1) if h * count < n / 2]
        angles = [2 * np.pi * wave * t / n for wave in waves]
        rows = [np.ones(n), t / n, *map(np.cos, angles), *map(np.sin, angles)]
        basis = np.zeros((2 + 2 * HARMONICS, n))
        basis[: len(rows)] = np.linalg.qr(np.array(rows).T)[0].T
        bases.append(basis)
    return n / counts, np.array(bases)


# --- random walk ------------------------------------------------------------------------------
def _random_walk(rows: Values) -> list[FittedLevel]:
    """A level that takes a random step from block to block, with noise on it (Harvey 1989).

    It has no form: its fit is the levels themselves.
    """
    steps = np.diff(rows, axis=1)
    filters = _filters(steps.shape[1])
    errors = _products(filters.reshape(-1, steps.shape[1]), steps)
    mean_squares = (errors**2).reshape(len(rows), *filters.shape[:2]).mean(axis=2).min(axis=1)
    n = rows.shape[1]
    bics = n * np.log(mean_squares + RESOLUTION**2) + 3 * np.log(n)
    return [
        FittedLevel("random-walk", bic, row) for bic, row in zip(bics.tolist(), rows, strict=True)
    ]


@lru_cache(maxsize=256)
def _filters(n: int) -> Values:
    """Matrices that make innovations of moves, one for each of `SMOOTHINGS`."""
    lags = np.subtract.outer(np.arange(n), np.arange(n))
    return np.array(
        [np.where(lags >= 0, smoothing ** np.maximum(lags, 0), 0.0) for smoothing in SMOOTHINGS]
    )
