"""Tables in Markdown, as commands print them and pages hold them, and the places of these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def head(*names: str) -> str:
    """The names of the columns, and the line below them."""
    return f"{row(*names)}\n{'|---' * len(names)}|"


def markdown_table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join([head(*names), *(row(*cells) for cells in rows)])


def replace_between(page: str, begin: str, end: str, text: str) -> str:
    """The text of a page, what stands between two marker lines replaced; ValueError without."""
    page_before, begin_mark, after_begin = page.partition(begin)
    _, end_mark, page_after = after_begin.partition(end)
    if not (begin_mark and end_mark):
        raise ValueError(f"found no lines {begin} and {end}, expected both")
    return f"{page_before}{begin}\n{text}\n{end}{page_after}"
