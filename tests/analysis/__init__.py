"""Tests of the room analysis."""

from __future__ import annotations
