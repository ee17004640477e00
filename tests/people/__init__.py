"""Tests of the room people."""

from __future__ import annotations
