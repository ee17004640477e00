"""Campaigns, marks, and the recipes that turn marks into ground truth."""

from __future__ import annotations
