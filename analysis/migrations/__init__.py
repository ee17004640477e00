"""Package analysis migrations."""

from __future__ import annotations
