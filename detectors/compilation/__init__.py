"""Compiled kernels: where they are kept, and how one process compiles for the others."""

from __future__ import annotations
