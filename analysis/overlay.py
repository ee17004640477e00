"""The overlay of one series: every answer on one chart, its error, its marks, its evidence."""

from __future__ import annotations
