"""Package annotate migrations."""

from __future__ import annotations
