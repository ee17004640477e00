"""What `plateau` sees of a series, its forests, and the step that its answer moves to.

Rows of features belong to the positions of a grid; positions scale with the length n, in units
of n / 3000. Indices are 0-based. A series is first divided by the median of its second half.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.order import copy_into, median, percentile, sort_small
from detectors.kernels.windows import middle_of, slide

Places = NDArray[np.int64]

FEATURES, GLOBAL = 78, 48  # of a row; the features from the second on are the series' own
BLOCKS = 150
MOST = 1e100  # a normalised value beyond this is taken as this: squares stay finite
MAD = 0.954  # median distance of two standard normal values
TINY, SMALL, LEAST = 1e-6, 1e-9, 1e-12
HALF, STEPPED_FROM, EVERY = 80, 200, 20  # iterations: half of a step, and places compared
NEAR, LAST = 20, 2990  # in 3,000: the least way to look for a step, and the last one


@kernel
def normalised(x: Values) -> Values:
    """The values in units of the median of the second half (of the largest, where that is 0)."""
    scratch = np.empty(x.size)
    unit = median(x[x.size // 2 :], scratch)
    if unit == 0:
        unit = np.abs(x).max()
    y = np.ones(x.size)
    if unit != 0:
        for i in range(x.size):
            if abs(x[i]) / MOST > abs(unit):  # the quotient itself might overflow
                y[i] = MOST if (x[i] > 0) == (unit > 0) else -MOST
            else:
                y[i] = x[i] / unit
    return y


@kernel
def spread_of_differences(a: Values, scratch: Values) -> float:
    """Robust standard deviation from the distances of neighbours."""
    gaps = np.abs(a[1:] - a[:-1])
    return median(gaps, scratch) / MAD + TINY


@kernel
def quantiles(a: Values, scratch: Values, low: float, high: float) -> tuple[float, float]:
    """Two percentiles of `a`, linear."""
    m = a.size
    copy_into(scratch, a)
    lower = percentile(scratch, 0, m, m, low)
    # What lies below is smaller: only the rest is reordered for the upper one.
    return lower, percentile(scratch, int((m - 1) * (low / 100.0)), m, m, high)


@inlined_kernel
def blocks(y: Values, scratch: Values) -> Values:
    """Rows: medians, 90 % and 10 % quantiles of 150 blocks."""
    n = y.size
    found = np.empty((3, BLOCKS))
    for i in range(BLOCKS):
        start = i * n // BLOCKS
        stop = max(start + 1, (i + 1) * n // BLOCKS)
        piece = y[start:stop]
        found[0, i] = median(piece, scratch)
        low, high = quantiles(piece, scratch, 10.0, 90.0)
        found[1, i], found[2, i] = high, low
    return found


@inlined_kernel
def scales(y: Values, levels: Values, scratch: Values) -> Values:
    """s, bn, rng, r98, br, iq, q2, q98: the units in which features are measured."""
    half = y[y.size // 2 :]
    q2, q98 = quantiles(y, scratch, 2.0, 98.0)
    q25, q75 = quantiles(half, scratch, 25.0, 75.0)
    return np.array(
        [
            spread_of_differences(half, scratch),
            spread_of_differences(levels[BLOCKS // 2 :], scratch),
            y.max() - y.min() + SMALL,
            q98 - q2 + SMALL,
            levels.max() - levels.min() + SMALL,
            q75 - q25,
            q2,
            q98,
        ]
    )


@kernel
def share_beyond(levels: Values, centre: float, distance: float) -> float:
    """Share of `levels` farther from `centre` than `distance`."""
    count = 0
    for level in levels:
        count += abs(level - centre) > distance
    return count / levels.size


@kernel
def last_beyond(levels: Values, distance: float) -> float:
    """20 times the index of the last block farther from 1 than `distance`; 0 if none is."""
    for i in range(levels.size - 1, -1, -1):
        if abs(levels[i] - 1) > distance:
            return 20.0 * i
    return 0.0


@inlined_kernel
def drift(z: Values, sc: float, out: Values) -> None:
    """Where the running sum of deviations is greatest and least, and how far it goes."""
    mean = squares = total = 0.0
    for i in range(z.size):
        mean += z[i]
    mean /= z.size
    high, low, at_high, at_low = -np.inf, np.inf, 0, 0
    for i in range(z.size):
        squares += (z[i] - mean) * (z[i] - mean)
        total += z[i] - mean
        if total > high:
            high, at_high = total, i
        if total < low:
            low, at_low = total, i
    unit = z.size * ((squares / z.size) ** 0.5 + SMALL)
    out[0], out[1], out[2], out[3] = at_high / sc, high / unit, at_low / sc, low / unit


@inlined_kernel
def global_features(y: Values, found: Values, unit: Values, scratch: Values) -> Values:
    """Features 48 to 77, which belong to the series alone."""
    n, levels = y.size, found[0]
    sc, h = n / 3000, n // 2
    s, bn, rng, r98, br, iq, q2, q98 = unit
    out = np.empty(FEATURES - GLOBAL)
    out[0], out[1], out[2], out[3] = np.log(s), np.log(bn), np.log(rng), np.log(r98)
    out[4], out[5] = np.log(br), np.log(iq + TINY)
    out[6] = y[0] - 1
    for i, k in enumerate((10, 50, 150)):
        out[7 + i] = median(y[: max(3, int(k * sc))], scratch) - 1
    a, b = int(150 * sc), int(450 * sc)
    c = int(1000 * sc)
    out[10] = median(y[a:b], scratch) - 1
    out[11] = median(y[b:c], scratch) - 1
    out[12] = median(y[c:h], scratch) - 1
    fall = median(y[h : h + n // 4], scratch) - median(y[h + n // 4 :], scratch)
    out[13], out[14] = fall, fall / bn
    out[15] = (levels > 1 + 3 * bn).mean()
    out[16] = (levels < 1 - 3 * bn).mean()
    out[17] = share_beyond(levels, 1.0, 0.02)
    out[18], out[19] = last_beyond(levels, 4 * bn), last_beyond(levels, 10 * bn)
    out[20], out[21] = last_beyond(levels, 0.03), last_beyond(levels, 0.1 * br)
    z = np.minimum(np.maximum(y, q2), q98)
    drift(z, sc, out[22:26])
    out[26] = (y > 1 + 0.5 * rng).mean()
    out[27] = share_beyond(z, 1.0, 3 * s)
    out[28] = y.argmax() / sc
    out[29] = median(found[1] - found[2], scratch) / bn
    return out


@inlined_kernel
def block_steps(levels: Values) -> Values:
    """Distance of the means of three blocks before and from each block on; 0 at the ends."""
    steps = np.zeros(BLOCKS)
    for q in range(3, BLOCKS - 3):
        steps[q] = abs(levels[q - 3 : q].sum() - levels[q : q + 3].sum()) / 3
    return steps


@inlined_kernel
def later_blocks(found: Values, i: int, unit: Values, level: float, out: Values) -> None:
    """Features 2 to 12 but 8: how the blocks from i on differ from their own median."""
    levels, bn, r98 = found[0, i:], unit[1], unit[3]
    up, down = levels.max() - level, level - levels.min()
    out[2], out[3], out[4], out[5] = up / bn, down / bn, up / r98, down / r98
    out[6], out[7] = up, down
    out[9] = share_beyond(levels, level, 3 * bn)
    out[10] = share_beyond(levels, level, 0.05 * r98)
    out[11] = (found[1, i:].max() - level) / r98
    out[12] = (level - found[2, i:].min()) / r98


@inlined_kernel
def around(  # noqa: PLR0917  # kernels take no keywords
    y: Values, t: int, unit: Values, level: float, scratch: Values, out: Values
) -> None:
    """Features 13 to 37: levels of windows of five lengths before and after t."""
    sc = y.size / 3000
    s, bn, rng, r98 = unit[0], unit[1], unit[2], unit[3]
    for k, length in enumerate((10, 30, 80, 200, 500)):
        w = max(2, int(length * sc))
        before = median(y[max(0, t - w) : t], scratch)
        after = median(y[t : t + w], scratch)
        at = 13 + 5 * k
        out[at], out[at + 1] = (before - after) / s, (before - after) / rng
        out[at + 2] = (before - after) / r98
        out[at + 3], out[at + 4] = (after - level) / bn, (after - level) / r98


@kernel
def width_and_tops(a: Values, scratch: Values) -> tuple[float, float, float]:
    """q90 - q10, q98 and the maximum of a window."""
    low, high = quantiles(a, scratch, 10.0, 90.0)
    m = a.size
    top = percentile(scratch, int((m - 1) * 0.9), m, m, 98.0)
    return high - low, top, a.max()


@inlined_kernel
def widths(y: Values, t: int, unit: Values, scratch: Values, out: Values) -> None:
    """Features 41 to 44: how values scatter before and after t."""
    w = max(4, int(100 * (y.size / 3000)))
    wide, top, most = width_and_tops(y[max(0, t - w) : t], scratch)
    wide_after, top_after, most_after = width_and_tops(y[t : t + w], scratch)
    out[41] = np.log((wide + TINY) / (wide_after + TINY))
    out[42] = wide / unit[3]
    out[43] = (top - top_after) / unit[3]
    out[44] = (most - most_after) / unit[2]


@kernel
def places(grid: Values, n: int) -> Places:
    """The positions of the grid in a series of n values."""
    sc, found = n / 3000, np.empty(grid.size, np.int64)
    for k in range(grid.size):
        found[k] = min(max(int(grid[k] * sc), 1), n - 3)
    return found


@kernel
def features(y: Values, grid: Values) -> Values:
    """A row of 78 features for each position of the grid; y is `normalised`, 100 values or more."""
    n, scratch = y.size, np.empty(max(y.size, BLOCKS))
    found = blocks(y, scratch)
    levels = found[0]
    unit = scales(y, levels, scratch)
    own = global_features(y, found, unit, scratch)
    steps = block_steps(levels)
    highest = np.empty(n)
    highest[n - 1] = y[n - 1]
    for i in range(n - 2, -1, -1):
        highest[i] = max(y[i], highest[i + 1])
    out = np.empty((grid.size, FEATURES))
    for k, t in enumerate(places(grid, n)):
        row = out[k]
        i = min(BLOCKS - 2, t * BLOCKS // n + 1)
        level = median(levels[i:], scratch)
        row[0], row[1] = grid[k], np.log(grid[k])
        later_blocks(found, i, unit, level, row)
        row[8] = (highest[t] - level) / unit[2]
        around(y, t, unit, level, scratch, row)
        early = median(y[:t], scratch) - level
        row[38], row[39], row[40] = early / unit[1], early / unit[3], early / unit[2]
        widths(y, t, unit, scratch, row)
        later, sooner = steps[i + 1 :].max(), steps[: i + 1].max()
        row[45], row[46], row[47] = later / unit[1], sooner / unit[1], later / unit[3]
        copy_into(row[GLOBAL:], own)
    return out


@kernel
def logarithms(y: Values) -> Values:
    """Natural logarithms; of less than `LEAST`, that of it."""
    return np.log(np.maximum(y, LEAST))


@kernel
def strengths(y: Values) -> Values:
    """|median ln of the 80 values before u - median ln of the 80 from u on|; 0 near the ends."""
    n, found = y.size, np.zeros(y.size)
    if n <= 2 * HALF:
        return found
    logs = logarithms(y)
    window = logs[:HALF].copy()
    sort_small(window, 0, HALF)
    medians = np.empty(n - HALF + 1)
    medians[0] = middle_of(window, HALF)
    for i in range(1, n - HALF + 1):
        slide(window, logs[i - 1], logs[i + HALF - 1])
        medians[i] = middle_of(window, HALF)
    for u in range(HALF, n - HALF):
        found[u] = abs(medians[u - HALF] - medians[u])
    return found


@kernel
def usual_strength(strength: Values) -> float:
    """Median strength of every 20th place that is compared; infinite where there is none."""
    inner = strength[STEPPED_FROM : max(STEPPED_FROM, strength.size - HALF) : EVERY].copy()
    return median(inner, np.empty(inner.size)) if inner.size else np.inf


@inlined_kernel
def reach(n: int, t: int, share: float) -> tuple[int, int]:
    """First and last place that an answer t may move to: `share` of t to either side."""
    sc = n / 3000
    far = max(int(NEAR * sc), int(share * t))
    return max(1, t - far), min(int(LAST * sc), t + far)


@kernel
def moved(strength: Values, t: int, share: float, ratio: float, fade: float) -> int:
    """The strongest step about t (the first of equals), if it stands out; t if none does.

    Strength counts less with the distance from t: by exp(-fade) at the end of the reach.
    """
    first, last = reach(strength.size, t, share)
    far = max(1, t - first, last - t)  # an end of the series may cut one side off
    best, most = first, -1.0
    for u in range(first, last + 1):
        counted = strength[u] * np.exp(-fade * abs(u - t) / far)
        if counted > most:
            best, most = u, counted
    for u in range(max(first, best - HALF // 2), min(last, best + HALF // 2) + 1):
        if strength[u] > strength[best]:
            best = u  # a step is as wide as its windows: its top, not the side that lies near t
    if first <= last and strength[best] > ratio * usual_strength(strength):
        return best
    return t


@kernel
def risen(shares: Values) -> Values:
    """Running maximum: a distribution never falls."""
    out = shares.copy()
    for k in range(1, out.size):
        out[k] = max(out[k - 1], out[k])
    return out


@kernel
def quantile_of(cdf: Values, grid: Values, q: float) -> float:
    """Where `cdf`, which never falls, reaches q: between two positions along their logarithms."""
    for k in range(grid.size):
        if cdf[k] >= q:
            if k == 0:
                return float(grid[0] / 2)
            part = (q - cdf[k - 1]) / (cdf[k] - cdf[k - 1])
            low, high = np.log(grid[k - 1]), np.log(grid[k])
            between = np.exp(low + part * (high - low))
            return float(between)
    return float(grid[-1])
