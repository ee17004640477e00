"""Commands of the room "analysis"."""

from __future__ import annotations
