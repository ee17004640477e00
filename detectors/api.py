"""Names from which a method is written: see docs/guide/add-a-detector.md."""

from __future__ import annotations

from detectors.contract import NEVER, Context, Detection, Detector, Source, Values, draw, parameter

__all__ = ["NEVER", "Context", "Detection", "Detector", "Source", "Values", "draw", "parameter"]
