"""Checks of the structure in `make lint`: unique names of classes and functions, no circle of
imports, short lines, no refused word, and no test that depends on the wording of a page.

Run by itself it prints each breach and ends with status 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = (
    *("analysis", "annotate", "series", "people", "formats", "config", "detectors", "demo"),
    *("evidence", "docs", "tests"),
)
FOLDERS: Final = (*ROOMS, "scripts")
PRODUCT: Final = tuple(folder for folder in FOLDERS if folder != "tests")
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
MOST_MODULES: Final = 2  # modules that may give a public function one name
CONTRACT_NAMES: Final = {
    "main": "entry point of a program",
    "read": "entry point of a reader of a file format",
    "make": "entry point of a workload of the demo",
    "choose": "entry point of a recipe",
    "compute": "entry point of a kind of work",
    "add_arguments": "options that several commands share, as Django names them",
    "write_csv": "chosen by the name of the output format",
    "write_jsonl": "chosen by the name of the output format",
}
"""Names of public functions that any number of modules may give, and why."""

REFUSED_ROW: Final = re.compile(r"^\| (?!word )(\w[^|]*) \| ([^|]+) \|$", re.MULTILINE)
NO_TEXT: Final = re.compile(r"\{[{%#].*?[}%#]\}|`[^`]*`")  # tags of templates, code of pages
OPENERS: Final = re.compile(
    r"(Of|The same|Those|These|This|It|In|By|From|That|What|How|Which|Who|Whose|Whether|Where|When|"
    r"With|Without|None|Nobody|Nothing|As|For|To|At|On|There|Here|Only)\b"
)
"""Words that begin a sentence which says nothing without the code below it."""
DOCUMENTED_NODES: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS: Final = (
    "body",
    "handlers",
    "orelse",
    "finalbody",
    "cases",
)  # of statements, in their order

Graph = Mapping[str, Iterable[str]]


def main() -> int:
    sys.path.insert(0, str(ROOT))  # where grimp looks for the rooms
    names = (*double_names(ROOT), *shared_functions(ROOT), *torn_docstrings(ROOT))
    texts = (*long_lines(ROOT), *refused_words(ROOT), *wordings(ROOT))
    breaches = [*texts, *names, *circles_of(ROOMS)]
    print("\n".join(breaches) or "The structure is as it should be.")
    return 1 if breaches else 0


def long_lines(root: Path) -> Iterator[str]:
    """Each line of a template that is wider than WIDEST."""
    for path in sorted((root / "templates").rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if len(line) > WIDEST:
                position = f"{path.relative_to(root)}:{number}"
                yield f"{position}: {len(line)} columns, expected at most {WIDEST}"


def refused_words(root: Path) -> Iterator[str]:
    """Each word that `docs/design/words.md` refuses, in the guide and in texts of templates."""
    words = (root / "docs" / "design" / "words.md").read_text(encoding="utf-8")
    table = REFUSED_ROW.findall(words.partition("\n## Refused words")[2])
    patterns = [
        (re.compile(rf"\b{word}\b", re.IGNORECASE), f"says {word!r}; say {replacement!r}")
        for word, replacement in table
    ]
    for path in (*sorted(root.glob("docs/guide/*.md")), *sorted(root.rglob("templates/**/*.html"))):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            text = NO_TEXT.sub("", line)
            breaches = (breach for pattern, breach in patterns if pattern.search(text))
            yield from (f"{path.relative_to(root)}:{number}: {breach}" for breach in breaches)


def python_files(root: Path, folders: Iterable[str]) -> list[Path]:
    """Python files below `folders` of `root`, sorted."""
    return sorted(path for folder in folders for path in (root / folder).rglob("*.py"))


class FileNames(NamedTuple):
    """Names that a file defines at its top, and docstrings that begin with an opener.

    classes    name and line
    functions  names of the public ones
    torn       line and first word
    """

    classes: list[tuple[str, int]]
    functions: list[str]
    torn: list[tuple[int, str]]


@cache
def names_of(path: Path) -> FileNames:
    """Names and docstrings of a file, which is parsed once for all checks of them."""
    tree = ast.parse(path.read_bytes())
    classes = [(node.name, node.lineno) for node in tree.body if isinstance(node, ast.ClassDef)]
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    documented = [node for node in (tree, *statements(tree)) if isinstance(node, DOCUMENTED_NODES)]
    texts = ((getattr(node, "lineno", 1), ast.get_docstring(node) or "") for node in documented)
    torn_sentences = [(line, text.split()[0]) for line, text in texts if OPENERS.match(text)]
    return FileNames(
        classes, [name for name in functions if not name.startswith("_")], torn_sentences
    )


def double_names(root: Path) -> Iterator[str]:
    """Each top-level class whose name another one has, with the places of all of them."""
    places = defaultdict(list)
    for path in python_files(root, FOLDERS):
        if path.is_relative_to(root / OTHER_PROGRAMS):
            continue
        for name, line in names_of(path).classes:
            places[name].append(f"{path.relative_to(root)}:{line}")
    for name, locations in sorted(places.items()):
        if len(locations) > 1 and name not in SHARED_NAMES:
            yield f"class {name} stands in {', '.join(locations)}; expected one name for each"


def shared_functions(root: Path) -> Iterator[str]:
    """Each public function of the product whose name more than MOST_MODULES modules give."""
    places = defaultdict(set)
    for path in python_files(root, PRODUCT):
        for name in names_of(path).functions:
            places[name].add(str(path.relative_to(root)))
    for name, modules in sorted(places.items()):
        if len(modules) > MOST_MODULES and name not in CONTRACT_NAMES:
            yield f"function {name} stands in {', '.join(sorted(modules))}; name each by its object"


def torn_docstrings(root: Path) -> Iterator[str]:
    """Each docstring of the product that begins with a preposition, pronoun or question word."""
    for path in python_files(root, PRODUCT):
        for line, word in names_of(path).torn:
            place = f"{path.relative_to(root)}:{line}"
            yield f"{place}: begins with {word!r}; begin with a verb or a noun"


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below `node`, in their order; no expression, of which most of a file is."""
    unvisited = statements_in(node)
    while unvisited:
        statement = unvisited.pop()
        yield statement
        unvisited += statements_in(statement)


