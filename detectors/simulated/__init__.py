"""Simulated series with known answers, and plain series whose shape nobody would dispute."""

from __future__ import annotations
