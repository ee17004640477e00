"""What is done now and then beside the queue, registered by packages that have something to do."""

from __future__ import annotations

from collections.abc import Callable

Duty = Callable[[], object]
_duties: list[Duty] = []


def register(duty: Duty) -> None:
    """Let `duty` be called at every sweep: it is quick where there is nothing to do."""
    _duties.append(duty)


def do_all() -> None:
    """Call every duty."""
    for each in _duties:
        each()
