"""Means of resamples of forks: forks are drawn first, then values of each drawn fork.

Every random word is a hash of its number (splitmix64: Steele, Lea & Flood 2014), in a stream for
each resample, so that a resample is the same whichever were made before it. No index is likelier
than another: words that would make it so are refused (Lemire 2019).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel
from detectors.kernels.laaber import GOLDEN, LOWER_HALF, S32, Words, word

Places = NDArray[np.int64]

# A word of 64 bits holds three lanes; the upper bits of a lane times a size are an index.
LANE, TWO_LANES, LOW = np.uint64(21), np.uint64(42), np.uint64((1 << 21) - 1)
LANES, WORDS_OF_HALF = np.uint64(1 << 21), np.uint64(1 << 32)
WIDE = 1 << 17  # values of a fork, beyond which a lane would be refused too often


@kernel
def draw_half(size: np.uint64, state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """An index below `size` (less than 2^32), and the state after."""
    lowest_word = WORDS_OF_HALF % size
    while True:
        state += GOLDEN
        product = (word(state) >> S32) * size
        if (product & LOWER_HALF) >= lowest_word:
            return product >> S32, state


@inlined_kernel
def sum_drawn(
    values: Values, begin: int, size: int, draws: int, state: np.uint64
) -> tuple[float, np.uint64]:
    """Sum of `draws` values, each any of the `size` from `begin` on; and the state after.

    Three indices are made of a word, and summed apart from one another: a word is used if all
    three may be, so that each is as likely as any.
    """
    n, offset = np.uint64(size), np.uint64(begin)
    a, b, c = 0.0, 0.0, 0.0
    remaining_draws = draws
    if size <= WIDE:
        lowest_word = LANES % n
        while remaining_draws >= 3:
            state += GOLDEN
            w = word(state)
            p, q, r = (w & LOW) * n, ((w >> LANE) & LOW) * n, ((w >> TWO_LANES) & LOW) * n
            if (p & LOW) < lowest_word or (q & LOW) < lowest_word or (r & LOW) < lowest_word:
                continue
            a += values[offset + (p >> LANE)]
            b += values[offset + (q >> LANE)]
            c += values[offset + (r >> LANE)]
            remaining_draws -= 3
    while remaining_draws > 0:
        index, state = draw_half(n, state)
        a += values[offset + index]
        remaining_draws -= 1
    return a + b + c, state


@kernel
def resampled_means(values: Values, ends: Places, key: Words, first: int, count: int) -> Values:
    """Means of the resamples `first`, `first` + 1, … of the stream `key` (one word).

    values: the forks, one after the other; ends: int64 (forks,), where each ends. A resample has
    as many forks as there are, each any of them, and as many values of a fork as that has, each
    any of them; its mean is that of all its values together.
    """
    forks = ends.size
    times = np.zeros(forks, dtype=np.int64)
    means = np.empty(count)
    for i in range(count):
        state = word(key[0] + GOLDEN * np.uint64(first + i + 1))
        times[:] = 0
        for _ in range(forks):
            fork, state = draw_half(np.uint64(forks), state)
            times[fork] += 1
        total, number, begin = 0.0, 0, 0
        for f in range(forks):
            size = ends[f] - begin
            if times[f] > 0:
                fork_sum, state = sum_drawn(values, begin, size, times[f] * size, state)
                total += fork_sum
                number += times[f] * size
            begin = ends[f]
        means[i] = total / number
    return means
