"""Package people management commands."""

from __future__ import annotations
