"""Pages where-is.md and rooms.md: `python -m docs.where_is [--check]`, part of `make docs`.

Tasks of where-is.md are written by hand, and each line is checked: a missing file, or one without
the name beside it, ends the command with status 1. Tables of rooms and packages come from their
docstrings, the floors inside each room from the contracts of import-linter.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from docs.derived import is_stale
from formats.markdown import markdown_table, replace_between

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "design" / "where-is.md"
ROOMS_PAGE: Final = PAGE.with_name("rooms.md")
TASK: Final = re.compile(r"^\| (?P<wish>.+) \| `(?P<file>.+)` \| `(?P<name>.+)` \|$", re.MULTILINE)


def where_is_problems(tasks_text: str) -> Iterator[str]:
    """A sentence for each task whose file or name is not there, and where no task is found."""
    readable_tasks = [match.groups() for match in TASK.finditer(tasks_text)]
    for task_text, file, name in readable_tasks:
        path = ROOT / file
        if not path.is_file():
            yield f"{task_text}: no file {file}"
        elif name not in path.read_text("utf-8"):
            yield f"{task_text}: {file} does not hold {name!r}"
    rows = [line for line in tasks_text.splitlines() if line.startswith("|")][2:]  # less the head
    if len(rows) != len(readable_tasks) or not readable_tasks:
        yield f"{PAGE.name}: {len(readable_tasks)} of {len(rows)} tasks can be read"


def where_is_page(text: str) -> str:
    """Text of where-is.md with tables of the rooms and their packages as they are now."""
    contracts = _import_contracts()
    for room, floors in _floors(contracts).items():
        names = [f"{room}/{name}" for floor in floors for name in floor.split(" | ")]
        packages = [name for name in names if (ROOT / name / "__init__.py").is_file()]
        text = _put_table(text, f"packages of {room}", "package", packages)
    inside_evidence = sorted(
        path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("evidence/*/__init__.py")
    )
    return _put_table(text, "rooms", "room", [*contracts["root_packages"], *inside_evidence])


def rooms_page(text: str) -> str:
    """Text of rooms.md with the floors of each room as import-linter enforces them."""
    for room, floors in _floors(_import_contracts()).items():
        block = "\n".join(["```", *floors, "```"])
        text = _put_block(text, f"floors of {room}", block)
    return text


def _import_contracts() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]


def _floors(contracts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Floors inside each room that has any, the highest first; packages of one are divided by |."""
    floor_contracts = [contract for contract in contracts["contracts"] if "containers" in contract]
    return {contract["containers"][0]: contract["layers"] for contract in floor_contracts}


def _put_table(text: str, name: str, head: str, folders: Iterable[str]) -> str:
    rows = ((f"`{folder}`", _package_meaning(folder)) for folder in folders)
    return _put_block(text, name, markdown_table((head, "is"), rows))


def _put_block(text: str, name: str, block: str) -> str:
    return replace_between(
        text, f"<!-- {name}: written by `make docs` -->", f"<!-- /{name} -->", block
    )


def _package_meaning(folder: str) -> str:
    """The first line of the docstring of a package."""
    tree = ast.parse((ROOT / folder / "__init__.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def main() -> int:
    check = "--check" in sys.argv
    tasks_text = PAGE.read_text("utf-8").partition("<!-- packages")[0]
    sentences = list(where_is_problems(tasks_text))
    sys.stdout.write("".join(f"{sentence}\n" for sentence in sentences))
    pages = ((PAGE, where_is_page), (ROOMS_PAGE, rooms_page))
    stale_pages = [
        is_stale(path, make_page(path.read_text("utf-8")), check=check) for path, make_page in pages
    ]
    return int(bool(sentences) or (check and any(stale_pages)))


if __name__ == "__main__":
    sys.exit(main())
