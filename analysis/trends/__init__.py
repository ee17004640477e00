"""Results of benchmarks over the recordings of a data set: one function for page, file, command."""

from __future__ import annotations

from analysis.trends.starts import Start, UnknownStart, start_named, starts
from analysis.trends.table import (
    BenchmarkTrend,
    DatasetTrends,
    Dot,
    UnknownOrder,
    trends,
)

__all__ = [
    "BenchmarkTrend",
    "DatasetTrends",
    "Dot",
    "Start",
    "UnknownOrder",
    "UnknownStart",
    "start_named",
    "starts",
    "trends",
]
