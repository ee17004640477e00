"""Tags for pages that draw series."""

from __future__ import annotations
