"""The fragments of a page without what only a page can do: links, forms, scripts."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from typing import Final

DROPPED: Final = frozenset({"form", "script", "button", "nav", "template"})
"""Elements that go with everything in them."""
LIVE: Final = frozenset({"data-live", "data-menu", "hidden"})
"""Attributes of elements that go likewise: what only a page can keep its word about."""
UNWRAPPED: Final = frozenset({"a", "abbr"})
"""Elements of which the content stays; what an `abbr` means is in the list of methods."""
VOID: Final = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "wbr"})
PAGE_ONLY: Final = ("hx-", "data-", "on")
PAGE_ONLY_NAMES: Final = frozenset({"href", "id", "name", "open"})
"""Without "open" what is folded stays so until a reader opens it, on paper too."""
DRAWN: Final = "data-plot"
"""How the attributes begin by which the script of the document finds figures: they stay."""
CASES: Final = {"viewbox": "viewBox", "patternunits": "patternUnits"}
"""Attributes of SVG that the parser of HTML writes small."""
KEPT_IDS: Final = frozenset({"hatch"})  # ids of patterns that style sheets name


class _Plain(HTMLParser):
    """Copies what is given, without what DROPPED, UNWRAPPED and PAGE_ONLY name."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.inside: list[str] = []  # open elements of what is being dropped

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.inside or _is_dropped(tag, dict(attrs)):
            if tag not in VOID:
                self.inside.append(tag)
            return
        if tag not in UNWRAPPED and tag != "input":
            self.pieces.append(_tag_text(tag, _kept_attributes(attrs), end=">"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.inside and tag not in UNWRAPPED | DROPPED:
            self.pieces.append(_tag_text(tag, _kept_attributes(attrs), end="/>"))

    def handle_endtag(self, tag: str) -> None:
        if self.inside:
            while self.inside and self.inside.pop() != tag:
                pass
        elif tag not in UNWRAPPED | VOID:
            self.pieces.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.inside:  # the data of figures has nothing to escape: see WebFigure.json
            self.pieces.append(escape(data, quote=False))


def _is_dropped(tag: str, attrs: Mapping[str, str | None]) -> bool:
    """All scripts go but the data of figures."""
    if tag == "script" and attrs.get("type") == "application/json":
        return not any(name.startswith(DRAWN) for name in attrs)
    return tag in DROPPED or bool(LIVE & attrs.keys())


def _kept_attributes(attrs: list[tuple[str, str | None]]) -> list[tuple[str, str]]:
    return [
        (CASES.get(name, name), value or "")
        for name, value in attrs
        if (name.startswith(DRAWN) or not name.startswith(PAGE_ONLY))
        and (name not in PAGE_ONLY_NAMES or (name == "id" and value in KEPT_IDS))
    ]


def _tag_text(tag: str, attrs: list[tuple[str, str]], *, end: str) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in attrs)
    return f"<{tag}{attributes}{end}"


def plain_html(html: str) -> str:
    """`html` as it can stand in a file: read, printed, and nothing to press."""
    copy = _Plain()
    copy.feed(html)
    copy.close()
    return "".join(copy.pieces)
