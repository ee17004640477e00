"""The page of publications names commands that are understood, and tests that there are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/guide/publications.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"python manage\.py ([^`\n]+)", PAGE)))
TESTS = sorted(set(re.findall(r"tests/[\w/]+\.py", PAGE)))


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_is_understood(line: str) -> None:
    name, *words = shlex.split(line)
    command = load_command_class(get_commands()[name], name)

    parsed = command.create_parser("manage.py", name).parse_args(words)

    assert vars(parsed)


@pytest.mark.parametrize("name", TESTS)
def test_a_test_of_the_page_is_there(name: str) -> None:
    assert "def test_" in (ROOT / name).read_text(encoding="utf-8")


def test_every_row_of_the_page_is_checked_by_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 5]
    heads = [row for row in rows if row.endswith("| checked by |")]

    assert len(heads) == 3
    assert all("`tests/" in row for row in rows if row not in heads)
    assert len(rows) > len(heads) + 20
