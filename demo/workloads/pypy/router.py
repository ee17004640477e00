"""Sends requests through a table of routes with many kinds of parts and many branches."""

from __future__ import annotations

from collections.abc import Callable

from demo.workloads.pypy.dice import Dice

KINDS = {
    "int": str.isdigit,
    "word": str.isalpha,
    "slug": lambda text: text.replace("-", "").isalnum(),
    "hex": lambda text: all(c in "0123456789abcdef" for c in text),
}


def fits(route: list[str], path: list[str]) -> bool:
    if len(route) != len(path):
        return False
    for expected, segment in zip(route, path):  # noqa: B905 (PyPy's Python 3.9 has no strict)
        if expected.startswith("<"):
            if not KINDS[expected[1:-1]](segment):
                return False
        elif expected != segment:
            return False
    return True


def make(routes: int, requests: int) -> Callable[[int], int]:
    dice = Dice(3)
    sections = ["shop", "news", "help", "team"]
    kinds = [f"<{kind}>" for kind in KINDS]
    table = [
        [sections[dice.below(4)], *(kinds[dice.below(4)] for _ in range(1 + dice.below(3)))]
        for _ in range(routes)
    ]
    words = ["42", "about", "red-shoes", "beef", "2026", "x-1", "zebra"]
    paths = [
        "/".join(
            [sections[dice.below(4)], *(words[dice.below(7)] for _ in range(1 + dice.below(4)))]
        )
        for _ in range(requests)
    ]

    def run(i: int) -> int:
        check = i % 5
        for text in paths:
            path = text.split("/")
            for number, route in enumerate(table):
                if fits(route, path):
                    check += number
                    break
        return check

    return run
