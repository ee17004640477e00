"""Copies of a series, recognised by the order of neighbouring values: trimmed, scaled or shifted.

A pattern is how 16 neighbouring values compare with one another; a value that is repeated counts
once, with the number of its repetitions. Neither unit nor place in the series is in it, and a rate
has the patterns of the time that it is the inverse of. A sketch keeps the patterns with the
smallest hashes, the same ones of a copy: series that share enough are copies of one another.

Sources: ordinal patterns, Bandt & Pompe 2002, doi:10.1103/PhysRevLett.88.174102; smallest hashes
as a sample that two sets have in common, Broder 1997, doi:10.1109/SEQUEN.1997.666900.

`value_sketch` does the same for the values without their order, `thin_values` takes series
apart that were put into one by turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Final, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from detectors.contract import Values

LENGTH: Final = 16  # runs in a pattern: its 16! orders fit into 64 bits
VARIED: Final = 8  # distinct values and distinct lengths of runs, together: fewer say too little
TURNS: Final = 4  # of 14 possible: a slope, and a level with one step, are everybody's
LEAST_KEPT: Final = 128
ONE_IN: Final = 24  # patterns of a long series that are kept
COMMON: Final = 32  # patterns that copies share: those of 47 values
MOST_OF: Final = 0.75  # of the patterns of a series that has hardly more than that
SHARED: Final = 3  # hashes at least: of 590,241 pairs of published series, two do that are no
# copies, forks of one benchmark each. Three alone are too few where all patterns are kept: of
# 19,900 pairs of 200 values that fall exponentially, with noise of 0.3 %, a third has three.

TOGETHER: Final = 1 << 15  # values of short series that are sketched at once
GAP_STEPS: Final = 4096  # of a doubling of a gap: finer ones are noise of floating point
PLACES: Final = 10**6  # between the least and the largest of a few values
LAST_BITS: Final = 24  # of a hash: a table of 16 MB, of which 2,000 usual series fill 1.5 %
_LAST: Final = np.uint32((1 << LAST_BITS) - 1)

Sketch = NDArray[np.uint32]
Counts = NDArray[np.int64]
Hashes = NDArray[np.uint64]


def sketch(values: Values) -> Sketch:
    """The smallest hashes of the patterns of `values`, rising: at most max(128, n / 24) of them.

    Whole numbers all the way, so it is the same on every machine. Empty where fewer than 16 runs
    of values differ enough to tell a series by: such a series is not recognised.
    """
    return sketches([values])[0]


def sketches(series: Sequence[Values]) -> list[Sketch]:
    """`sketch` of each series; of hundreds of short ones in a tenth of the time."""
    return [hashes for batch in _batches(series) for hashes in _smallest_hashes(*_hashes(batch))]


def value_sketch(values: Values) -> Sketch:
    """Sketch of the values without their order: reversed, shuffled or repeated ones share it.

    Its patterns are of the gaps between neighbouring values in the order of their size, read from
    either end: scaled, shifted and negative copies share them, rates do not. Where there are too
    few values for a pattern, one hash says where they lie between the extremes, and how often each
    occurs.
    """
    return value_sketches([values])[0]


def value_sketches(series: Sequence[Values]) -> list[Sketch]:
    """`value_sketch` of each series; of hundreds of short ones in a tenth of the time."""
    return [hashes for batch in _batches(series) for hashes in _value_sketches(batch)]


def _value_sketches(batch: JoinedSeries) -> list[Sketch]:
    sorted_series = batch.sorted()
    gaps = sorted_series.levels().gaps()
    patterns, owners, count = _hashes(gaps)
    backward_hashes, _, _ = _hashes(gaps.reversed())
    kept_hashes = _smallest_hashes(np.minimum(patterns, backward_hashes[::-1]), owners, count)
    return [
        hashes if hashes.size else _whole_hash(*np.unique(values, return_counts=True))
        for hashes, values in zip(kept_hashes, sorted_series.split(), strict=True)
    ]


def thin_values(values: Values) -> list[Values]:
    """The values, and every second and every third of them from each beginning on."""
    parts = [values[first::step] for step in (2, 3) for first in range(step)]
    return [values, *(np.ascontiguousarray(thinned_values) for thinned_values in parts)]


# --- many series, one after the other ---------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class JoinedSeries:
    """Values of several series in one array, `sizes` of them each: one call of NumPy for all."""

    values: Values
    sizes: Counts

    @property
    def owners(self) -> Counts:
        """The number of the series that each value is of."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @property
    def firsts(self) -> NDArray[np.bool_]:
        """Mask of values that are the first of their series."""
        is_first = np.zeros(self.values.size, bool)
        starts = np.cumsum(self.sizes) - self.sizes
        is_first[starts[self.sizes > 0]] = True
        return is_first

    def split(self) -> list[Values]:
        return np.split(self.values, np.cumsum(self.sizes)[:-1])

    def sorted(self) -> JoinedSeries:
        """Each series in the order of its values."""
        return JoinedSeries(
            np.concatenate([np.sort(values) for values in self.split()]), self.sizes
        )

    def masked_series(self, mask: NDArray[np.bool_]) -> JoinedSeries:
        sizes = np.bincount(self.owners[mask], minlength=self.sizes.size)
        return JoinedSeries(self.values[mask], sizes)

    def levels(self) -> JoinedSeries:
        """Sorted series with each value once."""
        differs = np.r_[True, self.values[1:] != self.values[:-1]][: self.values.size]
        return self.masked_series(differs | self.firsts)

    def gaps(self) -> JoinedSeries:
        """Gaps from each level to the next, in steps of a doubling; rising series."""
        is_inside = ~self.firsts[1:]
        rises = self.values[1:][is_inside] - self.values[:-1][is_inside]
        return JoinedSeries(np.round(np.log2(rises) * GAP_STEPS), np.maximum(self.sizes - 1, 0))

    def reversed(self) -> JoinedSeries:
        return JoinedSeries(np.ascontiguousarray(self.values[::-1]), self.sizes[::-1])


