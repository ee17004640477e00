"""Drafts of campaigns: forms, sentences and choice of series, until somebody begins."""

from __future__ import annotations
