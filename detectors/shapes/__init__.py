"""Shapes of series: rules, models of levels, noise, examples and words."""

from __future__ import annotations
