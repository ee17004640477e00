"""Filters of the tuning pages."""
