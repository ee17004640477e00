"""Filters of the comparison pages."""
