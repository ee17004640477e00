"""Prose of the guide: `python -m docs.prose` prints words and sentences of each page.

Prose is the text of headings, paragraphs and lists. Tables, code, pictures and the parts that
`make docs` writes between its markers are none. With `--check`, status 1 where the guide is longer
than MOST_WORDS, its sentences are longer than MEAN_LENGTH on average, or one sentence, or a phrase
in a table, is longer than LONGEST, or where a sentence begins without its subject.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

GUIDE: Final = Path(__file__).resolve().parent / "guide"
MOST_WORDS: Final = 22_000  # of all pages together
MEAN_LENGTH: Final = 14  # words of a sentence, over all pages
LONGEST: Final = 25  # words of one sentence; `code` is one word of it
GENERATED: Final = re.compile(
    r"<!-- ([^:>]+): written by `make docs`.*?-->.*?<!-- /\1 -->", re.DOTALL
)
CODE_BLOCK: Final = re.compile(r"^ {0,3}```.*?^ {0,3}```\s*?$", re.DOTALL | re.MULTILINE)
NO_PROSE: Final = re.compile(
    r"\||!\[|<| {4}"
)  # how a line of a table, picture, markup, code begins
ITEM: Final = re.compile(r"^\s*(?:[-*>]|\d+\.)\s+")
LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CODE: Final = re.compile(r"`[^`]*`")
END: Final = re.compile(r"(?<!\sal\.)(?<=[.!?])[)\"”*]*\s+(?=[^a-z])")  # but behind "et al."
PHRASE_END: Final = re.compile(rf"(?<!\\)\||; |{END.pattern}")
RIDDLE: Final = re.compile(r"(What|Those|Whoever|Whose|None of)\b(?!.*\?$)")  # but in a question
WORD: Final = re.compile(r"\w")


class PageProse(NamedTuple):
    """Words of a page, and its sentences outside of headings.

    phrases  parts of cells of tables, which end as sentences do or at a semicolon
    """

    page: str
    words: int
    sentences: list[str]
    phrases: list[str]

    @property
    def lengths(self) -> list[int]:
        return [sentence_length(sentence) for sentence in self.sentences]


def page_prose(path: Path) -> PageProse:
    markdown = CODE_BLOCK.sub("", GENERATED.sub("", path.read_text("utf-8")))
    blocks = list(prose_blocks(markdown))
    paragraphs = [block for block in blocks if not block.startswith("#")]
    sentences = [sentence for text in paragraphs for sentence in END.split(text) if sentence]
    rows = (line for line in markdown.splitlines() if line.startswith("|"))
    phrases = [phrase for row in rows for phrase in PHRASE_END.split(LINK.sub(r"\1", row))]
    return PageProse(path.stem, sum(map(word_count, blocks)), sentences, phrases)


def prose_blocks(markdown: str) -> Iterator[str]:
    """Headings, paragraphs and items of lists, each on one line, links by their words alone."""
    lines: list[str] = []
    for line in (*markdown.splitlines(), ""):
        is_prose = bool(line.strip()) and not NO_PROSE.match(line)
        if lines and (not is_prose or line.startswith("#") or ITEM.match(line)):
            yield LINK.sub(r"\1", " ".join(lines))
            lines = []
        if is_prose:
            lines.append(ITEM.sub("", line, count=1).strip())


def word_count(text: str) -> int:
    return sum(bool(WORD.search(word)) for word in text.split())


def sentence_length(sentence: str) -> int:
    return word_count(CODE.sub("code", sentence))


def guide_breaches(pages: Sequence[PageProse]) -> Iterator[str]:
    """Each sentence that is too long or begins without its subject, and bounds of all pages."""
    for page in pages:
        for text, length in (
            *zip(page.sentences, page.lengths, strict=True),
            *((phrase.strip(), word_count(CODE.sub("", phrase))) for phrase in page.phrases),
        ):
            if length > LONGEST:
                yield f"{page.page}: {length} words, at most {LONGEST}: {text}"
        for sentence in filter(RIDDLE.match, page.sentences):
            yield f"{page.page}: begins without its subject: {sentence}"
    words = sum(page.words for page in pages)
    if words > MOST_WORDS:
        yield f"the guide has {words:,} words, expected at most {MOST_WORDS:,}"
    mean_length = mean([length for page in pages for length in page.lengths])
    if mean_length > MEAN_LENGTH:
        yield f"sentences have {mean_length:.1f} words on average, expected at most {MEAN_LENGTH}"


def mean(lengths: Sequence[int]) -> float:
    return sum(lengths) / max(1, len(lengths))


def main(arguments: Sequence[str]) -> int:
    pages = [page_prose(path) for path in sorted(GUIDE.glob("*.md"))]
    if "--check" in arguments:
        breaches = list(guide_breaches(pages))
        sys.stderr.writelines(f"{breach}\n" for breach in breaches)
        return int(bool(breaches))
    total = PageProse("all pages", sum(page.words for page in pages), [], [])
    total.sentences.extend(sentence for page in pages for sentence in page.sentences)
    for page in (*pages, total):
        figures = f"{page.words:6,} words, {len(page.sentences):5,} sentences"
        mean_length = f"{mean(page.lengths):4.1f} words each"
        sys.stdout.write(f"{page.page:22} {figures}, {mean_length}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
