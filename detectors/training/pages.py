"""Tables of a training in the pages of its methods, between two marker lines."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BEGIN: Final = "<!-- {name}: written by `manage.py train plateau` -->"
END: Final = "<!-- /{name} -->"


def written(page: Path, name: str, text: str) -> None:
    """Replace what stands between the marker lines `name`. Raises `ValueError` without them."""
    begin, end = BEGIN.format(name=name), END.format(name=name)
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page}: found no lines {begin} and {end}, expected both")
    page.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")
