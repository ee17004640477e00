"""Runs, explorations, the workers that take their parts, detections, own methods, reviews."""

from __future__ import annotations

from analysis.models.detection import Detection
from analysis.models.exploration import Exploration, Part, Preset
from analysis.models.own import OWN, OwnMethod
from analysis.models.probe import WriteProbe
from analysis.models.result import SteadyMean
from analysis.models.review import ReviewDecision
from analysis.models.run import Chunk, ChunkSeries, Run, Worker

__all__ = [
    "OWN",
    "Chunk",
    "ChunkSeries",
    "Detection",
    "Exploration",
    "OwnMethod",
    "Part",
    "Preset",
    "ReviewDecision",
    "Run",
    "SteadyMean",
    "Worker",
    "WriteProbe",
]
