"""Renaming and removing what a study holds, and putting it back for 30 days."""

from __future__ import annotations
