"""Data sets, benchmarks, series (one fork each), their import and their chart payload."""

from __future__ import annotations
