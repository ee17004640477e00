"""XML read element by element, in bounded memory, without entities of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from xml.parsers import expat

from formats.source import InputSource

_BLOCK: Final = 1 << 16  # bytes
_MOST_TEXT: Final = 100_000  # characters of an element's text that are kept
_MOST_PENDING: Final = 1 << 20  # bytes of one tag: some parsers read it again with each block
_MOST_DEEP: Final = 100
_LOOKED_AT: Final = 5_000  # characters, for the first element behind comments and style sheets


class XmlTag(NamedTuple):
    """Begin or end of an element; `text` is what stood in it, known at its end.

    `attributes` are known at both; `path` are the names of the elements around it.
    """

    name: str
    attributes: Mapping[str, str]
    path: tuple[str, ...]
    text: str
    line: int
    opens: bool


def begins_with_element(text: str, *names: str) -> bool:
    """Return whether one of `names` is the first element of a text that begins so."""
    first = re.search(r"<([A-Za-z][\w.-]*)", text[:_LOOKED_AT])
    return first is not None and first[1] in names


class _Tags:
    """Handlers of the parser: tags since the last call of `take_tags`."""

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self._tags: list[XmlTag] = []
        self._open: list[tuple[str, Mapping[str, str]]] = []
        self._text: list[str] = []
        self._length = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._doctype

    def take_tags(self) -> list[XmlTag]:
        tags, self._tags = self._tags, []
        return tags

    def _path(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._open)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if len(self._open) >= _MOST_DEEP:
            excerpt = "elements in elements without end"
            raise self._source.problem(f"line {line}", found=excerpt, expected="a report")
        self._tags.append(XmlTag(name, attributes, self._path(), "", line, opens=True))
        self._open.append((name, attributes))
        self._text, self._length = [], 0

    def _end(self, name: str) -> None:
        _, attributes = self._open.pop()
        text, line = "".join(self._text).strip(), self.parser.CurrentLineNumber
        self._tags.append(XmlTag(name, attributes, self._path(), text, line, opens=False))
        self._text, self._length = [], 0

    def _characters(self, text: str) -> None:
        if self._length < _MOST_TEXT:
            self._text.append(text[: _MOST_TEXT - self._length])
            self._length += len(text)

    def _doctype(self, name: str, *_identifiers: object) -> None:
        where, excerpt = (f"line {self.parser.CurrentLineNumber}", f"a document type {name[:40]!r}")
        raise self._source.problem(where, found=excerpt, expected="a report of a tool, without one")


def xml_tags(source: InputSource) -> Iterator[XmlTag]:
    """The tags of an XML file in its order; raises where it is none, or ends early."""
    tags, is_last = _Tags(source), False
    parsed_bytes = token_start = 0  # bytes
    while not is_last:
        block = source.stream.read(_BLOCK)
        is_last = not block
        try:
            tags.parser.Parse(block, is_last)
        except expat.ExpatError as error:
            yield from tags.take_tags()
            raise source.problem(
                f"line {error.lineno}, column {error.offset + 1}",
                found=expat.ErrorString(error.code) or "an error",
                expected="XML",
                hint="the file breaks off: copy it again" if is_last else "",
            ) from error
        yield from tags.take_tags()
        parsed_bytes += len(block)
        token_start = max(token_start, tags.parser.CurrentByteIndex)  # -1 where it is not known
        if parsed_bytes - token_start > _MOST_PENDING:
            where, most_bytes = f"line {tags.parser.CurrentLineNumber}", f"{_MOST_PENDING:,}"
            excerpt = f"a tag or comment of more than {most_bytes} bytes"
            raise source.problem(where, found=excerpt, expected=f"at most {most_bytes} bytes")
