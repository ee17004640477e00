"""Command of the cost page."""
