"""Tables in Markdown, as commands print them and pages hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def head(*names: str) -> str:
    """The names of the columns, and the line below them."""
    return f"{row(*names)}\n{'|---' * len(names)}|"


def table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join([head(*names), *(row(*cells) for cells in rows)])
