"""The page on ASVS answers every requirement of levels 1 and 2 once, each yes with its test."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/design/asvs.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+)::(\w+)`", PAGE)))
# Of ASVS 5.0.0: how many requirements of levels 1 and 2 a section has; they are its first.
COUNTS = {
    "1.1": 2,
    "1.2": 9,
    "1.3": 11,
    "1.4": 3,
    "1.5": 2,
    "2.1": 3,
    "2.2": 3,
    "2.3": 4,
    "2.4": 1,
    "3.2": 2,
    "3.3": 4,
    "3.4": 6,
    "3.5": 5,
    "3.7": 2,
    "4.1": 3,
    "4.2": 1,
    "4.3": 2,
    "4.4": 4,
    "5.1": 1,
    "5.2": 3,
    "5.3": 2,
    "5.4": 3,
    "6.1": 3,
    "6.2": 12,
    "6.3": 4,
    "6.4": 4,
    "6.5": 5,
    "6.6": 3,
    "6.8": 4,
    "7.1": 3,
    "7.2": 4,
    "7.3": 2,
    "7.4": 5,
    "7.5": 2,
    "7.6": 2,
    "8.1": 2,
    "8.2": 3,
    "8.3": 1,
    "8.4": 1,
    "9.1": 3,
    "9.2": 4,
    "10.1": 2,
    "10.2": 2,
    "10.3": 4,
    "10.4": 11,
    "10.5": 5,
    "10.6": 2,
    "10.7": 3,
    "11.1": 2,
    "11.2": 3,
    "11.3": 3,
    "11.4": 4,
    "11.5": 1,
    "11.6": 1,
    "12.1": 3,
    "12.2": 2,
    "12.3": 4,
    "13.1": 1,
    "13.2": 5,
    "13.3": 2,
    "13.4": 5,
    "14.1": 2,
    "14.2": 4,
    "14.3": 3,
    "15.1": 3,
    "15.2": 3,
    "15.3": 7,
    "16.1": 1,
    "16.2": 5,
    "16.3": 4,
    "16.4": 3,
    "16.5": 3,
    "17.1": 1,
    "17.2": 4,
    "17.3": 2,
}
ASKED = [
    f"{section}.{number}" for section, count in COUNTS.items() for number in range(1, count + 1)
]


def test_every_number_of_both_levels_is_answered_once() -> None:
    assert len(ASKED) == 253
    assert [number for number, *_ in ROWS] == ASKED


def test_a_yes_names_its_test() -> None:
    assert {answer for _, _, answer, _ in ROWS} == {"yes", "untested", "partly", "no", "n/a"}
    assert [
        number for number, _, answer, reason in ROWS if answer == "yes" and "::" not in reason
    ] == []


def test_the_counts_are_those_of_the_page() -> None:
    answer_counts = Counter(answer for _, _, answer, _ in ROWS)
    count_words = ", ".join(
        f"{answer_counts[answer]} {answer}" for answer in ("yes", "untested", "partly", "no", "n/a")
    )

    assert f"Of {len(ROWS)}: {count_words}." in PAGE


@cache
def function_names(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_test_of_the_page_is_there(file: str, name: str) -> None:
    assert name in function_names(file)
