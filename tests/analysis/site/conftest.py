"""The small comparison, and the one in which people differ, for the pages around the work."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered, compared_study, four, store
from tests.analysis.review.conftest import split

__all__ = ["answered", "compared_study", "four", "split", "store"]
