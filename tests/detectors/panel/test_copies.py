"""Copies of a series: known by the order of neighbouring values, and others never taken for one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from demo import nights
from detectors.contract import Values
from detectors.panel.copies import (
    LENGTH,
    SketchIndex,
    as_bytes,
    of_bytes,
    sketch,
    sketches,
    value_sketch,
    value_sketches,
)
from detectors.simulated.synthetic import KINDS, simulate
from tests import published_data

Change = Callable[[Values], Values]
COPIES: dict[str, Change] = {
    "itself": lambda x: x,
    "less the first": lambda x: x[1:],
    "less the last": lambda x: x[:-1],
    "less 500 at either end": lambda x: x[500:-500],
    "the first tenth": lambda x: x[:300],
    "the last tenth": lambda x: x[-300:],
    "a thousand times": lambda x: 1000 * x,
    "in another unit": lambda x: x * 1.1e-9,
    "shifted": lambda x: x + 0.5,
    "as a rate": lambda x: 1 / x,
    "negative": lambda x: -x,
    "logarithms": np.log,
    "in single precision": lambda x: x.astype(np.float32).astype(np.float64),
    "to six digits": lambda x: np.array([float(f"{each:.6g}") for each in x]),
    "behind something else": lambda x: np.r_[noisy_values(9, 3000), x],
    "before something else": lambda x: np.r_[x, noisy_values(9, 3000)],
}


def noisy_values(seed: int, n: int = 3000) -> Values:
    return 1 + np.random.default_rng(seed).exponential(0.01, n)


def copy_indices(values: Values, all_series: list[Values]) -> list[int]:
    return copies_of_each([values], all_series)[0]


def copies_of_each(series: list[Values], all_series: list[Values]) -> list[list[int]]:
    index = SketchIndex.from_sketches([sketch(values) for values in all_series])
    return [index.copies_of(sketch(values)).tolist() for values in series]


@pytest.mark.parametrize("change", COPIES.values(), ids=COPIES)
def test_a_copy_is_known_among_others(change: Change) -> None:
    series = [noisy_values(seed) for seed in range(3)]

    assert [copy_indices(change(values), series) for values in series] == [[0], [1], [2]]


@pytest.mark.parametrize("levels", [2, 3, 5])
@pytest.mark.parametrize("change", ["less the first", "less 500 at either end", "as a rate"])
def test_a_copy_of_few_levels_is_known(change: str, levels: int) -> None:
    integer_series = [np.random.default_rng(seed).integers(1, 1 + levels, 3000) for seed in (0, 1)]
    series = [values.astype(np.float64) for values in integer_series]

    assert [copy_indices(COPIES[change](values), series) for values in series] == [[0], [1]]


@pytest.mark.parametrize("n", [LENGTH, LENGTH + 1, LENGTH + 2, 40])
def test_the_shortest_ones_share_all_that_they_have(n: int) -> None:
    x = noisy_values(4, n)

    assert copy_indices(2 * x, [x, noisy_values(5, n)]) == [0]


@pytest.mark.parametrize(
    "values",
    [
        np.empty(0),
        np.ones(1),
        np.ones(3000),
        noisy_values(0, LENGTH - 1),
        np.arange(3000.0),
        np.geomspace(1, 1e-3, 3000),
        np.repeat([2.0, 1.0], 1500),
        np.where(np.arange(3000) % 20 == 0, 2.0, 1.0),
        np.sin(np.arange(3000.0) / 50),
    ],
    ids=["none", "one", "level", "fifteen", "slope", "decay", "step", "spikes", "wave"],
)
def test_what_is_like_many_others_is_no_ones_copy(values: Values) -> None:
    assert sketch(values).size == 0
    assert copy_indices(values, [values]) == []


def test_among_nothing_nothing_is_known() -> None:
    assert copy_indices(noisy_values(0), []) == []


def test_simulated_series_of_other_seeds_are_no_copies() -> None:
    sketches = [
        sketch(simulate(kind, seed=seed, noise=noise).values)
        for kind in KINDS
        for noise in (0.0, 0.01, 0.05)
        for seed in (3 * list(KINDS).index(kind) + index + int(1000 * noise) for index in range(3))
    ]
    index = SketchIndex.from_sketches(sketches)

    copied_numbers = [
        number for number, hashes in enumerate(sketches) if set(index.copies_of(hashes)) - {number}
    ]

    assert len(sketches) == 99
    assert copied_numbers == []


def decaying_values(seed: int, n: int) -> Values:
    noise = 1 + 0.003 * np.random.default_rng([n, seed]).standard_normal(n)
    return (1 + np.exp(-np.arange(n) / 100)) * noise


@pytest.mark.parametrize("n", [100, 200, 300])
def test_short_warm_ups_of_one_shape_are_no_copies(n: int) -> None:
    series = [decaying_values(seed, n) for seed in range(40)]

    assert copies_of_each(series, series) == [[place] for place in range(40)]


def test_nights_of_the_demo_are_no_copies() -> None:
    series = [night.values for night in nights.night_measurements()]

    assert copies_of_each(series, series) == [[place] for place in range(len(series))]


@pytest.mark.parametrize("n", [100, 120, 300])
@pytest.mark.parametrize(
    "change",
    [
        lambda x: x[:-1],
        lambda x: x[: x.size // 2],
        lambda x: x[x.size // 2 :],
        lambda x: 1 / x[5:],
        lambda x: np.r_[x[: 4 * x.size // 5], decaying_values(99, x.size)],
    ],
    ids=["less the last", "first half", "second half", "as a rate", "before something else"],
)
def test_copies_of_short_series_are_known(change: Change, n: int) -> None:
    series = [decaying_values(seed, n) for seed in range(20)]

    changed_series = [change(values) for values in series]
    assert copies_of_each(changed_series, series) == [[place] for place in range(20)]


def patterns(values: Values) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The oracle: ranks of each 16 runs and the lengths of the inner 14, one by one."""
    runs: list[list[float]] = []
    for value in values.tolist():
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    windows = [runs[start : start + LENGTH] for start in range(len(runs) - LENGTH + 1)]
    return {_pattern(window) for window in windows if _is_telling(window)}


