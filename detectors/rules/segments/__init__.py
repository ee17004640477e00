"""Segments between change points: how they are found, and which class they give."""

from __future__ import annotations
