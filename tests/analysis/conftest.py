"""What tests of several packages of `analysis` need."""

from __future__ import annotations

import pytest


@pytest.fixture
def few_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods rank on the few series that can be worked out by hand; test_coverage has the rule."""
    monkeypatch.setattr("analysis.statistics.coverage.LEAST_SERIES", 1)
