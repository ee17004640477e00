"""Garbage collection of a program that loads: nothing that it has loaded is garbage.

To look for some all the same takes a third of a start, and as long again at the end.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (10_000, 20, 5)
"""New objects until a collection, and collections until one of older ones: a page that reads
thousands of rows spends a tenth of its time on collections after 700 objects, as is usual. Old
cycles are freed after a million new objects: after four million, a web process kept megabytes."""


def pause() -> None:
    """Collect nothing, until `resume`."""
    gc.disable()


def resume() -> None:
    """Collect again, but never what is there now; at the end, nothing."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


@contextmanager
def paused_collection() -> Iterator[None]:
    """Not while the block loads something."""
    pause()
    try:
        yield
    finally:
        resume()
