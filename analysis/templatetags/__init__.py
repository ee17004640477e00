"""Filters of the pages of analysis."""

from __future__ import annotations
