"""The guide names every rule, verdict, question and test that a table may show."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.statistics.comparison import RULES
from analysis.statistics.paired_differences import QUESTIONS, TESTS
from analysis.statistics.verdicts import SYMBOLS

PAGES = Path(__file__).resolve().parents[3] / "docs" / "guide"
GUIDE = PAGES / "figures.md"


@pytest.mark.parametrize("name", RULES)
def test_the_guide_explains(name: str) -> None:
    assert f"`{name}`" in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("verdict", "symbol"), SYMBOLS.items())
def test_the_guide_shows_each_verdict_with_its_symbol(verdict: str, symbol: str) -> None:
    assert f"| {verdict} | {symbol} |" in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize("test", TESTS.values())
def test_the_guide_says_what_each_test_prints(test: str) -> None:
    lines = GUIDE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("|")[1] for line in lines if line.startswith("|")]
    assert any(test.casefold() in row.casefold() for row in rows)


@pytest.mark.parametrize("question", QUESTIONS.values())
def test_the_guide_says_which_test_answers_each_question(question: str) -> None:
    assert f"| {question} |" in (PAGES / "compare.md").read_text(encoding="utf-8")
