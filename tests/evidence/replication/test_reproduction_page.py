"""The page of what could not be reproduced: of today, each line with a command that is there."""

from __future__ import annotations

import importlib.util
import re

from django.core.management import get_commands

from evidence.replication import reproduction_page
from evidence.replication.published_figures import (
    BEYOND,
    GROUPS,
    published_figures,
    unreachable_figures,
)

COMMAND = re.compile(r"`python (?P<what>-m [a-z_.]+|manage\.py [a-z_]+)[^`]*`")


def test_the_page_is_of_today() -> None:
    assert reproduction_page.PAGE.read_text("utf-8") == reproduction_page.reproduction_markdown()
    assert reproduction_page.write_reproduction_page(check=True) == 0


def test_every_line_has_its_command_and_every_command_is_there() -> None:
    _, _, figures = reproduction_page.reproduction_markdown().partition("\n## ")
    lines = [line for line in figures.splitlines() if line.startswith("| ")]
    rows = [line for line in lines if not line.endswith("| command |")]

    matches = [COMMAND.search(line) for line in rows]

    assert [line for line, match in zip(rows, matches, strict=True) if match is None] == []
    missing_commands = {
        match["what"] for match in matches if match and not _command_exists(match["what"])
    }
    assert missing_commands == set()


def _command_exists(command_words: str) -> bool:
    option, name = command_words.split()
    if option == "-m":
        return importlib.util.find_spec(name) is not None
    return name in get_commands()


def test_what_differs_has_a_reason_and_stands_on_the_page() -> None:
    page = reproduction_page.reproduction_markdown()

    for claim in published_figures():
        assert bool(claim.why) == bool(claim.found or claim.beside), claim.key
        if claim.differs:
            assert f"| {claim.what} | {claim.value} | {claim.found} | {claim.why} |" in page
    for figure in unreachable_figures():
        assert f"| {figure.where} | {figure.what} | {figure.why} |" in page


def test_every_figure_has_one_name_and_a_group() -> None:
    keys = [(claim.group, claim.key) for claim in published_figures()]

    assert len(set(keys)) == len(keys)
    assert {group for group, _ in keys} == {g.slug for g in GROUPS}


def test_what_the_packages_do_not_give_is_not_called_reproduced() -> None:
    page = reproduction_page.reproduction_markdown()
    reproduced_part = page.partition("## What is reproduced")[2]

    for group in [g for g in GROUPS if g.slug in BEYOND]:
        assert group.title not in reproduced_part
        for claim in [f for f in published_figures() if f.group == group.slug]:
            assert f"| {claim.what} | {claim.value} |" in page
    total = sum(claim.group not in BEYOND and not claim.differs for claim in published_figures())
    count_pairs = re.findall(r"^\| .* \| (\d+) \| (\d+) \| `", reproduced_part, re.MULTILINE)
    assert sum(int(a) + int(b) for a, b in count_pairs) == total


def test_what_is_only_put_beside_is_not_called_reproduced() -> None:
    page = reproduction_page.reproduction_markdown()
    learned_part = page.partition("## Learned stopping models")[2]
    chance_part = learned_part.partition("### Reproduced but for random numbers")[2].partition(
        "###"
    )[0]

    assert "--only table-5" in chance_part
    assert "--only stops" not in chance_part
