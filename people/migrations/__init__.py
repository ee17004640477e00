"""Package people migrations."""

from __future__ import annotations
