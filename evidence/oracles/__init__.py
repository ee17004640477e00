"""Oracles of the kernels, for tests and benches: definitions in plain Python or NumPy."""

from __future__ import annotations
