"""Runs on workers, stored detections, comparison."""

from __future__ import annotations
