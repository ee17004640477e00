"""Trends of results from recording to recording: groups, changes, files and reports."""

from __future__ import annotations
