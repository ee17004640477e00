"""The overlay is tested on the series of the small comparison."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered_tasks, compared_study, four_series, store

__all__ = ["answered_tasks", "compared_study", "four_series", "store"]
