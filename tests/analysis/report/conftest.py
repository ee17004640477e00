"""The small comparison that can be worked out by hand; what is queued is worked on at once."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store
from tests.analysis.runs.conftest import _in_this_process

__all__ = ["_in_this_process", "answered_tasks", "compared_study", "four_series", "store"]
