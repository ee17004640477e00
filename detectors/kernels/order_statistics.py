"""Order statistics without sorting: the element of a rank, the two middle ones, percentiles."""

from __future__ import annotations

from detectors.contract import Values
from detectors.kernels.jit import inlined_kernel, kernel

SMALL = 12  # pieces up to this long are sorted by insertion
MULTIPLIER, INCREMENT, BITS = 1_103_515_245, 12_345, 0x7FFFFFFF  # of the ISO C example generator
STUCK = 8  # a pass that takes less than an eighth away may be looking at equal values


@kernel
def copy_into(scratch: Values, a: Values) -> None:
    """Put `a` into the first places of `scratch`.

    A loop: assigning an array to a slice takes numba two seconds more, and some in every caller,
    for the words that it would say if the arrays did not fit.
    """
    for i in range(a.size):
        scratch[i] = a[i]


@kernel
def sort_small(a: Values, lo: int, hi: int) -> None:
    """Sort ``a[lo:hi]`` by insertion."""
    for i in range(lo + 1, hi):
        v = a[i]
        j = i
        while j > lo and a[j - 1] > v:
            a[j] = a[j - 1]
            j -= 1
        a[j] = v


@kernel
def drawn_element(a: Values, lo: int, hi: int, draw: int) -> float:
    """The element of ``a[lo:hi]`` that the random number `draw` stands for."""
    return float(a[lo + (((draw >> 8) * (hi - lo)) >> 23)])


@kernel
def advance(draw: int) -> int:
    """The random number after `draw`: no pattern in the data meets the places so drawn."""
    return (draw * MULTIPLIER + INCREMENT) & BITS


@inlined_kernel
def median_of_five(a: Values, lo: int, hi: int, draw: int) -> float:
    """Median of five drawn elements."""
    v = drawn_element(a, lo, hi, draw)
    draw = advance(draw)
    w = drawn_element(a, lo, hi, draw)
    draw = advance(draw)
    x = drawn_element(a, lo, hi, draw)
    draw = advance(draw)
    y = drawn_element(a, lo, hi, draw)
    draw = advance(draw)
    z = drawn_element(a, lo, hi, draw)
    low, high = max(min(v, w), min(x, y)), min(max(v, w), max(x, y))
    low, high = min(low, high), max(low, high)
    return max(low, min(high, z))


@kernel
def select(a: Values, lo: int, hi: int, k: int) -> int:
    """Reorder ``a[lo:hi]``: ``a[k]`` is what sorting would put there, none larger before it.

    Returns the start of a piece that ends in or behind k, is sorted up to k, and has
    nothing larger before it. The partition has no branch for the processor to guess.
    """
    draw = hi - lo
    while hi - lo > SMALL:
        draw = advance(draw)
        pivot = median_of_five(a, lo, hi, draw)
        j = lo
        for i in range(lo, hi):
            v = a[i]
            a[i] = a[j]
            a[j] = v
            j += v < pivot
        if k < j:
            hi = j
            continue
        uses_few = (j - lo) * STUCK < hi - lo
        lo = j
        if uses_few:
            for i in range(lo, hi):
                v = a[i]
                a[i] = a[j]
                a[j] = v
                j += v <= pivot
            if k < j:
                return lo  # equal values from here to behind k
            lo = j
    sort_small(a, lo, hi)
    return lo


@kernel
def previous_element(a: Values, lo: int, piece: int, k: int) -> float:
    """The element of rank k - 1 after ``select(a, lo, hi, k)`` has returned `piece`."""
    if piece < k:
        return float(a[k - 1])
    peak = a[lo]
    for i in range(lo + 1, k):
        peak = max(peak, a[i])
    return float(peak)


@kernel
def middle_pair(a: Values, lo: int, hi: int) -> tuple[float, float]:
    """The two middle elements of ``a[lo:hi]``, reordering it; twice the same for an odd count."""
    k = (lo + hi) // 2
    piece = select(a, lo, hi, k)
    upper = float(a[k])
    return (previous_element(a, lo, piece, k) if (hi - lo) % 2 == 0 else upper), upper


@kernel
def median(a: Values, scratch: Values) -> float:
    """Median of `a`, the mean of the two middle elements; `scratch` is at least as long."""
    copy_into(scratch, a)
    lower, upper = middle_pair(scratch, 0, a.size)
    return (lower + upper) / 2


@kernel
def percentile(a: Values, lo: int, hi: int, m: int, percent: float) -> float:
    """Percentile of the first m elements of `a`, linear as NumPy's; reorders ``a[lo:hi]``.

    The caller knows that the rank in question, and the next, lie in ``a[lo:hi]``, and that
    ``a[:lo]`` holds none larger and ``a[hi:m]`` none smaller.
    """
    position = (m - 1) * (percent / 100.0)
    rank = int(position)
    share = position - rank
    if rank + 1 >= m:
        select(a, lo, hi, m - 1)
        return float(a[m - 1])
    piece = select(a, lo, hi, rank + 1)
    upper = a[rank + 1]
    lower = previous_element(a, lo, piece, rank + 1)
    # NumPy interpolates from the nearer end; the two formulas round differently.
    if share >= 0.5:
        return float(upper - (upper - lower) * (1 - share))
    return float(lower + (upper - lower) * share)
