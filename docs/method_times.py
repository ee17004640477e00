"""Times of the methods, on their pages: `python -m docs.method_times [--check]`.

One table holds the measured times, `docs/design/cost.md`, which `python -m evidence.bench.growth`
writes. Each page of a method quotes its row; a time that is written by hand, on these pages or
beside the name of a method on another one, is out of date sooner or later, and refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Final

from detectors.registry import registry
from docs.derived import is_stale
from formats.markdown import replace_between

DOCS: Final = Path(__file__).resolve().parent
MEASURED: Final = DOCS / "design" / "cost.md"
BEGIN, END = "<!-- time: written by `make docs` -->", "<!-- /time -->"
LENGTH: Final = "3,000"  # values of a series, whose time is always said
LINK: Final = "[measured](../design/cost.md)"
NOT_MEASURED: Final = "**Time.** Not measured: the method needs more than the values of a series."

PROGRAMS: Final = frozenset({"cost.md", "neighbours.md", "all-methods.md"})
"""Pages whose times are written by the program that measured them."""
CODE: Final = re.compile(r"`[^`]*`")
DERIVED: Final = re.compile(r"<!-- (\w+): written by .*?<!-- /\1 -->", re.DOTALL)
A_TIME: Final = re.compile(
    r"\d\s?(?:ms|µs|us)\b(?!/op)|\b\d[\d.]*\s(?:milli|micro)seconds?\b"
    r"|\b(?:under an?|about an?|some|a tenth of a) (?:milli|micro)seconds?\b"
)

Times = Mapping[str, Mapping[str, str]]  # by method and number of values, as they are printed


def measured_times(page: str) -> Times:
    """First table of the page of costs: cells by method and length, without the empty ones.

    The page ends with another table of methods, of the series that are too long for them.
    """
    lines = dropwhile(lambda line: not line.startswith("| method |"), page.splitlines())
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in takewhile(lambda line: line.startswith("|"), lines)
    ]
    lengths = next(cells[1:-1] for cells in rows if cells[0] == "method")
    return {
        slug: {n: cell for n, cell in zip(lengths, cells, strict=False) if cell}
        for slug, *cells in rows
        if slug in registry()
    }


def time_sentence(times: Mapping[str, str]) -> str:
    """Measured time of an answer for 3,000 values, and for the longest measured series."""
    if LENGTH not in times:
        return NOT_MEASURED
    longest_length = max(times, key=lambda n: int(n.replace(",", "")))
    sentence = f"**Time.** {LENGTH} values take {times[LENGTH]}"
    longest_time_words = (
        f", {longest_length} values {times[longest_length]}" if longest_length != LENGTH else ""
    )
    return f"{sentence}{longest_time_words}: defaults, compiled, one core ({LINK})."


def pages_with_times(times: Times) -> Iterator[tuple[Path, str]]:
    """Path and text of the page of each method of ours, with the times of today."""
    for slug in registry():
        path = DOCS / "detectors" / f"{slug}.md"
        if path.is_file():
            page, sentence = path.read_text("utf-8"), time_sentence(times.get(slug, {}))
            if BEGIN not in page or END not in page:
                raise ValueError(f"the page of {slug} lacks the lines {BEGIN} and {END}")
            yield path, replace_between(page, BEGIN, END, sentence)


def handwritten_times(path: Path) -> Iterator[str]:
    """Lines of a page with a time of a method that no program wrote."""
    if path.name in PROGRAMS:
        return
    is_method_page = path.parent.name == "detectors"
    for line in DERIVED.sub("", path.read_text("utf-8")).splitlines():
        if A_TIME.search(CODE.sub("", line)) and (is_method_page or _names_a_method(line)):
            yield f"{path.relative_to(DOCS.parent)}: {line[:100]}"


def _names_a_method(line: str) -> bool:
    """Return whether a slug stands in code, or the title of a method in a sentence."""
    return any(
        f"`{slug}`" in line or f"detectors/{slug}.md" in line or f"{method.title} takes" in line
        for slug, method in registry().items()
    )


def main(*, check: bool) -> int:
    """Write the times of every page afresh, or only check; 1 where a page is not in order."""
    times = measured_times(MEASURED.read_text("utf-8"))
    stale_pages = [
        is_stale(path, text, check=check, part_name="time")
        for path, text in pages_with_times(times)
    ]
    pages = sorted(
        path for room in ("detectors", "guide", "design") for path in (DOCS / room).glob("*.md")
    )
    handwritten_lines = [line for path in pages for line in handwritten_times(path)]
    for line in handwritten_lines:
        sys.stderr.write(f"a time of a method that was written by hand: {line}\n")
    return int(bool(handwritten_lines) or (check and any(stale_pages)))


if __name__ == "__main__":
    raise SystemExit(main(check="--check" in sys.argv[1:]))
