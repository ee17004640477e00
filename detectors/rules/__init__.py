"""Rules that several methods share: tests of starts, batches, operations, stopping."""

from __future__ import annotations
