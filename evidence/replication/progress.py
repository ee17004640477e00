"""Progress and remaining time of a long computation, on the error output."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TextIO, TypeVar

Item = TypeVar("Item")
BETWEEN: Final = 5.0
"""Seconds between two lines; also the time after which a computation counts as a long one."""


def track_items(
    items: Sequence[Item],
    items_words: str,
    *,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Item]:
    """Yield `items`; from time to time say how many are done, and about when the rest will be.

    The first item, for which kernels are compiled, says nothing about the time of the rest.
    """
    output = sys.stderr if stream is None else stream
    second_began_at = last_report = clock()
    for done_count, item in enumerate(items):
        moment = clock()
        if done_count == 1:
            second_began_at = moment
        if done_count and moment - last_report >= BETWEEN:
            last_report, rest = moment, ""
            if done_count > 1:
                seconds_an_item = (moment - second_began_at) / (done_count - 1)
                remaining_seconds = seconds_an_item * (len(items) - done_count)
                rest = f", about {rough_duration(remaining_seconds)} to go"
            progress = f"{items_words}: {done_count:,} of {len(items):,}{rest}"
            print(progress, file=output, flush=True)
        yield item


def rough_duration(seconds: float) -> str:
    """`40 s`, `12 min`, `1 h 5 min`: as exact as an estimate is."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
