"""Intervals of a steady mean, and what correlated neighbours make of it."""

from __future__ import annotations
