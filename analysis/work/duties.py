"""Duties that workers fulfil now and then beside the queue, registered by other packages."""

from __future__ import annotations

from collections.abc import Callable

Duty = Callable[[], object]
_duties: list[Duty] = []


def register_duties(*duties: Duty) -> None:
    """Let `duties` be called at every sweep: each is quick where there is nothing to do."""
    _duties.extend(duties)


def do_all() -> None:
    """Call every duty."""
    for duty in _duties:
        duty()
