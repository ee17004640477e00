"""What `make lint` asks of the structure: unique class names, no circle of imports, short lines,
and no test that hangs on the wording of a page.

Run by itself it prints each breach and ends with status 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = (
    *("analysis", "annotate", "series", "people", "formats", "config", "detectors", "demo"),
    *("evidence", "docs", "tests"),
)
FOLDERS: Final = (*ROOMS, "scripts")
OTHER_PROGRAMS: Final = "demo/workloads"  # what the demo measures: each stands alone
WIDEST: Final = 120  # columns of a template
MOST_WORDS: Final = 4  # of a page's text in one assertion: a reworded sentence breaks no test
PAGE: Final = re.compile(r"page|html|text|content|shown|body")
SHARED_NAMES: Final = {
    "Command": "the name that Django looks for in the module of a management command",
    "Migration": "the name that Django looks for in a migration",
    "Detection": "of the contract, which knows no database, and the row that stores it",
    "Samples": "of the contract, which knows no database, and the row that stores them",
}
"""Names of top-level classes that may stand twice, and why."""

Graph = Mapping[str, Iterable[str]]


def main() -> int:
    sys.path.insert(0, str(ROOT))  # where grimp looks for the rooms
    breaches = [*long_lines(ROOT), *double_names(ROOT), *wordings(ROOT), *circles_of(ROOMS)]
    print("\n".join(breaches) or "The structure is as it should be.")
    return 1 if breaches else 0


def long_lines(root: Path) -> Iterator[str]:
    """Each line of a template that is wider than WIDEST."""
    for path in sorted((root / "templates").rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if len(line) > WIDEST:
                place = f"{path.relative_to(root)}:{number}"
                yield f"{place}: {len(line)} columns, expected at most {WIDEST}"


def double_names(root: Path) -> Iterator[str]:
    """Each top-level class whose name another one has, with the places of all of them."""
    places = defaultdict(list)
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.py"))
    for path in (each for each in files if not each.is_relative_to(root / OTHER_PROGRAMS)):
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path.relative_to(root)}:{node.lineno}")
    for name, found in sorted(places.items()):
        if len(found) > 1 and name not in SHARED_NAMES:
            yield f"class {name} stands in {', '.join(found)}; expected one name for each"


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All below `node`; into expressions, which are most of a file, it does not look."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.expr):
            yield each
            yield from statements(each)


def wordings(root: Path) -> Iterator[str]:
    """Each assertion that a page holds a text of more than MOST_WORDS words; markup is none."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        asserted = (
            each
            for node in statements(ast.parse(path.read_bytes()))
            if isinstance(node, ast.Assert)
            for each in ast.walk(node.test)
        )
        for each in asserted:
            match each:
                case ast.Compare(ast.Constant(str(text)), [ast.In() | ast.NotIn()], [place]):
                    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", " ", text))
                    is_prose = '="' not in text and PAGE.search(ast.unparse(place))
                    if is_prose and len(words) > MOST_WORDS:
                        found = f"{path.relative_to(root)}:{each.lineno}: {len(words)} words"
                        yield f"{found} of a page, expected at most {MOST_WORDS}; name it by data-"


def circles_of(packages: Iterable[str]) -> Iterator[str]:
    """Circles of imports between modules, and between the packages of large rooms."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    modules = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    for size, imports in (("modules", modules), ("packages", between_packages(modules))):
        for circle in circles(imports):
            yield f"circle of {len(circle)} {size}: {' -> '.join(walk(circle, imports))}"


def between_packages(modules: Graph) -> Graph:
    """The imports of `modules`, told of their packages: analysis.runs, annotate, series …"""
    found: dict[str, set[str]] = defaultdict(set)
    for module, imported in modules.items():
        found[package_of(module)] |= {package_of(each) for each in imported} - {package_of(module)}
    return found


def package_of(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in {"analysis", "evidence"} else parts[0]


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node: Tarjan's, each sorted."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for each in sorted(graph.get(node, ())):
            if each not in index:
                visit(each)
            if each in stack:
                low[node] = min(low[node], low[each])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(each for each in found if len(each) > 1)


def walk(circle: list[str], graph: Graph) -> list[str]:
    """A shortest way from the first of a circle back to it."""
    start, inside = circle[0], set(circle)
    ways = [[start]]
    seen: set[str] = set()
    for way in ways:  # grows while it is read: breadth first
        for each in sorted(set(graph[way[-1]]) & inside):
            if each == start:
                return [*way, each]
            if each not in seen:
                seen.add(each)
                ways.append([*way, each])
    raise AssertionError("a circle leads back to where it began")


if __name__ == "__main__":
    sys.exit(main())
