"""Campaigns: made, opened, joined, closed; their people, series and addresses."""

from __future__ import annotations
