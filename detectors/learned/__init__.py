"""Learned stopping: windows of values, classifiers and networks on them, models by fold."""

from __future__ import annotations
