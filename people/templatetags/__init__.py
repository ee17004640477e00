"""Package people templatetags."""

from __future__ import annotations
