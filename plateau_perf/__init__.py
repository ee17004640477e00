"""Detectors of Plateau, without Plateau: where does a performance time series become steady?

    >>> import plateau_perf as pp
    >>> answer = pp.detect([9.0, 7.5] * 50 + [5.0, 5.1] * 450)
    >>> answer.start, answer.steady
    (100, True)

Indices count iterations from 0; a series that is steady from `start` on keeps ``values[start:]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from detectors.detection_rows import DetectionRow
    from detectors.intervals.steady_interval import SteadyInterval, steady_interval
    from plateau_perf.answer import Answer, detect, methods
    from plateau_perf.client import Client, ClientError
    from plateau_perf.planning import plan
    from plateau_perf.plotting import plot
    from plateau_perf.scoring import Score, score
    from plateau_perf.shapes import SeriesShape, shape
    from plateau_perf.tables import detect_all, read

    __version__: str

__all__ = [
    "Answer",
    "Client",
    "ClientError",
    "DetectionRow",
    "Score",
    "SeriesShape",
    "SteadyInterval",
    "detect",
    "detect_all",
    "methods",
    "plan",
    "plot",
    "read",
    "score",
    "shape",
    "steady_interval",
]

# Names are imported when they are first used: a first answer takes a tenth of a second less.
_MODULES = {
    "answer": ("Answer", "SteadyInterval", "detect", "methods", "steady_interval"),
    "client": ("Client", "ClientError"),
    "planning": ("plan",),
    "plotting": ("plot",),
    "scoring": ("Score", "score"),
    "shapes": ("SeriesShape", "shape"),
    "tables": ("detect_all", "read"),
    "tables_in_memory": ("DetectionRow",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from detectors.command.version import library_version  # noqa: PLC0415  # 20 ms

        return library_version()
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    member = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = member
    return member


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
