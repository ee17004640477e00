"""Published tables and figures again, from published data: `make replicate`. Nothing imports it."""

from __future__ import annotations
