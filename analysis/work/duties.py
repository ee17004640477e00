"""Duties that workers fulfil now and then beside the queue, registered by other packages."""

from __future__ import annotations

from collections.abc import Callable

from people.late_registry import LateRegistry

Duty = Callable[[], object]
_duties = LateRegistry[list[Duty]]([])


def register_duties(*duties: Duty) -> None:
    """Let `duties` be called at every sweep: each is quick where there is nothing to do."""
    _duties.present.extend(duties)


def do_all() -> None:
    """Call every duty."""
    for duty in _duties.entries:
        duty()
