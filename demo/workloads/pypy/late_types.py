"""Adds up whole numbers; later fractions, and later still text, are among them."""

from __future__ import annotations

from collections.abc import Callable


def worth(value: float | str) -> float:
    if isinstance(value, str):
        return len(value)
    return value * 3 + 1


def make(values: int, fractions_at: int, text_at: int) -> Callable[[int], int]:
    row: list[float | str] = [k % 100 for k in range(values)]

    def run(i: int) -> int:
        if i == fractions_at:
            row[::10] = [k / 4 for k in range(len(row[::10]))]
        if i == text_at:
            row[::7] = ["seven"] * len(row[::7])
        total: float = 0
        for value in row:
            total += worth(value)
        return int(total) % 1_000_003

    return run
