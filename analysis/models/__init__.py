"""Runs, their chunks, the workers that take them, and stored detections."""

from __future__ import annotations

from analysis.models.detection import Detection
from analysis.models.run import Chunk, Run, Worker

__all__ = ["Chunk", "Detection", "Run", "Worker"]
