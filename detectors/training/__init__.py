"""Fitting models of learned methods: needs scikit-learn, and no method imports it."""

from __future__ import annotations
