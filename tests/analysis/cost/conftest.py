"""The small comparison of `tests.analysis.comparison`, whose costs can be worked out by hand."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered, compared_study, four, store

__all__ = ["answered", "compared_study", "four", "store"]
