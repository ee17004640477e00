"""Tests: mirrors the rooms, plus contract/, browser/ and stack/."""

from __future__ import annotations
