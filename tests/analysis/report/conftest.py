"""The small comparison that can be worked out by hand; what is queued is worked on at once."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered, compared_study, four, store
from tests.analysis.runs.conftest import _in_this_process

__all__ = ["_in_this_process", "answered", "compared_study", "four", "store"]
