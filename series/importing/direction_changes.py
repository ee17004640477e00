"""Actions of other rooms when an owner says anew which values of a benchmark are better.

direction_changes.register(forget_answers)     # in AppConfig.register()
"""

from __future__ import annotations

from collections.abc import Callable

from people.late_registry import LateRegistry
from series.models import Benchmark

DirectionChange = Callable[[Benchmark], object]
_registered = LateRegistry[list[DirectionChange]]([])


def register_direction_change(change: DirectionChange) -> None:
    """Call `change` with the benchmark, in the transaction that stores its new direction; once."""
    if change not in _registered.present:
        _registered.present.append(change)


def announce_direction(benchmark: Benchmark) -> None:
    for change in _registered.entries:
        change(benchmark)
