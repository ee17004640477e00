"""Package series migrations."""

from __future__ import annotations
