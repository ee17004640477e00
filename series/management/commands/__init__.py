"""Commands of the room "series"."""

from __future__ import annotations
