"""Labelled series, and the windows of them that the learned stopping methods are fitted on.

A window is stable if it begins at or after the first steady iteration. Up to a hundred windows are
taken of a series, half of them stable, spread evenly over either half.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.contract import NEVER, Values
from detectors.learned.windows import WINDOW, Singles, windows_at

PER_SERIES: Final = 100
Starts = NDArray[np.int64]
Labels = NDArray[np.bool_]
Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSeries:
    """One series with its label.

    benchmark: as `detectors.learned.crossfit.benchmark_key` gives it. first: the first stable
    window, which is the first steady iteration; `NEVER`. A published change point p means p + 1.
    """

    benchmark: str
    values: Values
    first: int

    @property
    def system(self) -> str:
        return self.benchmark.partition("#")[0]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledWindows:
    """Windows with their labels; `series` is the number of the series each is of."""

    windows: Singles
    stable: Labels
    series: Starts

    def windows_of(self, is_chosen: Chosen) -> LabelledWindows:
        """Windows of the series for which `is_chosen` is true."""
        window_mask = is_chosen[self.series]
        return LabelledWindows(
            self.windows[window_mask], self.stable[window_mask], self.series[window_mask]
        )

    def sample(self, most_windows: int | None, seed: Sequence[int]) -> LabelledWindows:
        """Draw `most_windows` windows at random, in their order; None keeps all of them."""
        if most_windows is None or self.stable.size <= most_windows:
            return self
        drawn_rows = np.random.default_rng(seed).choice(
            self.stable.size, most_windows, replace=False
        )
        drawn_rows.sort()
        return LabelledWindows(
            self.windows[drawn_rows], self.stable[drawn_rows], self.series[drawn_rows]
        )


def window_starts(n: int, first: int, width: int = WINDOW) -> tuple[Starts, Starts]:
    """Unstable and stable starts that are taken of n values; `first` is the first stable one.

    Fifty of either label, evenly spaced. Where one label has fewer, all of these are taken, and
    of the other as many more.
    """
    last = n - width
    first = last + 1 if first == NEVER else min(first, last + 1)
    unstable_range, stable_range = (0, first - 1), (first, last)
    label_count = PER_SERIES // 2
    unstable_starts, stable_starts = (
        spaced_numbers(*unstable_range, label_count),
        spaced_numbers(*stable_range, label_count),
    )
    if unstable_starts.size < label_count <= stable_starts.size:
        return unstable_starts, spaced_numbers(*stable_range, PER_SERIES - unstable_starts.size)
    if stable_starts.size < label_count <= unstable_starts.size:
        return spaced_numbers(*unstable_range, PER_SERIES - stable_starts.size), stable_starts
    return unstable_starts, stable_starts


def spaced_numbers(low: int, high: int, count: int) -> Starts:
    """Evenly spaced whole numbers from `low` to `high`, both included, at most `count`; none if
    `high` is less.

    Distances are those of NumPy's floating-point `linspace`, cut off, as in the published data.
    """
    if high < low:
        return np.empty(0, dtype=np.int64)
    return np.unique(np.linspace(low, high, count, dtype=np.int64))


def is_usable(labelled_series: LabelledSeries, width: int = WINDOW) -> bool:
    """True where a series is fitted on: steady, and with a stable window."""
    return (
        labelled_series.first != NEVER
        and labelled_series.first <= labelled_series.values.size - width
    )


def segments_of(series: Sequence[LabelledSeries], width: int = WINDOW) -> LabelledWindows:
    """The windows of all usable series; never-steady ones have none."""
    windows: list[Singles] = []
    labels: list[Labels] = []
    numbers: list[Starts] = []
    for number, labelled_series in enumerate(series):
        if not is_usable(labelled_series, width):
            continue
        unstable_starts, stable_starts = window_starts(
            labelled_series.values.size, labelled_series.first, width
        )
        windows.append(
            windows_at(
                labelled_series.values, np.concatenate([unstable_starts, stable_starts]), width
            )
        )
        labels.append(np.repeat([False, True], [unstable_starts.size, stable_starts.size]))
        numbers.append(np.full(unstable_starts.size + stable_starts.size, number))
    if not windows:
        return LabelledWindows(
            np.empty((0, width), np.float32), np.empty(0, bool), np.empty(0, int)
        )
    return LabelledWindows(np.concatenate(windows), np.concatenate(labels), np.concatenate(numbers))


def all_windows(
    labelled_series: LabelledSeries, step: int = 1, width: int = WINDOW
) -> tuple[Singles, Labels]:
    """All windows of a series, or each `step`-th: what a threshold is chosen on."""
    starts = np.arange(0, labelled_series.values.size - width + 1, step)
    is_stable = (
        np.zeros(starts.size, bool)
        if labelled_series.first == NEVER
        else starts >= labelled_series.first
    )
    return windows_at(labelled_series.values, starts, width), is_stable


def labelled_digest(series: Sequence[LabelledSeries]) -> str:
    """SHA-256 of all names, values and labels."""
    digest = hashlib.sha256()
    for labelled_series in series:
        digest.update(
            f"{labelled_series.benchmark}\n{labelled_series.first}\n".encode()
            + labelled_series.values.tobytes()
        )
    return digest.hexdigest()
