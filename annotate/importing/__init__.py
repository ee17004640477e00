"""Marks and votes from files, and campaigns made of them."""

from __future__ import annotations
