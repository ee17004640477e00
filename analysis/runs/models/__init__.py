"""Runs with their chunks, detections, presets."""

from __future__ import annotations

from analysis.runs.models.detection import Detection
from analysis.runs.models.preset import Preset
from analysis.runs.models.run import Chunk, ChunkSeries, Run

__all__ = ["Chunk", "ChunkSeries", "Detection", "Preset", "Run"]
