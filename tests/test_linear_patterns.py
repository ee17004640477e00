"""Every regular expression takes time in proportion to its text, whatever the text is.

The expressions are found in the modules, and hostile texts are made of each expression's own
characters: a text `TIMES_LONGER` times as long takes about so many times as long, not its square.
"""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain, product
from types import ModuleType
from typing import Any, Final

import pytest

from evidence.bench.processes import ROOT
from tests.every_case import EVERY_CASE

PACKAGES: Final = (
    "formats",
    "series",
    "people",
    "annotate",
    "analysis",
    "detectors",
    "api",
    "config",
)
APART: Final = frozenset(("migrations", "management"))  # none is asked about foreign text
LENGTHS: Final = [2**power for power in range(4, 13)]  # characters; the last tells n from n * n
FLOOR: Final = 0.001  # CPU seconds below which no ratio is looked at
TIMES_LONGER: Final = 8  # far enough apart that a busy machine cannot make 8 look like 64
RATIO: Final = 24.0  # of the times of two lengths, 8 if linear and 64 if quadratic
TOKENS: Final = 8 if EVERY_CASE else 6  # of an expression that are combined
REPRESENTATIVES: Final = "a0 _-.,:;=/|\\\"'[](){}<>#\t\nZé"
OURS: Final = {  # expressions over the project's own text
    "analysis.methods.catalogue",
    "analysis.report.bundle",
    "analysis.report.report_script",
    "analysis.site.guide_search",
    "analysis.site.views.guide",
    "analysis.web.documents",
    "analysis.web.pdf_sheet",
    "config.storage",
    "config.template_loader",
    "people.compiled_sql",
}
Ask = Callable[[str], object]


def modules() -> Iterator[tuple[ModuleType, ast.AST]]:
    """Modules with expressions; the others need not be loaded."""
    for file in sorted(chain.from_iterable((ROOT / package).rglob("*.py") for package in PACKAGES)):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        source = file.read_text("utf-8")
        is_exempt = name in OURS or not APART.isdisjoint(file.parts)
        if not is_exempt and re.search(r"\bimport re$|\.(?:full)?match\(", source, re.MULTILINE):
            yield importlib.import_module(name), ast.parse(source)


def regex_use(pattern: re.Pattern[str], method: str) -> Ask:
    """The use of an expression that its module makes."""
    if method in {"match", "fullmatch", "search"}:
        bound_method: Ask = getattr(pattern, method)
        return bound_method
    return lambda text: sum(1 for _ in pattern.finditer(text))


@cache
def expressions() -> dict[str, tuple[re.Pattern[str], str]]:
    """Expression and method, by the place where they are used."""
    use_by_place: dict[str, tuple[re.Pattern[str], str]] = {}
    for module, tree in modules():
        for name, pattern, method in regex_calls(module, tree):
            if isinstance(pattern.pattern, str):
                use_by_place[f"{module.__name__}.{name}.{method}"] = pattern, method
    return use_by_place


def regex_calls(module: ModuleType, tree: ast.AST) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Calls such as `_LINE.match(text)` of a compiled expression, and `re.sub("…", …)`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        pattern = getattr(module, node.value.id, None)
        if isinstance(pattern, re.Pattern):
            yield node.value.id, pattern, node.attr
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            first = node.args[0] if node.args else None
            method = ast.unparse(node.func).removeprefix("re.")
            text = first.value if isinstance(first, ast.Constant) else None
            if isinstance(text, str) and method not in {"compile", "escape"}:
                yield repr(text), re.compile(text), method


def tokens(pattern: re.Pattern[str]) -> list[str]:
    """Words of the expression, and characters that its classes take."""
    parser = importlib.import_module("re._parser")
    classes = {"\\s": " ", "\\w": "a", "\\d": "0"}
    words = dict.fromkeys(sign for name, sign in classes.items() if name in pattern.pattern)
    for sequence in parts(parser.parse(pattern.pattern, pattern.flags)):
        literal = "".join(chr(value) for code, value in sequence if str(code) == "LITERAL")
        words |= dict.fromkeys(filter(None, (literal, literal[:1], literal[-1:])))
    takes = [sign for sign in REPRESENTATIVES if sign in pattern.pattern]
    return list(dict.fromkeys([*words, *takes, *"a0 _-"]))[:TOKENS]


def parts(parsed: Any) -> Iterator[Any]:
    """Every sequence inside of a parsed expression."""
    yield parsed
    for _, value in parsed:
        yield from chain.from_iterable(map(parts, sequences(value)))


def sequences(value: Any) -> Iterator[Any]:
    if type(value).__name__ == "SubPattern":
        yield value
    elif isinstance(value, tuple | list):
        yield from chain.from_iterable(map(sequences, value))


def hostile(pattern: re.Pattern[str]) -> Iterator[Callable[[int], str]]:
    """Repeated parts of the expression, after and before its words, and an end that fits none."""
    for first, second in product(tokens(pattern), repeat=2):
        yield partial(repeated_text, "", first + second, "\x00")
        yield partial(repeated_text, first, second, "\x00")
        yield partial(repeated_text, "", first, f"{second}\x00")
        yield partial(repeated_text, "", first, f"a{second}")


def repeated_text(head: str, body: str, tail: str, length: int) -> str:
    return head + body * (length // len(body)) + tail


def seconds(ask: Ask, text: str) -> float:
    """CPU seconds of this thread: other threads of the tests may be at work."""
    start = time.thread_time()
    ask(text)
    return time.thread_time() - start


def slow_texts(pattern: re.Pattern[str], method: str) -> Iterator[str]:
    """Beginnings of texts whose time grows over `RATIO` times with `TIMES_LONGER` times as much."""
    ask = regex_use(pattern, method)
    for text_of in hostile(pattern):
        length = next((n for n in LENGTHS if seconds(ask, text_of(n)) > FLOOR), None)
        if length is not None and is_slow(ask, text_of, length):
            yield text_of(20)


def is_slow(ask: Ask, text_of: Callable[[int], str], length: int) -> bool:
    short = min(seconds(ask, text_of(length)) for _ in range(3))
    return all(seconds(ask, text_of(TIMES_LONGER * length)) > RATIO * short for _ in range(3))


def test_expressions_are_found() -> None:
    names = expressions().keys()

    assert "formats.openmetrics._SAMPLE.fullmatch" in names
    assert len(names) > 60


@pytest.mark.parametrize("pattern", [r"(?P<name>\w+)=", r"\[.*\]\Z", r": ([^\[]*?)(?: \[.*)?\Z"])
def test_a_quadratic_expression_is_seen(pattern: str) -> None:
    assert next(slow_texts(re.compile(pattern), "search"), None) is not None


def test_every_expression_is_linear() -> None:
    slow_text_by_place = {
        place: next(slow_texts(*pattern_and_method), None)
        for place, pattern_and_method in expressions().items()
    }

    assert {place: text for place, text in slow_text_by_place.items() if text is not None} == {}
