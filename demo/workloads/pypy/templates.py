"""Fills a page template for a list of products, with filters and conditions."""

from __future__ import annotations

from collections.abc import Callable

from demo.workloads.pypy.dice import Dice

ROW = "<li class='{kind}'>{name|title} costs {price|money}{?stock}, {stock} left{/stock}</li>"
FILTERS = {
    "title": lambda value: str(value).title(),
    "money": lambda value: "%d.%02d" % divmod(value, 100),  # noqa: UP031 (what is measured)
}


def compiled(template: str) -> list[tuple[str, str, str]]:
    """Template as (kind, name, filter or text) parts."""
    parts = []
    for piece in template.split("{"):
        tag, closed, text = piece.partition("}")
        if not closed:
            parts.append(("text", "", tag))
            continue
        if tag[0] in "?/":
            parts.append(("if" if tag[0] == "?" else "end", tag[1:], ""))
        else:
            name, _, applied = tag.partition("|")
            parts.append(("value", name, applied))
        parts.append(("text", "", text))
    return parts


def rendered(parts: list[tuple[str, str, str]], values: dict[str, object]) -> str:
    out = []
    hidden = False
    for kind, name, extra in parts:
        if kind == "if":
            hidden = not values[name]
        elif kind == "end":
            hidden = False
        elif not hidden:
            value = extra if kind == "text" else values[name]
            out.append(str(FILTERS[extra](value) if kind == "value" and extra else value))
    return "".join(out)


def make(products: int) -> Callable[[int], int]:
    dice = Dice(2)
    rows = [
        {
            "kind": "abc"[k % 3],
            "name": f"thing number {k}",
            "price": dice.below(9000),
            "stock": k % 4,
        }
        for k in range(products)
    ]

    def run(i: int) -> int:
        parts = compiled(ROW)
        return len("\n".join(rendered(parts, row) for row in rows)) + i % 7

    return run
