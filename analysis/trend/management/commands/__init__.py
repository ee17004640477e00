"""Command of the trend."""
