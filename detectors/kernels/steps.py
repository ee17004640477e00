"""Places at which a series may be called steady: its steps, seen with windows of three lengths.

The strength of a step at u is the distance of the medians of the logarithms before u and from u
on. Windows are cut short by the ends of the series, so that a step near its beginning counts too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import kernel
from detectors.kernels.plateau import LEAST, logarithms, usual_strength
from detectors.kernels.windows import insert, middle_of, remove, slide

Places = NDArray[np.int64]

STEP_FEATURES = 12
SHORT, MIDDLE, LONG = 20, 80, 200  # iterations on either side
SHORT_FROM, MIDDLE_FROM, LONG_FROM = 3, 5, 20  # the shortest window, at an end of the series
ASIDE = 40  # iterations: another step, not another side of this one
TIE = 1e-9


@kernel
def step_strengths(logs: Values, half: int, least: int) -> Values:
    """Strength of a step at each u; 0 where fewer than `least` values are on either side."""
    n = logs.size
    before, behind = np.zeros(n + 1), np.zeros(n + 1)
    window = np.empty(half)
    size = 0
    for u in range(1, n + 1):
        if size < half:
            insert(window, size, logs[u - 1])
            size += 1
        else:
            slide(window, logs[u - 1 - half], logs[u - 1])
        before[u] = middle_of(window, size)
        if u >= half:
            behind[u - half] = before[u]
    for u in range(max(1, n - half + 1), n):
        if size > n - u:
            remove(window, size, logs[u - 1])
            size -= 1
        behind[u] = middle_of(window, size)
    found = np.zeros(n)
    for u in range(least, n - least):
        found[u] = abs(before[u] - behind[u])
    return found


def tops(strength: Values, apart: int, first: int, last: int, most: int) -> Places:
    """The `most` strongest places in [first, last) that nothing within `apart` exceeds.

    Of equals the first counts. In order of strength.
    """
    # Sorted here, because compiling a sort takes longer than all the rest.
    found = peaks(strength, apart, first, last)
    return found[np.argsort(-strength[found], kind="stable")[:most]]


@kernel
def peaks(strength: Values, apart: int, first: int, last: int) -> Places:
    """The places in [first, last) that nothing within `apart` exceeds, ascending."""
    n, count = strength.size, 0
    found = np.empty(n, np.int64)
    for u in range(first, last):
        if strength[u] <= 0:
            continue
        low = max(0, u - apart)
        place = low + strength[low : min(n, u + apart + 1)].argmax()
        if place == u:
            found[count] = u
            count += 1
    return found[:count]


@kernel
def above(strength: Values, among: Places, level: float) -> float:
    """How many of the places `among` are stronger than `level`."""
    count = 0
    for u in among:
        count += strength[u] > level
    return float(count)


@kernel
def strongest(strength: Values, among: Places, first: int, last: int) -> float:
    """Greatest strength of the places `among` in [first, last); 0 if there are none."""
    most = 0.0
    for u in among:
        if first <= u < last:
            most = max(most, strength[u])
    return most


@kernel
def against(strength: float, other: float) -> float:
    """How many times as strong; 50 where there is no other."""
    return strength / (other + TIE) if other > 0 else 50.0


def candidates(y: Values, places: Places) -> tuple[Places, Values]:
    """Iterations that an answer may be, rising, and a row of 12 features for each.

    The `places` of the grid, and the tops of steps over 80 and over 20 iterations; `y` is
    `normalised`, 100 values or more.
    """
    n, logs = y.size, logarithms(y)
    short = step_strengths(logs, SHORT, SHORT_FROM)
    middle = step_strengths(logs, MIDDLE, MIDDLE_FROM)
    long = step_strengths(logs, LONG, LONG_FROM)
    tops80 = tops(middle, 30, MIDDLE_FROM, n - 60, 24)
    tops20 = tops(short, 10, SHORT_FROM, n - 30, 16)
    at = np.unique(np.concatenate((places, tops80, tops20)))
    return at, step_rows(at, short, middle, long, tops80, tops20)


@kernel
def step_rows(  # noqa: PLR0917  # kernels have no keyword arguments
    at: Places, short: Values, middle: Values, long: Values, tops80: Places, tops20: Places
) -> Values:
    """A row of 12 features for each iteration `at`, of the three strengths and their tops."""
    n = short.size
    usual80, usual20 = usual_strength(middle) + TIE, usual_strength(short) + TIE
    most80, most20 = strongest(middle, tops80, 0, n), strongest(short, tops20, 0, n)
    rows = np.empty((at.size, STEP_FEATURES))
    for k in range(at.size):
        u, row = at[k], rows[k]
        a, b = middle[u], short[u]
        row[0], row[1], row[2] = a / usual80, b / usual20, long[u] / usual80
        row[3], row[4] = a / (most80 + LEAST), b / (most20 + LEAST)
        row[5], row[6] = above(middle, tops80, a), above(short, tops20, b)
        row[7] = against(a, strongest(middle, tops80, u + ASIDE + 1, n))
        row[8] = against(a, strongest(middle, tops80, 0, u - ASIDE))
        row[9] = a / (middle[max(0, u - ASIDE) : u + ASIDE + 1].max() + LEAST)
        row[10] = b / (short[max(0, u - 10) : u + 11].max() + TIE)
        row[11] = np.log(a + 1e-6)
    return rows
