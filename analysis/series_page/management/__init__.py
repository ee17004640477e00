"""Command of the page of a series."""
