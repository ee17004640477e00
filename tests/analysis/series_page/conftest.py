"""The overlay is tested on the series of the small comparison."""

from __future__ import annotations

from tests.analysis.comparison.conftest import answered, compared_study, four, store

__all__ = ["answered", "compared_study", "four", "store"]
