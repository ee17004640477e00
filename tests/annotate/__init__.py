"""Tests of the room annotate."""

from __future__ import annotations
