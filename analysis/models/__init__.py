"""Runs, their chunks, the workers that take them, stored detections, and methods from files."""

from __future__ import annotations

from analysis.models.detection import Detection
from analysis.models.own import OWN, OwnMethod
from analysis.models.result import SteadyMean
from analysis.models.run import Chunk, Run, Worker

__all__ = ["OWN", "Chunk", "Detection", "OwnMethod", "Run", "SteadyMean", "Worker"]
