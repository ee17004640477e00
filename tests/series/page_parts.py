"""Parts of a page by their `data-` names, so that tests do not hang on its prose."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path"}


class _PartFinder(HTMLParser):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.found: list[tuple[str, list[str]]] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if self._depth:
            self._depth += tag not in VOID
        elif self.name in attributes:
            self.found.append((attributes[self.name] or "", []))
            self._depth = int(tag not in VOID)

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag not in VOID:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.found[-1][1].append(data)


def parts(answer: Any, name: str) -> list[tuple[str, str]]:
    """Value and text of each outermost element with the attribute `name`, in order."""
    finder = _PartFinder(name)
    finder.feed(answer.content.decode())
    return [(value, " ".join("".join(texts).split())) for value, texts in finder.found]


def values(answer: Any, name: str) -> list[str]:
    return [value for value, _ in parts(answer, name)]


def texts(answer: Any, name: str) -> list[str]:
    return [text for _, text in parts(answer, name)]
