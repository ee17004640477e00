"""The small comparison of `tests.analysis.comparison`, whose costs can be worked out by hand."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store

__all__ = ["answered_tasks", "compared_study", "four_series", "store"]
