"""Formats, downloads and figures that several packages share; no model, no query."""
