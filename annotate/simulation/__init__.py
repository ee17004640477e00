"""Simulated annotators, so that pages of answers have some to show."""

from __future__ import annotations
