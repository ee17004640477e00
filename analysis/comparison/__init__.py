"""Comparison of stored detections with a yardstick: one function behind page, files and command."""