def _batches(series: Sequence[Values]) -> Iterator[JoinedSeries]:
    """Parts of the series, no more at once than it takes to have `TOGETHER` values."""
    gathered_series: list[Values] = []
    size = 0
    for values in series:
        gathered_series.append(values)
        size += values.size
        if size >= TOGETHER:
            yield _join_series(gathered_series)
            gathered_series, size = [], 0
    if gathered_series:
        yield _join_series(gathered_series)


def _join_series(series: Sequence[Values]) -> JoinedSeries:
    sizes = np.array([values.size for values in series], np.int64)
    return JoinedSeries(np.concatenate(series), sizes)


def _smallest_hashes(hashes: Hashes, owners: Counts, count: int) -> list[Sketch]:
    """The smallest distinct hashes of each of `count` series; of each hash, whose it is."""
    kept_counts = np.maximum(LEAST_KEPT, np.bincount(owners, minlength=count) // ONE_IN)
    keyed_hashes = (owners.astype(np.uint64) << np.uint64(32)) | (hashes >> np.uint64(32))
    keyed_hashes.sort()
    keyed_hashes = keyed_hashes[
        np.r_[True, keyed_hashes[1:] != keyed_hashes[:-1]][: keyed_hashes.size]
    ]
    edges = np.searchsorted(keyed_hashes, np.arange(count + 1, dtype=np.uint64) << np.uint64(32))
    low = keyed_hashes.astype(np.uint32)  # its lower half
    return [
        low[a : min(a + k, b)] for a, b, k in zip(edges[:-1], edges[1:], kept_counts, strict=True)
    ]


def _whole_hash(levels: Values, counts: Counts) -> Sketch:
    """One hash of the few values there are, whatever their unit; empty without any."""
    if not levels.size:
        return np.empty(0, np.uint32)
    span = levels[-1] - levels[0]
    level_places = np.round((levels - levels[0]) / (span or 1.0) * PLACES).astype("<i8")
    shares = (counts // np.gcd.reduce(counts)).astype("<i8")
    byte_forms = (
        np.r_[level_places, shares].tobytes(),
        np.r_[PLACES - level_places[::-1] if span else level_places, shares[::-1]].tobytes(),
    )
    return np.array([min(crc32(data) for data in byte_forms)], np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class SketchIndex:
    """Sketches of many series, to find those that one is a copy of.

    hashes: of all of them, rising. places: (k,) whose each is. sizes: of each sketch. shares: of
    the patterns of each that it keeps.
    """

    hashes: Sketch
    places: Counts
    sizes: Counts
    shares: Values

    @classmethod
    def from_sketches(cls, sketches: Sequence[Sketch]) -> Self:
        sizes = np.array([sketch_hashes.size for sketch_hashes in sketches], dtype=np.int64)
        hashes = np.concatenate([np.empty(0, np.uint32), *sketches])
        order = np.argsort(hashes, kind="stable")
        owners = np.repeat(np.arange(sizes.size), sizes)
        shares = np.array(
            [_kept_share(sketch_hashes) for sketch_hashes in sketches], dtype=np.float64
        )
        return cls(hashes[order], owners[order], sizes, shares)

    @property
    def repeated_hashes(self) -> Sketch:
        """Hashes of two of the series or more, rising: all that copies among them can share."""
        repeated_hashes: Sketch = self.hashes[1:][self.hashes[1:] == self.hashes[:-1]]
        return repeated_hashes

    def copies_of(self, sketch_hashes: Sketch) -> Counts:
        """Places of the series that `sketch_hashes` is a copy of, the one that shares most first.

        Copies share `COMMON` patterns, of a short series three quarters. Of those the smallest
        hashes are known, as large a share as both sketches keep; `SHARED` are asked for at least,
        or of a shorter sketch all.
        """
        low, high = (
            np.searchsorted(self.hashes, sketch_hashes, side) for side in ("left", "right")
        )
        # All of low[i] … high[i] - 1, one after the other
        sizes = high - low
        offsets = np.repeat(np.cumsum(sizes) - sizes, sizes)
        indices: Counts = np.repeat(low, sizes) + np.arange(offsets.size) - offsets
        hits = self.places[indices]
        shared_counts = np.bincount(hits, minlength=self.sizes.size)
        smaller_sizes = np.minimum(self.sizes, sketch_hashes.size)
        expected_counts = np.minimum(self.shares, _kept_share(sketch_hashes)) * np.minimum(
            COMMON, MOST_OF * smaller_sizes
        )
        least_counts = np.maximum(np.minimum(smaller_sizes, SHARED), expected_counts)
        copy_indices = np.flatnonzero((shared_counts >= least_counts) & (smaller_sizes > 0))
        copies: Counts = copy_indices[np.argsort(-shared_counts[copy_indices], kind="stable")]
        return copies


def sharing(sketches: Sequence[Sketch], hashes: Sketch) -> list[int]:
    """Places of the sketches that have enough among `hashes`, rising, of one series or of many.

    For many sketches at once: what it leaves out is a copy of none of those that `hashes` are of.
    """
    sizes = np.array([sketch_hashes.size for sketch_hashes in sketches], dtype=np.int64)
    all_hashes = np.concatenate([np.empty(0, np.uint32), *sketches])
    owners = np.repeat(np.arange(sizes.size), sizes)
    shared_counts = np.bincount(owners[_matching_indices(all_hashes, hashes)], minlength=sizes.size)
    least_counts = np.minimum(sizes, SHARED)
    sharing_indices: list[int] = np.flatnonzero(
        (shared_counts >= least_counts) & (shared_counts > 0)
    ).tolist()
    return sharing_indices


def _matching_indices(all_hashes: Sketch, hashes: Sketch) -> Counts:
    """Places of `all_hashes` that are one of `hashes`, which rise.

    Few are, and a table of last bits rules out most of the others: a search for each takes longer.
    """
    if not all_hashes.size or not hashes.size:
        return np.empty(0, np.int64)
    table = np.zeros(1 << LAST_BITS, bool)
    table[hashes & _LAST] = True
    candidates = np.flatnonzero(table[all_hashes & _LAST])
    if not candidates.size:
        return candidates
    hash_indices = np.searchsorted(hashes, all_hashes[candidates])
    matching_indices: Counts = candidates[
        hashes[np.minimum(hash_indices, hashes.size - 1)] == all_hashes[candidates]
    ]
    return matching_indices


def _kept_share(sketch_hashes: Sketch) -> float:
    """Share of a series' patterns that is kept: hashes are spread evenly, and the smallest are
    kept.
    """
    return 1.0 if sketch_hashes.size < LEAST_KEPT else float(sketch_hashes[-1]) / 2**32


def _hashes(batch: JoinedSeries) -> tuple[Hashes, Counts, int]:
    """One hash for each pattern that is told from others, in the order of the series; whose it is.

    And the number of series.
    """
    values, firsts = batch.values, batch.firsts
    differs = np.r_[True, values[1:] != values[:-1]][: values.size]
    starts = np.flatnonzero(differs | firsts)
    count = starts.size - LENGTH + 1
    if count < 1:
        return np.empty(0, np.uint64), np.empty(0, np.int64), batch.sizes.size
    levels, lengths = values[starts], np.diff(np.r_[starts, values.size])
    owners = batch.owners[starts]
    are_single = int(lengths.max()) == 1  # no two neighbours are equal: the usual case
    distinct_counts = _distinct_counts(levels)
    varied = distinct_counts + (1 if are_single else _distinct_counts(lengths))
    is_telling = (_turn_counts(levels) >= TURNS) & (varied >= VARIED)
    is_telling &= owners[:count] == owners[LENGTH - 1 :]  # within one series
    orders = _order_numbers(levels)
    if int(distinct_counts.min()) == LENGTH:  # no two values of a pattern are equal: the usual case
        inverse_orders = np.uint64(factorial(LENGTH) - 1) - orders
    else:
        inverse_orders = _order_numbers(-levels)
    orders = np.minimum(orders, inverse_orders)  # times and rates are alike
    run_hashes = _run_hashes(
        lengths[:LENGTH] if are_single else lengths
    )  # of runs of one the same everywhere
    return (
        _mix_bits(orders ^ _mix_bits(run_hashes))[is_telling],
        owners[:count][is_telling],
        batch.sizes.size,
    )


def _order_numbers(levels: Values) -> Hashes:
    """The number of each pattern's order among the 16! possible."""
    count = levels.size - LENGTH + 1
    later_count = np.zeros(levels.size, np.uint8)  # of the next few, how many are no less
    number = np.zeros(count, np.uint64)
    for reach in range(LENGTH):
        if reach:
            later_count[:-reach] += levels[:-reach] <= levels[reach:]
        offset = LENGTH - 1 - reach
        number += later_count[offset:][:count] * np.uint64(factorial(reach))
    return number


def _run_hashes(lengths: Counts) -> Hashes:
    """A hash of the lengths of each pattern's runs, but the outer two: a cut may shorten those."""
    count = lengths.size - LENGTH + 1
    hashes = np.zeros(count, np.uint64)
    for offset in range(1, LENGTH - 1):
        hashes = hashes * np.uint64(0x5851F42D4C957F2D) + lengths[offset:][:count].astype(np.uint64)
    return hashes


def _distinct_counts(numbers: Values | Counts) -> NDArray[np.uint8]:
    """Number of distinct numbers in each pattern."""
    count = numbers.size - LENGTH + 1
    is_repeat = np.zeros(numbers.size, bool)  # one of the next few is equal
    distinct_counts = np.full(count, LENGTH, np.uint8)
    for reach in range(1, LENGTH):
        is_repeat[:-reach] |= numbers[:-reach] == numbers[reach:]
        distinct_counts -= is_repeat[LENGTH - 1 - reach :][:count]
    return distinct_counts


def _turn_counts(levels: Values) -> Counts:
    """Number of turns of each pattern from rising to falling, or back."""
    rises = levels[:-1] < levels[1:]
    turn_sums = np.r_[0, np.cumsum(rises[1:] != rises[:-1])]
    turns: Counts = turn_sums[LENGTH - 2 :] - turn_sums[: 2 - LENGTH]
    return turns


def _mix_bits(numbers: Hashes) -> Hashes:
    """A hash of each number, in which every bit counts (SplitMix64, Steele et al. 2014)."""
    z = numbers + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def as_bytes(sketch_hashes: Sketch) -> bytes:
    """Bytes for storing: four a hash, little-endian."""
    return sketch_hashes.astype("<u4").tobytes()


def of_bytes(data: bytes | memoryview) -> Sketch:
    """Restore the sketch that `as_bytes` wrote."""
    return np.frombuffer(data, dtype="<u4").astype(np.uint32, copy=False)
