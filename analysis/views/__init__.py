"""Pages of the room: overview, runs, comparison, methods, status."""

from __future__ import annotations
