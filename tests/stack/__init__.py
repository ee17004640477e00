"""Real PostgreSQL, real Redis, real workers, and what kills them."""

from __future__ import annotations
