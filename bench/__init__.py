"""Figures anyone can print again: our kernels against oracles, our comparison against papers."""

from __future__ import annotations
