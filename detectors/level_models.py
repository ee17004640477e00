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
        """From the lowest to the highest level."""
        return float(np.ptp(self.fit))


def fitted_levels(blocks: Values) -> list[FittedLevel]:
    """The best of each model for levels of at least 20 blocks, the least BIC first.

    But for a random walk, which fits whatever happens: a drift or a decay that explains `FORMED`
    of the spread of the blocks comes before it.
    """
    found = [
        _flat(blocks),
        *_exponentials(blocks),
        _steps(blocks),
        *_cycles(blocks),
        _random_walk(blocks),
    ]
    ranked = sorted(found, key=lambda each: each.bic)
    enough = FORMED * float(blocks.var())
    formed = [each for each in ranked if each.model in FORMS and each.fit.var() >= enough]
    if ranked[0].model == "random-walk" and formed:
        ranked.remove(formed[0])
        ranked.insert(0, formed[0])
    return ranked


def bic(errors: Values, parameters: int) -> float:
    """BIC of Gaussian errors that remember the one before, as far as `MEMORY`."""
    n = errors.size
    total = float(errors @ errors)
    memory = float(errors[1:] @ errors[:-1]) / total if total else 0.0
    memory = min(max(memory, 0.0), MEMORY)
    own = errors[1:] - memory * errors[:-1]
    rest = float(own @ own) + (1 - memory**2) * float(errors[0] ** 2)
    likelihood = n * np.log(rest / n + RESOLUTION**2) - np.log(1 - memory**2)
    return float(likelihood + (parameters + 2) * np.log(n))  # memory and deviation


def _flat(y: Values) -> FittedLevel:
    fit = np.full(y.size, y.mean())
    return FittedLevel("flat", bic(y - fit, 1), fit)


# --- drift and decay --------------------------------------------------------------------------
def _exponentials(y: Values) -> Iterator[FittedLevel]:
    """A decay that has levelled off by the end; a drift that has not, a straight line included."""
    curves, lengths, settled = _curves(y.size)
    apart = y - y.mean()
    slopes = curves @ apart
    left = float(apart @ apart) - slopes**2
    drift, decay = (np.where(settled == kind, left, np.inf).argmin() for kind in (False, True))
    for model, at in (("drift", int(drift)), ("decay", int(decay))):
        fit = y.mean() + slopes[at] * curves[at]
        name: LevelModel = "drift" if model == "drift" else "decay"
        yield FittedLevel(name, bic(y - fit, 4), fit, length=float(lengths[at]))


@lru_cache(maxsize=256)
def _curves(n: int) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Curves of mean 0 and length 1, a row each; their time constants; whether they level off."""
    t = np.arange(n) / n
    rows, lengths, settled = [t], [0.0], [False]
    for stretch in STRETCHES:
        ending = np.log(1 / LEVELLED) ** (-1 / stretch)  # settled at the end exactly
        for share in np.geomspace(1 / n, 4 * ending, TIMES):
            rows.append(np.exp(-((t / share) ** stretch)))
            lengths.append(share * n)
            settled.append(bool(share <= ending))
    rows += [np.exp(t / share) for share in (0.2, 0.4, 0.8)]  # ever faster: no decay
    lengths += [0.0] * 3
    settled += [False] * 3
    curves = np.array(rows) - np.mean(rows, axis=1, keepdims=True)
    curves /= np.linalg.norm(curves, axis=1, keepdims=True)
    return curves, np.array(lengths), np.array(settled)


# --- steps ------------------------------------------------------------------------------------
def _steps(y: Values) -> FittedLevel:
    """Segments of one level each: the best places for every number of changes, then BIC."""
    most = min(MOST_CHANGES, y.size // 10)
    every = (_segmented(y, changes) for changes in best_changes(y, most))
    return min(every, key=lambda each: each.bic)


def _segmented(y: Values, changes: tuple[int, ...]) -> FittedLevel:
    edges = np.array([0, *changes, y.size])
    means = np.add.reduceat(y, edges[:-1]) / np.diff(edges)
    fit = np.repeat(means, np.diff(edges))
    return FittedLevel("steps", bic(y - fit, 1 + 3 * len(changes)), fit, changes)


def best_changes(y: Values, most: int) -> list[tuple[int, ...]]:
    """The places of 1 … `most` changes with the least squares: segment neighbourhood search.

    Auger & Lawrence 1989; each segment has at least `LEAST_SEGMENT` blocks.
    """
    cost = np.ascontiguousarray(_segment_costs(y).T)  # by end, then start: a row is read in order
    best, came = cost[:, 0], []
    for _ in range(most):
        through = best + cost
        at = through.argmin(axis=1)
        best = through[np.arange(at.size), at]
        came.append(at)
    return [_traced(came[:count], y.size) for count in range(1, most + 1)]


def _segment_costs(y: Values) -> Values:
    """Squares about the mean of y[i:j] at (i, j), infinite where the segment is too short."""
    n = y.size
    apart = y - y.mean()
    sums, squares = (np.r_[0.0, np.cumsum(each)] for each in (apart, apart**2))
    place = np.arange(n + 1)
    lengths = place[None, :] - place[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = squares[None, :] - squares[:, None]
        found = found - (sums[None, :] - sums[:, None]) ** 2 / lengths
    return np.where(lengths >= LEAST_SEGMENT, found, np.inf)


def _traced(came: list[NDArray[np.intp]], end: int) -> tuple[int, ...]:
    places: list[int] = []
    for at in reversed(came):
        end = int(at[end])
        places.append(end)
    return tuple(reversed(places))


# --- cycles -----------------------------------------------------------------------------------
def _cycles(y: Values) -> Iterator[FittedLevel]:
    """A repeated form (`HARMONICS` waves) on a straight line; none for few blocks."""
    periods, bases = _waves(y.size)
    if not periods.size:
        return
    inside = np.einsum("fhn,n->fh", bases, y - y.mean())
    at = _fundamental((inside**2).sum(axis=1))
    fit = y.mean() + inside[at] @ bases[at]
    parameters = bases.shape[1] + 1
    yield FittedLevel("cycles", bic(y - fit, parameters), fit, length=float(periods[at]))


def _fundamental(explained: Values) -> int:
    """The shortest period that explains as much as any: its multiples explain the same."""
    last = int(np.flatnonzero(explained >= AS_MUCH * explained.max())[-1])
    first = max(last - 2, 0)
    return first + int(explained[first : last + 1].argmax())


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
def _random_walk(y: Values) -> FittedLevel:
    """A level that takes a random step from block to block, with noise on it (Harvey 1989).

    It has no form: its fit is the levels themselves.
    """
    moves = np.diff(y)
    errors = _filters(moves.size) @ moves
    rest = (errors**2).mean(axis=1).min()
    n = y.size
    likelihood = n * np.log(rest + RESOLUTION**2)
    return FittedLevel("random-walk", float(likelihood + 3 * np.log(n)), y)


@lru_cache(maxsize=256)
def _filters(n: int) -> Values:
    """Matrices that make innovations of moves, one for each of `SMOOTHINGS`."""
    apart = np.subtract.outer(np.arange(n), np.arange(n))
    return np.array(
        [np.where(apart >= 0, each ** np.maximum(apart, 0), 0.0) for each in SMOOTHINGS]
    )
