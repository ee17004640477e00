"""Garbage collection of a program that loads: nothing that it has loaded is garbage.

To look for some all the same takes a third of a start, and as long again at the end.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


def pause() -> None:
    """Collect nothing, until `resume`."""
    gc.disable()


def resume() -> None:
    """Collect again, but never what is there now; at the end, nothing."""
    gc.freeze()
    gc.enable()
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


@contextmanager
def paused() -> Iterator[None]:
    """Not while the block loads something."""
    pause()
    try:
        yield
    finally:
        resume()
