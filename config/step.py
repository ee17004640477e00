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
    finished_event = threading.Event()
    teller_thread = threading.Thread(target=_tell, args=(title, finished_event), daemon=True)
    teller_thread.start()
    try:
        yield
    finally:
        finished_event.set()
        teller_thread.join()


def _tell(title: str, finished_event: threading.Event) -> None:
    start_time = time.monotonic()
    if finished_event.wait(SAID_AFTER):
        return
    print(f"{title} …", flush=True)
    while not finished_event.wait(SAID_AGAIN_EVERY):
        print(f"{title} … {time.monotonic() - start_time:.0f} s so far", flush=True)