def statements_in(node: ast.AST) -> list[ast.AST]:
    """Statements, handlers and cases right below `node`, the last one first."""
    blocks = [getattr(node, name, []) for name in BLOCKS]
    return [statement for block in blocks for statement in block][::-1]


def wordings(root: Path) -> Iterator[str]:
    """Each assertion that a page holds a text of more than MOST_WORDS words; markup is none."""
    for path, assertion in assertions(root / "tests"):
        match assertion:
            case ast.Compare(ast.Constant(str(text)), [ast.In() | ast.NotIn()], [place]):
                words = re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", " ", text))
                is_prose = '="' not in text and PAGE.search(ast.unparse(place))
                if is_prose and len(words) > MOST_WORDS:
                    where = f"{path.relative_to(root)}:{assertion.lineno}: {len(words)} words"
                    yield f"{where} of a page, expected at most {MOST_WORDS}; name it by data-"


def assertions(folder: Path) -> Iterator[tuple[Path, ast.AST]]:
    """Every expression that a test of `folder` asserts, with its file."""
    for path in sorted(folder.rglob("test_*.py")):
        for node in statements(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Assert):
                yield from ((path, expression) for expression in ast.walk(node.test))


def circles_of(packages: Iterable[str]) -> Iterator[str]:
    """Circles of imports between modules, and between the packages of large rooms."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    modules = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    for size, imports in (("modules", modules), ("packages", package_imports(modules))):
        for circle in circles(imports):
            yield f"circle of {len(circle)} {size}: {' -> '.join(walk(circle, imports))}"


def package_imports(modules: Graph) -> Graph:
    """The imports of `modules`, told of their packages: analysis.runs, annotate, series …"""
    packages: dict[str, set[str]] = defaultdict(set)
    for module, imported_modules in modules.items():
        packages[package_of(module)] |= {package_of(target) for target in imported_modules} - {
            package_of(module)
        }
    return packages


def package_of(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] in {"analysis", "evidence"} else parts[0]


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node: Tarjan's, each sorted."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    components: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for neighbour in sorted(graph.get(node, ())):
            if neighbour not in index:
                visit(neighbour)
            if neighbour in stack:
                low[node] = min(low[node], low[neighbour])
        if low[node] == index[node]:
            position = stack.index(node)
            components.append(sorted(stack[position:]))
            del stack[position:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(component for component in components if len(component) > 1)


def walk(circle: list[str], graph: Graph) -> list[str]:
    """A shortest way from the first of a circle back to it."""
    start, circle_modules = circle[0], set(circle)
    paths = [[start]]
    visited_modules: set[str] = set()
    for path in paths:  # grows while it is read: breadth first
        for neighbour in sorted(set(graph[path[-1]]) & circle_modules):
            if neighbour == start:
                return [*path, neighbour]
            if neighbour not in visited_modules:
                visited_modules.add(neighbour)
                paths.append([*path, neighbour])
    raise AssertionError("a circle leads back to where it began")


if __name__ == "__main__":
    sys.exit(main())
