"""Detectors on series, by workers: planned, executed, watched, and read again."""
