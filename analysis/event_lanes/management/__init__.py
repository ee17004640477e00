"""Commands about events of measured processes."""

from __future__ import annotations
