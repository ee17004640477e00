"""Detectors on series, by workers: planned, executed, watched, and read again."""

from __future__ import annotations
