"""Columns that name a series, the same in every file."""

from __future__ import annotations

from typing import Final

NAMING: Final = (
    *("dataset", "dataset_name", "recording"),
    *("system", "benchmark", "params", "fork", "n", "unit"),
)
