"""The guide names every column, rule and verdict that a table may show."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.statistics import COLUMNS, RULES, SYMBOLS

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "figures.md"


@pytest.mark.parametrize("name", [*COLUMNS, *RULES])
def test_the_guide_explains(name: str) -> None:
    assert f"`{name}`" in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("verdict", "symbol"), SYMBOLS.items())
def test_the_guide_shows_each_verdict_with_its_symbol(verdict: str, symbol: str) -> None:
    assert f"| {verdict} | {symbol} |" in GUIDE.read_text(encoding="utf-8")
