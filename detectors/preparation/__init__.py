"""Preparation of series before a method reads them: steps, and where each was seen to help."""

from __future__ import annotations
