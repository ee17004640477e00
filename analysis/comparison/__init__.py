"""Comparison of stored detections with a yardstick: one function behind page, files and command."""

from __future__ import annotations

from analysis.comparison.asked import Asked
from analysis.comparison.inputs import Line, UnknownMethod
from analysis.comparison.table import Compared, Entry, compare

__all__ = ["Asked", "Compared", "Entry", "Line", "UnknownMethod", "compare"]
