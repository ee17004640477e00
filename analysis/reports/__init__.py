"""A comparison as something that is attached to a paper: one document, or everything in a .zip."""

from __future__ import annotations

from analysis.reports.bundle import Report

__all__ = ["Report"]
