"""Trends over recordings."""

from __future__ import annotations
