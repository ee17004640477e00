"""JSON read element by element, with a place for every complaint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from formats.errors import FormatError
from formats.source import Source

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_EXPECTED = {
    "Expecting value": "a JSON value",
    "Expecting ',' delimiter": "',' or a closing bracket",
    "Expecting ':' delimiter": "':'",
    "Expecting property name enclosed in double quotes": "a name in double quotes",
    "Unterminated string starting at": "the end of the string that starts here",
    "Extra data": "the end of the file",
}


def elements(source: Source) -> Iterator[object]:
    """The elements of the list that the file holds, or the one thing that it holds.

    One element is in memory at a time, beside the text of the file.
    """
    text = source.text()
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        element, at = _element(source, text, at)
        yield element
    else:
        at = _skip(text, at + 1)
        while text[at : at + 1] != "]":
            element, at = _element(source, text, at)
            yield element
            at = _after(source, text, _skip(text, at))
        at += 1
    if _skip(text, at) < len(text):
        raise _wrong(source, json.JSONDecodeError("Extra data", text, _skip(text, at)))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _after(source: Source, text: str, at: int) -> int:
    """The place of what follows an element: the next one, or the closing bracket."""
    if text[at : at + 1] == "]":
        return at
    if text[at : at + 1] != ",":
        raise _wrong(source, json.JSONDecodeError("Expecting ',' delimiter", text, at))
    following = _skip(text, at + 1)
    if text[following : following + 1] == "]":
        raise _wrong(source, json.JSONDecodeError("Expecting value", text, following))
    return following


def _element(source: Source, text: str, at: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as wrong:
        raise _wrong(source, wrong) from wrong
    except (RecursionError, ValueError) as wrong:
        line = text.count("\n", 0, at) + 1
        raise source.problem(
            f"element that starts in line {line}", found=_why(wrong), expected="measurements"
        ) from wrong


def _why(wrong: Exception) -> str:
    if isinstance(wrong, RecursionError):
        return "lists in lists in lists without end"
    return "a number with thousands of digits"


def _wrong(source: Source, wrong: json.JSONDecodeError) -> FormatError:
    rest = wrong.doc[wrong.pos : wrong.pos + 20]
    if wrong.msg.startswith("Unterminated"):
        rest = ""
    return source.problem(
        f"line {wrong.lineno}, column {wrong.colno}",
        found=repr(rest.splitlines()[0]) if rest.strip() else "the end of the file",
        expected=_EXPECTED.get(wrong.msg, f"JSON ({wrong.msg})"),
        hint="" if rest.strip() else "the file breaks off: copy it again",
    )
