"""Runs, chunks, the workers that take them, detections, methods from files, reviews."""

from __future__ import annotations

from analysis.models.detection import Detection
from analysis.models.own import OWN, OwnMethod
from analysis.models.result import SteadyMean
from analysis.models.review import ReviewDecision
from analysis.models.run import Chunk, Run, Worker

__all__ = [
    "OWN",
    "Chunk",
    "Detection",
    "OwnMethod",
    "ReviewDecision",
    "Run",
    "SteadyMean",
    "Worker",
]
