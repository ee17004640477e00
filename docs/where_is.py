"""Which file to open for which task: `python -m docs.where_is [--check]`, part of `make docs`.

The tasks of the page are written by hand, and each line is checked: a file that is not there, or
that no longer holds the name beside it, ends the command with status 1, so that the page cannot
lead astray. What packages and rooms are is written from their docstrings.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs.derived import is_stale
from formats.markdown import replaced, table

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "design" / "where-is.md"
TASK: Final = re.compile(r"^\| (?P<wish>.+) \| `(?P<file>.+)` \| `(?P<name>.+)` \|$", re.MULTILINE)
ROOM_NAMES: Final = (
    *("config", "analysis", "annotate", "series", "people", "detectors", "formats"),
    *("evidence", "evidence/replication", "evidence/bench", "evidence/corpus", "evidence/oracles"),
)


def wrong(tasks: str) -> Iterator[str]:
    """A sentence for each task whose file or name is not there, and where no task is found."""
    found = [match.groups() for match in TASK.finditer(tasks)]
    for wish, file, name in found:
        path = ROOT / file
        if not path.is_file():
            yield f"{wish}: no file {file}"
        elif name not in path.read_text("utf-8"):
            yield f"{wish}: {file} does not hold {name!r}"
    rows = [line for line in tasks.splitlines() if line.startswith("|")][2:]  # less the head
    if len(rows) != len(found) or not found:
        yield f"{PAGE.name}: {len(found)} of {len(rows)} tasks can be read"


def page(text: str) -> str:
    """The text of the page, its tables of packages and rooms of today."""
    parts = {"packages": [f"analysis/{name}" for name in _street()], "rooms": ROOM_NAMES}
    for name, folders in parts.items():
        shown = table((name[:-1], "is"), ((f"`{each}`", _is(each)) for each in folders))
        begin = f"<!-- {name}: written by `make docs` -->"
        text = replaced(text, begin, f"<!-- /{name} -->", shown)
    return text


def _street() -> list[str]:
    """Packages of `analysis`, the highest first: the order that import-linter enforces."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    floors = next(each for each in contracts["contracts"] if each.get("containers") == ["analysis"])
    names = [name.strip() for floor in floors["layers"] for name in floor.split("|")]
    return [name for name in names if (ROOT / "analysis" / name / "__init__.py").is_file()]


def _is(folder: str) -> str:
    """The first line of the docstring of a package."""
    tree = ast.parse((ROOT / folder / "__init__.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def main() -> int:
    check = "--check" in sys.argv
    text = PAGE.read_text("utf-8")
    sentences = list(wrong(text.partition("<!-- packages")[0]))
    sys.stdout.write("".join(f"{each}\n" for each in sentences))
    return int(bool(sentences) or (is_stale(PAGE, page(text), check=check) and check))


if __name__ == "__main__":
    sys.exit(main())
