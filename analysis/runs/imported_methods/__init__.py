"""Bring your own detector: answers from a file join the study as a method of its own."""
