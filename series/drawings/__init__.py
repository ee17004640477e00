"""Drawings of series: outlines, forks, and what a chart is given."""

from __future__ import annotations
