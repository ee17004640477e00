"""Figures of trained models and methods: by fold, by panel, on systems not seen."""

from __future__ import annotations
