"""The features of `plateau` in plain NumPy, window by window as they are defined."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values

Places = NDArray[np.int64]


def blocks(y: Values) -> tuple[Values, Values, Values]:
    size = max(1, y.size // 150)
    pieces = [y[i * y.size // 150 :][:size] for i in range(150)]
    quantiles = [np.quantile(piece, (0.5, 0.9, 0.1)) for piece in pieces]
    middle, high, low = np.array(quantiles).T
    return middle, high, low


def noise(a: Values) -> float:
    return float(np.median(np.abs(np.diff(a))) / 0.954 + 1e-6)


def features(y: Values, iterations: Places) -> Values:
    """(k, 78), each row from the definition."""
    return np.array([row(y, int(t), y.size // 2, y.size / 3000) for t in iterations])


def levels_beside(y: Values, t: int, length: int) -> tuple[float, float]:
    """Medians of the windows before and from t on; of wide windows, those of 300 pieces."""
    n, size = y.size, max(1, y.size // 300)
    w = max(2, int(length * n / 3000))
    if length > 100:
        y = np.median(y[: n - n % size].reshape(-1, size), axis=1)
        t, w = int(np.clip((t + size // 2) // size, 1, y.size - 1)), max(1, round(w / size))
    return float(np.median(y[max(0, t - w) : t])), float(np.median(y[t : t + w]))


def median_before(y: Values, t: int, bl: Values) -> float:
    """Median before t; from the sixth block on, of the blocks."""
    if t < 5 * y.size // 150 + 1:
        return float(np.median(y[:t]))
    return float(np.median(bl[: max((t * 150 + y.size // 2) // y.size, 1)]))


def row(y: Values, t: int, h: int, sc: float) -> Values:
    n = y.size
    g = (t + 1e-6) / sc
    bl, bhi, blo = blocks(y)
    s, bn = noise(y[h:]), noise(bl[75:])
    rng = np.ptp(y) + 1e-9
    q2, q98 = np.quantile(y, (0.02, 0.98))
    r98, br = q98 - q2 + 1e-9, np.ptp(bl) + 1e-9
    iq = np.subtract(*np.quantile(y[h:], (0.75, 0.25)))
    i = min(148, t * 150 // n + 1)
    later_levels = bl[i:]
    ms = np.median(later_levels)
    up, down = later_levels.max() - ms, ms - later_levels.min()
    figures = [g, np.log(g), up / bn, down / bn, up / r98, down / r98, up / s, down / s]
    figures += [(y[t:].max() - ms) / rng]
    figures += [
        np.mean(np.abs(later_levels - ms) > 3 * bn),
        np.mean(np.abs(later_levels - ms) > 0.05 * r98),
    ]
    figures += [(bhi[i:].max() - ms) / r98, (ms - blo[i:].min()) / r98]
    for length in (10, 30, 100, 200, 500):
        m0, m1 = levels_beside(y, t, length)
        figures += [
            (m0 - m1) / s,
            (m0 - m1) / rng,
            (m0 - m1) / r98,
            (m1 - ms) / bn,
            (m1 - ms) / r98,
        ]
    early_change = median_before(y, t, bl) - ms
    figures += [early_change / bn, early_change / r98, early_change / rng]
    w = max(2, int(100 * sc))
    head, tail = y[max(0, t - w) : t], y[t : t + w]
    spread_before, spread_after = (np.subtract(*np.quantile(a, (0.9, 0.1))) for a in (head, tail))
    figures += [np.log((spread_before + 1e-6) / (spread_after + 1e-6)), spread_before / r98]
    figures += [(np.quantile(head, 0.98) - np.quantile(tail, 0.98)) / r98]
    figures += [(head.max() - tail.max()) / rng]
    steps = {q: abs(bl[q - 3 : q].sum() - bl[q : q + 3].sum()) / 3 for q in range(3, 147)}
    sa = max((st for q, st in steps.items() if q > i), default=0.0)
    sb = max((st for q, st in steps.items() if q <= i), default=0.0)
    figures += [sa / bn, sb / bn, sa / r98]
    figures += [*np.log([s, bn, rng, bn / s, br, iq + 1e-6]), y[0]]
    figures += [np.median(y[: max(3, int(k * sc))]) for k in (10, 50, 150)]
    ends = [int(150 * sc), int(450 * sc), int(1000 * sc), h]
    figures += [np.median(y[a:b]) for a, b in pairwise(ends)]
    fall = np.median(y[h : h + n // 4]) - np.median(y[h + n // 4 :])
    figures += [fall, fall / bn]
    figures += [np.mean(bl > 3 * bn), np.mean(bl < -3 * bn), np.mean(np.abs(bl) > 0.1 * r98)]
    for limit in (4 * bn, 10 * bn, 0.05 * r98, 0.1 * br):
        figures += [20 * max(np.flatnonzero(np.abs(bl) > limit), default=0)]
    z = np.clip(y, q2, q98)
    c = np.cumsum(z - z.mean())
    unit = n * (z.std() + 1e-9)
    figures += [c.argmax() / sc, c.max() / unit, c.argmin() / sc, c.min() / unit]
    figures += [np.mean(y > 0.5 * rng), np.mean(np.abs(z) > 3 * s)]
    figures += [y.argmax() / sc, np.median(bhi - blo) / bn]
    return np.array(figures, dtype=np.float64)


def strengths(y: Values, half_width: int, least_length: int) -> Values:
    """Means of medians of five, window by window."""
    heights = np.arcsinh(y)
    padded_heights = np.r_[heights[2:0:-1], heights, heights[-2:-4:-1]]
    smooth_heights = np.array([np.median(padded_heights[k : k + 5]) for k in range(y.size)])
    distances = np.zeros(y.size)
    for u in range(least_length, y.size - least_length):
        distances[u] = abs(
            smooth_heights[max(0, u - half_width) : u].mean()
            - smooth_heights[u : u + half_width].mean()
        )
    return distances
