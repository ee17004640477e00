"""Data sets, benchmarks, recordings, series, imports."""

from __future__ import annotations

from series.models.dataset import Benchmark, Dataset, Recording
from series.models.event_lane import StoredEventLane
from series.models.imports import Import
from series.models.series import (
    ReleasedValues,
    Samples,
    Series,
    SeriesShape,
    SeriesSketch,
    SeriesValues,
)

__all__ = [
    "Benchmark",
    "Dataset",
    "Import",
    "Recording",
    "ReleasedValues",
    "Samples",
    "Series",
    "SeriesShape",
    "SeriesSketch",
    "SeriesValues",
    "StoredEventLane",
]
