"""Filters of the cost pages."""
