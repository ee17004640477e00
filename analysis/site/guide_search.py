"""Search over the guide and the pages of methods: sections that have every word of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.urls import reverse

from analysis.web.documents import anchor
from detectors.registry import registry

DOCS: Final = Path(settings.BASE_DIR) / "docs"
GUIDE: Final = DOCS / "guide"
METHODS: Final = DOCS / "detectors"
MOST_HITS: Final = 20
MOST_WORDS: Final = 10  # most words of a query
AROUND: Final = 160  # characters of an excerpt
IN_TITLE, IN_HEADING, IN_TEXT_AT_MOST = 20, 8, 5  # points of a word by where it stands
WORD: Final = re.compile(r"\w[\w-]*")
HEADING: Final = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)
COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
MARKS: Final = re.compile(r"[#|]+|-{3,}")


@dataclass(frozen=True, slots=True)
class GuideSection:
    """A part of a page below one of its headings; the first part has none."""

    title: str
    heading: str
    text: str
    url: str


def search(query: str) -> list[tuple[GuideSection, str]]:
    """Sections in which every word of `query` begins a word, with the words around the first
    place, the best first; at most twenty.
    """
    query_words = [word.casefold() for word in WORD.findall(query)[:MOST_WORDS]]
    if not query_words:
        return []
    scored_sections = [(_score(section, query_words), section) for section in _sections()]
    ranked_sections = sorted(
        (scored_section for scored_section in scored_sections if scored_section[0]),
        key=lambda scored_section: -scored_section[0],
    )
    return [(s, _excerpt(s.text, query_words)) for _, s in ranked_sections[:MOST_HITS]]


def _score(section: GuideSection, query_words: list[str]) -> int:
    """0 where a word is missing."""
    word_scores = [_word_score(section, word) for word in query_words]
    return sum(word_scores) if all(word_scores) else 0


def _word_score(section: GuideSection, word: str) -> int:
    word_pattern = re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)
    text_count = min(len(word_pattern.findall(section.text)), IN_TEXT_AT_MOST)
    # A page's title would match all its sections: only the first section counts the title.
    title_score = IN_TITLE if not section.heading and word_pattern.search(section.title) else 0
    return text_count + title_score + (IN_HEADING if word_pattern.search(section.heading) else 0)


def _excerpt(text: str, query_words: list[str]) -> str:
    """Whole words around the first of `query_words`."""
    match = re.search(rf"\b{re.escape(query_words[0])}", text, re.IGNORECASE)
    start = max(0, (match.start() if match else 0) - AROUND // 3)
    start = text.find(" ", start) + 1 if start else 0
    excerpt = text[start : start + AROUND]
    reaches_end = start + AROUND >= len(text)
    return ("… " if start else "") + (excerpt if reaches_end else excerpt.rpartition(" ")[0] + " …")


@cache
def _sections() -> tuple[GuideSection, ...]:
    sections: list[GuideSection] = []
    for path in sorted(GUIDE.glob("*.md")):
        sections += _page_sections(path, reverse("help-topic", args=[path.stem]))
    for slug in registry():
        path = METHODS / f"{slug}.md"
        if path.is_file():
            sections += _page_sections(path, reverse("method-text", args=[slug]))
    return tuple(sections)


def _page_sections(path: Path, url: str) -> Iterator[GuideSection]:
    head, _, body = path.read_text("utf-8").partition("\n")
    title = head.removeprefix("# ").strip()
    introduction, *headings_and_texts = HEADING.split(body)
    yield GuideSection(title, "", _plain_text(introduction), url)
    for heading, text in zip(headings_and_texts[::2], headings_and_texts[1::2], strict=True):
        yield GuideSection(
            title, _plain_text(heading), _plain_text(text), f"{url}#{anchor(heading)}"
        )


def _plain_text(markdown: str) -> str:
    """The words of Markdown, on one line."""
    bare_text = LINK.sub(r"\1", COMMENT.sub("", markdown)).replace("`", "").replace("*", "")
    return " ".join(MARKS.sub(" ", bare_text).split())
