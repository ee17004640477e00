"""Plain stories of a series: levels of its blocks, models of them, and the cheapest in words."""

from __future__ import annotations
