"""Runs of `tests.analysis.runs`, whose chunks are work to be leased and queued."""

from __future__ import annotations

from tests.analysis.runs.conftest import _in_this_process, make_run, seven

__all__ = ["_in_this_process", "make_run", "seven"]
