"""Pages of a campaign: their tabs and addresses, and what one reader sees of it."""

from __future__ import annotations
