"""A step of a start that may take long: said once it does, and said again while it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SAID_AFTER, SAID_AGAIN_EVERY = 1.0, 15.0  # seconds; a start with nothing to do says nothing


@contextmanager
def step(title: str) -> Iterator[None]:
    """While the block runs, say now and then that it does, and for how long it has."""
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(title, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(title: str, done: threading.Event) -> None:
    began = time.monotonic()
    if done.wait(SAID_AFTER):
        return
    print(f"{title} …", flush=True)
    while not done.wait(SAID_AGAIN_EVERY):
        print(f"{title} … {time.monotonic() - began:.0f} s so far", flush=True)
