"""Package people management."""

from __future__ import annotations
