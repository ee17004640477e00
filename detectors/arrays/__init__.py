"""Arrays of values: their range, batches of one length, values that arrive bit by bit."""

from __future__ import annotations
