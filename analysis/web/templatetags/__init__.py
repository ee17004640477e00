"""Filters that several packages share."""
