"""Filters of the harness page."""
