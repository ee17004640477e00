"""Runs with their chunks, detections, presets."""

from __future__ import annotations

from analysis.runs.models.detection import CERTAINTY_FIELDS, CERTAINTY_MEANINGS, Detection
from analysis.runs.models.preset import Preset
from analysis.runs.models.run import Chunk, ChunkSeries, Run

__all__ = [
    "CERTAINTY_FIELDS",
    "CERTAINTY_MEANINGS",
    "Chunk",
    "ChunkSeries",
    "Detection",
    "Preset",
    "Run",
]
