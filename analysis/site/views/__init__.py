"""Pages around the work."""
