"""Pages and payloads of the room "series"."""

from __future__ import annotations
