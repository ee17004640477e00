"""Detectors of Plateau, without Plateau: where does a performance time series become steady?

    >>> import plateau_perf as pp
    >>> answer = pp.detect([9.0, 7.5] * 50 + [5.0, 5.1] * 450)
    >>> answer.start, answer.steady
    (100, True)

Indices count iterations from 0; a series that is steady from `start` on keeps ``values[start:]``.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from detectors.detection_rows import DetectionRow
from detectors.intervals.steady_interval import SteadyInterval, steady_interval
from plateau_perf.answer import Answer, detect, methods
from plateau_perf.client import Client, ClientError
from plateau_perf.plan import plan
from plateau_perf.plotting import plot
from plateau_perf.scoring import Score, score
from plateau_perf.shapes import SeriesShape, shape
from plateau_perf.tables import detect_all, read

try:
    __version__ = version("plateau-perf")
except PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+checkout"

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
