"""The features of `plateau` in plain NumPy, window by window as they are defined."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from detectors.contract import Values


def blocks(y: Values) -> tuple[Values, Values, Values]:
    edges = [(i * y.size // 150, (i + 1) * y.size // 150) for i in range(150)]
    pieces = [y[start : max(start + 1, stop)] for start, stop in edges]
    quantiles = [np.quantile(piece, (0.5, 0.9, 0.1)) for piece in pieces]
    middle, high, low = np.array(quantiles).T
    return middle, high, low


def noise(a: Values) -> float:
    return float(np.median(np.abs(np.diff(a))) / 0.954 + 1e-6)


def features(x: Values, grid: Values) -> Values:
    """(grid, 78), each row from the definition."""
    n = x.size
    h, sc = n // 2, n / 3000
    y = x / np.median(x[h:])
    return np.array([row(y, g, h, sc) for g in grid])


def row(y: Values, g: float, h: int, sc: float) -> Values:
    n = y.size
    bl, bhi, blo = blocks(y)
    s, bn = noise(y[h:]), noise(bl[75:])
    rng = np.ptp(y) + 1e-9
    q2, q98 = np.quantile(y, (0.02, 0.98))
    r98, br = q98 - q2 + 1e-9, np.ptp(bl) + 1e-9
    iq = np.subtract(*np.quantile(y[h:], (0.75, 0.25)))
    t = int(np.clip(int(g * sc), 1, n - 3))
    i = min(148, t * 150 // n + 1)
    rest = bl[i:]
    ms = np.median(rest)
    up, down = rest.max() - ms, ms - rest.min()
    out = [g, np.log(g), up / bn, down / bn, up / r98, down / r98, up, down]
    out += [(y[t:].max() - ms) / rng]
    out += [np.mean(np.abs(rest - ms) > 3 * bn), np.mean(np.abs(rest - ms) > 0.05 * r98)]
    out += [(bhi[i:].max() - ms) / r98, (ms - blo[i:].min()) / r98]
    for length in (10, 30, 80, 200, 500):
        w = max(2, int(length * sc))
        m0, m1 = np.median(y[max(0, t - w) : t]), np.median(y[t : t + w])
        out += [(m0 - m1) / s, (m0 - m1) / rng, (m0 - m1) / r98, (m1 - ms) / bn, (m1 - ms) / r98]
    early = np.median(y[:t]) - ms
    out += [early / bn, early / r98, early / rng]
    w = max(4, int(100 * sc))
    before, after = y[max(0, t - w) : t], y[t : t + w]
    wide, wide_after = (np.subtract(*np.quantile(a, (0.9, 0.1))) for a in (before, after))
    out += [np.log((wide + 1e-6) / (wide_after + 1e-6)), wide / r98]
    out += [(np.quantile(before, 0.98) - np.quantile(after, 0.98)) / r98]
    out += [(before.max() - after.max()) / rng]
    steps = {q: abs(bl[q - 3 : q].sum() - bl[q : q + 3].sum()) / 3 for q in range(3, 147)}
    sa = max((st for q, st in steps.items() if q > i), default=0.0)
    sb = max((st for q, st in steps.items() if q <= i), default=0.0)
    out += [sa / bn, sb / bn, sa / r98]
    out += [*np.log([s, bn, rng, r98, br, iq + 1e-6]), y[0] - 1]
    out += [np.median(y[: max(3, int(k * sc))]) - 1 for k in (10, 50, 150)]
    ends = [int(150 * sc), int(450 * sc), int(1000 * sc), h]
    out += [np.median(y[a:b]) - 1 for a, b in pairwise(ends)]
    fall = np.median(y[h : h + n // 4]) - np.median(y[h + n // 4 :])
    out += [fall, fall / bn]
    out += [np.mean(bl > 1 + 3 * bn), np.mean(bl < 1 - 3 * bn), np.mean(np.abs(bl - 1) > 0.02)]
    for far in (4 * bn, 10 * bn, 0.03, 0.1 * br):
        out += [20 * max(np.flatnonzero(np.abs(bl - 1) > far), default=0)]
    z = np.clip(y, q2, q98)
    c = np.cumsum(z - z.mean())
    unit = n * (z.std() + 1e-9)
    out += [c.argmax() / sc, c.max() / unit, c.argmin() / sc, c.min() / unit]
    out += [np.mean(y > 1 + 0.5 * rng), np.mean(np.abs(z - 1) > 3 * s)]
    out += [y.argmax() / sc, np.median(bhi - blo) / bn]
    return np.array(out, dtype=np.float64)


def strengths(x: Values) -> Values:
    """Every window of 80 sorted anew."""
    logs = np.log(np.maximum(x / np.median(x[x.size // 2 :]), 1e-12))
    found = np.zeros(x.size)
    if x.size > 160:
        medians = np.median(sliding_window_view(logs, 80), axis=1)
        found[80 : x.size - 80] = np.abs(medians[:-80] - medians[80:])[: x.size - 160]
    return found
