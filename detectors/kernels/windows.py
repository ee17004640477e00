"""Sliding windows that stay sorted: quantiles of every window without sorting each."""

from __future__ import annotations

from detectors.contract import Values
from detectors.kernels.jit import kernel


@kernel
def place_of(window: Values, size: int, value: float) -> int:
    """First index in the sorted ``window[:size]`` whose element is at least `value`."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if window[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def insert(window: Values, size: int, value: float) -> None:
    """Put `value` into the sorted ``window[:size]``, which then has one more element."""
    insertion_index = place_of(window, size, value)
    for i in range(size, insertion_index, -1):
        window[i] = window[i - 1]
    window[insertion_index] = value


@kernel
def remove_from_window(window: Values, size: int, value: float) -> None:
    """Take `value`, which is there, out of the sorted ``window[:size]``."""
    for i in range(place_of(window, size, value), size - 1):
        window[i] = window[i + 1]


@kernel
def slide(window: Values, old_value: float, new_value: float) -> None:
    """Replace `old_value`, which is there, by `new_value` in the sorted `window`."""
    size = window.size
    i = place_of(window, size, old_value)
    while i > 0 and window[i - 1] > new_value:
        window[i] = window[i - 1]
        i -= 1
    while i < size - 1 and window[i + 1] < new_value:
        window[i] = window[i + 1]
        i += 1
    window[i] = new_value


@kernel
def middle_of(window: Values, size: int) -> float:
    """Median of the sorted ``window[:size]``."""
    upper = window[size // 2]
    return float(upper if size % 2 else (window[size // 2 - 1] + upper) / 2)
