"""Registries whose entries are loaded when somebody first reads one.

A room that stands above others registers what they do not know of it: panels, badges, kinds of
jobs. `AppConfig.ready` names a function that does so (`register_later`). Its imports take as long
as all else of a start, and most commands read no registry.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

Entries = TypeVar("Entries")
_waiting: list[Callable[[], None]] = []
_lock = RLock()  # a second thread waits for registrations that a first one has begun


def register_later(register_all: Callable[[], None]) -> None:
    """Call `register_all` before the entries of any registry are read."""
    _waiting.append(register_all)


def register_waiting() -> None:
    """Register everything now: a process with threads, or one that forks, does so at its start.

    A registration that raises is called again by the next read.
    """
    with _lock:
        while _waiting:
            register = _waiting.pop(0)  # first: what it calls may read a registry
            try:
                register()
            except BaseException:
                _waiting.insert(0, register)
                raise


class LateRegistry(Generic[Entries]):
    """A list or mapping of what rooms register.

    present  the entries so far, to which registering adds
    """

    def __init__(self, present: Entries) -> None:
        self.present = present

    @property
    def entries(self) -> Entries:
        """All entries, registered first where that is still to be done."""
        register_waiting()
        return self.present
