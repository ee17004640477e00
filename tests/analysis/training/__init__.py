"""Tests of runs: planning, execution, recovery, pages, commands."""

from __future__ import annotations
