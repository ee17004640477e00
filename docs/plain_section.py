"""Plain series in the documentation: a section of the page of all methods, and a block a method.

Both are written from the figures that `docs.all_methods` keeps, with their pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from detectors.contract import Detector
from detectors.simulated.plain_series import LEVELS, PlainShape
from docs.derived import is_stale
from docs.plain_pictures import (
    mistake_of,
    mistake_picture,
    mistake_words,
    shape_picture,
    shape_words,
)
from docs.yardsticks import MARK, PLATEAUS, flat_share, shape_share
from evidence.corpus.plain_mistakes import TypicalMistake
from formats.markdown import markdown_table

DOCS: Final = Path(__file__).resolve().parent
GUIDE, PAGES = DOCS / "guide", DOCS / "detectors"
BEGIN, END = "<!-- plain: written by `make docs` -->", "<!-- /plain -->"
AFTER: Final = "<!-- /parameters -->"
WHY: Final = "**Why flat series come out wrong.**"
HALF: Final = 0.5  # of flat series: who is right on fewer says why on its page
Document = dict[str, Any]

SECTION: Final = """\
## Plain series: {series:,}, right or wrong

[Plain series](corpus.md#plain-series) have a shape that nobody would dispute, lengths from 10 to
10,000, and nine kinds of noise. An answer is right or wrong; no answer is wrong. The Plateaus were
trained on plain series of narrower ranges, none of these. Each picture has one series of 500
values, its right answers as a band, and a tick below for the answer of each method."""

SHARES: Final = """\
### Right by shape, and the typical mistake

Shares are of right answers. The last column is the commonest mistake in one shape, and how often it
is made. The page of each method has a picture of it."""

Figures = list[tuple[Detector, Document]]


def rows_with_plain(document: Document, methods: Sequence[Detector]) -> Figures:
    """Methods with their kept rows, the one with most right answers first."""
    rows = [(m, document["methods"].get(m.key, {})) for m in methods]
    rows_with_figures = [(method, row) for method, row in rows if "plain" in row]
    return sorted(rows_with_figures, key=lambda pair: -float(pair[1]["plain"]["right"]))


def section(document: Document, methods: Sequence[Detector]) -> str:
    """The section of the page of all methods; empty without figures."""
    figures = rows_with_plain(document, methods)
    if not figures:
        return ""
    pictures = [
        f"![{shape_words(shape, answers_to_pictured(figures, shape))}](pictures/plain-{shape}.svg)"
        for shape in LEVELS
    ]
    words = SECTION.format(series=figures[0][1]["plain"]["series"])
    return "\n\n".join([words, *pictures, SHARES, shares_table(figures), lengths_table(figures)])


def answers_to_pictured(figures: Figures, shape: PlainShape) -> list[int | None]:
    """Answer of each method for the pictured series of a shape."""
    return [row["plain"]["pictured"][shape] for _, row in figures]


def shares_table(figures: Figures) -> str:
    rows = []
    for method, row in figures:
        plain_figures, mistake = row["plain"], mistake_of(row)
        shares = [f"{shape_share(plain_figures, shape):.2f}" for shape in LEVELS]
        rows.append(
            [_name(method), f"{plain_figures['right']:.2f}", *shares, _mistake_cell(mistake)]
        )
    return markdown_table(["method", "all", *LEVELS, "typical mistake"], rows)


def lengths_table(figures: Figures) -> str:
    """Shares by length and by noise."""
    first = figures[0][1]["plain"]
    lengths, noises = first["length"], first["noise"]
    rows = [
        [
            _name(method),
            *(f"{row['plain']['length'][n]:.2f}" for n in lengths),
            *(f"{row['plain']['noise'][noise]:.2f}" for noise in noises),
        ]
        for method, row in figures
    ]
    head = ["method", *(f"{int(n):,}" for n in lengths), *noises]
    return f"### Right by length and by noise\n\n{markdown_table(head, rows)}"


def _name(method: Detector) -> str:
    return method.title + (MARK if method.slug in PLATEAUS else "")


def _mistake_cell(mistake: TypicalMistake | None) -> str:
    if mistake is None:
        return "none"
    return f"{mistake.shape}: {mistake.kind} ({mistake.count} of {mistake.series})"


# --- the pages of methods -------------------------------------------------------------------------
def block(method: Detector, row: Document) -> str:
    """Block on the page of a method: its shares, and its typical mistake as a picture."""
    plain_figures, mistake = row["plain"], mistake_of(row)
    counts = plain_figures["shape"]["flat"]
    mistake_counts = [f"{count} {kind}" for kind, count in counts.items() if kind != "right"]
    flat_words = f"{flat_share(row)} of {sum(counts.values())} flat ones"
    shares = ", ".join(
        f"{shape} {shape_share(plain_figures, shape):.2f}" for shape in LEVELS if shape != "flat"
    )
    mistakes = f" ({', '.join(mistake_counts)})" if mistake_counts else ""
    link_to_plain_series = "[series that nobody would dispute](../guide/corpus.md#plain-series)"
    right_sentence = (
        f"Right on {plain_figures['right']:.2f} of {plain_figures['series']} "
        f"{link_to_plain_series}, and on {flat_words}"
    )
    lines = [f"**Plain series.** {right_sentence}{mistakes}. By shape: {shares}."]
    if mistake is not None:
        lines.append(f"Its typical mistake is *{_mistake_cell(mistake)}*:\n")
        lines.append(f"![{mistake_words(method, mistake)}](pictures/plain-{method.slug}.svg)")
    return "\n".join([BEGIN, *lines, END])


def put_block(page: str, text: str) -> str:
    """The page with the block in its place: where it was, or after the parameters."""
    if BEGIN in page:
        page_before, _, after_marker = page.partition(BEGIN)
        return page_before + text + after_marker.partition(END)[2]
    page_before, parameters, after_marker = page.partition(AFTER)
    if not parameters:
        raise ValueError(f"{AFTER} is missing: there is no place for the shares of plain series")
    return f"{page_before}{parameters}\n\n{text}{after_marker}"


def has_reason(method: Detector) -> bool:
    """Return whether the page says why flat series come out wrong."""
    return WHY in method_page_path(method).read_text("utf-8")


def method_page_path(method: Detector) -> Path:
    return PAGES / f"{method.slug}.md"


def has_to_say_why(row: Document) -> bool:
    """Return whether a method is right on fewer than half of the flat series."""
    return "plain" in row and shape_share(row["plain"], "flat") < HALF


def derived_files(figures: Figures) -> Iterator[tuple[Path, str]]:
    """Path and text of all pictures of plain series, and of each method's page."""
    for shape in LEVELS if figures else ():
        path = GUIDE / "pictures" / f"plain-{shape}.svg"
        yield path, shape_picture(shape, answers_to_pictured(figures, shape))
    for method, row in figures:
        page = method_page_path(method)
        yield page, put_block(page.read_text("utf-8"), block(method, row))
        mistake = mistake_of(row)
        if mistake is not None:
            yield PAGES / "pictures" / f"plain-{method.slug}.svg", mistake_picture(method, mistake)


def write_files(figures: Figures, *, check: bool) -> bool:
    """Write pictures and blocks afresh; with `check`, only say which are out of date."""
    are_stale = False
    for path, text in derived_files(figures):
        path.parent.mkdir(exist_ok=True)
        are_stale |= is_stale(path, text, check=check)
    return are_stale
