"""Pages of runs and of imported methods."""
