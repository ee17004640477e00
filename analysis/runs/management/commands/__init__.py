"""Commands of runs, detections and series values."""
