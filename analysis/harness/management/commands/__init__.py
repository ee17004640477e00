"""Command of the harness page."""