def _is_telling(runs: list[list[float]]) -> bool:
    levels, lengths = zip(*runs, strict=True)
    rises = [level < next_level for level, next_level in pairwise(levels)]
    turn_count = sum(rise != next_rise for rise, next_rise in pairwise(rises))
    return turn_count >= 4 and len(set(levels)) + len(set(lengths)) >= 8


def _pattern(runs: list[list[float]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    levels = [level for level, _ in runs]
    forward_code = [
        sum(level <= later_level for later_level in levels[k + 1 :])
        for k, level in enumerate(levels)
    ]
    backward_code = [
        sum(level >= later_level for later_level in levels[k + 1 :])
        for k, level in enumerate(levels)
    ]
    return tuple(min(forward_code, backward_code)), tuple(int(length) for _, length in runs[1:-1])


@given(
    st.lists(st.integers(0, 30), min_size=0, max_size=45),
    st.lists(st.integers(0, 30), min_size=0, max_size=45),
)
def test_patterns_are_those_of_the_definition(head: list[int], tail: list[int]) -> None:
    x, y = (
        np.array([*beginning, *noisy_values(1, 30), *tail], dtype=np.float64)
        for beginning in (head, tail)
    )
    pattern_count = min(len(patterns(x)), len(patterns(y)))  # all are kept
    least_shared = max(min(pattern_count, 3), min(32, 0.75 * pattern_count))

    assert sketch(x).size == len(patterns(x))
    assert bool(copy_indices(x, [y])) == (0 < least_shared <= len(patterns(x) & patterns(y)))


def test_a_sketch_is_the_same_on_every_machine() -> None:
    values = (np.arange(200) * 7919 % 211).astype(np.float64)

    assert as_bytes(sketch(values)[:4]).hex() == "ce9efb05fc2ad3087f593732e3047a48"
    assert of_bytes(as_bytes(sketch(values))).tolist() == sketch(values).tolist()


@pytest.mark.parametrize(("n", "kept_count"), [(200, 128), (3000, 128), (24_000, 999)])
def test_a_sketch_is_small(n: int, kept_count: int) -> None:
    assert sketch(noisy_values(2, n)).size == pytest.approx(kept_count, rel=0.01)


TRIMMED = ("less the first", "less the last", "less 500 at either end", "a thousand times")


def test_published_series_are_known_trimmed_and_taken_for_no_other() -> None:
    folder = published_data.replication_folder()
    with np.load(folder / "series.npz") as arrays:
        forks = list(arrays["fork0"])
    index = SketchIndex.from_sketches([sketch(fork) for fork in forks])

    for change in map(COPIES.__getitem__, TRIMMED):
        copies = [index.copies_of(sketch(change(fork))).tolist() for fork in forks[::6]]
        assert copies == [[place] for place in range(0, len(forks), 6)]


def test_many_at_once_have_the_sketches_that_each_has_alone() -> None:
    random = np.random.default_rng(3)
    lengths = [0, 1, 2, LENGTH - 1, LENGTH, 40, 500, 0, 40_000, 40]
    series = [np.round(random.normal(5, 1, n), digits) for n in lengths for digits in (1, 12)]
    series += [
        np.full(30, 2.0),
        np.arange(40.0),
        np.repeat([1.0, 2.0, 3.0], 7),
        np.tile([1e300], 20),
    ]

    for sketch_one, sketch_all in ((sketch, sketches), (value_sketch, value_sketches)):
        sketches_alone = [sketch_one(values).tolist() for values in series]
        assert [hashes.tolist() for hashes in sketch_all(series)] == sketches_alone
        assert [hashes.tolist() for hashes in sketch_all(series[::-1])] == sketches_alone[::-1]
    assert sketches([]) == value_sketches([]) == []
