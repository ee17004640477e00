"""The small comparison, and the one in which people differ, for the pages around the work."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store
from tests.analysis.review.conftest import split_tasks

__all__ = ["answered_tasks", "compared_study", "four_series", "split_tasks", "store"]
