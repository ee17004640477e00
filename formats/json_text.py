"""JSON read element by element, with a place for every complaint."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from formats.errors import FormatError
from formats.source import InputSource

_SPACE = re.compile(r"[ \t\r\n]*")
# Bytes that CPython takes for a list, an object, and a number or text, each with its place in what
# holds it: what a file of many small ones costs, which no count of its bytes tells.
_COSTS: Final = {"[": 64, "{": 200, ",": 32}
_EXPECTED = {
    "Expecting value": "a JSON value",
    "Expecting ',' delimiter": "',' or a closing bracket",
    "Expecting ':' delimiter": "':'",
    "Expecting property name enclosed in double quotes": "a name in double quotes",
    "Unterminated string starting at": "the end of the string that starts here",
    "Extra data": "the end of the file",
}


def elements(source: InputSource) -> Iterator[object]:
    """The elements of the list that the file holds, or the one thing that it holds.

    One element is in memory at a time, beside the text of the file.
    """
    text = source.text()
    _check_cost(source, text)
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


def documents(source: InputSource) -> Iterator[object]:
    """The documents that stand in the file one after the other, such as one a line."""
    text = source.text()
    _check_cost(source, text)
    at = _skip(text, 0)
    while at < len(text):
        document, end = _element(source, text, at)
        yield document
        at = _skip(text, end)


def _check_cost(source: InputSource, text: str) -> None:
    """Refuse what would take more memory than the limit, before any of it is built."""
    most = source.options.limits.memory
    cost = sum(each * text.count(sign) for sign, each in _COSTS.items())
    if cost > most:
        found = f"lists and numbers that take {cost:,} bytes"
        raise source.too_many("the whole file", found=found, most=most, what="bytes")


class _RepeatedName(ValueError):
    """A name that stands twice in one object: nobody can say which of the two is meant."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _ in pairs)
        raise _RepeatedName(next(name for name in found if times[name] > 1))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _after(source: InputSource, text: str, at: int) -> int:
    """The place of what follows an element: the next one, or the closing bracket."""
    if text[at : at + 1] == "]":
        return at
    if text[at : at + 1] != ",":
        raise _wrong(source, json.JSONDecodeError("Expecting ',' delimiter", text, at))
    following = _skip(text, at + 1)
    if text[following : following + 1] == "]":
        raise _wrong(source, json.JSONDecodeError("Expecting value", text, following))
    return following


def _element(source: InputSource, text: str, at: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as wrong:
        raise _wrong(source, wrong) from wrong
    except (RecursionError, ValueError) as wrong:
        line = text.count("\n", 0, at) + 1
        raise source.problem(
            f"element that starts in line {line}", found=_why(wrong), expected=_instead(wrong)
        ) from wrong


def _why(wrong: Exception) -> str:
    if isinstance(wrong, RecursionError):
        return "lists in lists in lists without end"
    if isinstance(wrong, _RepeatedName):
        return f"{str(wrong)[:40]!r} twice in one object"
    return "a number with thousands of digits"


def _instead(wrong: Exception) -> str:
    return "every name once" if isinstance(wrong, _RepeatedName) else "measurements"


def _wrong(source: InputSource, wrong: json.JSONDecodeError) -> FormatError:
    rest = wrong.doc[wrong.pos : wrong.pos + 20]
    if wrong.msg.startswith("Unterminated"):
        rest = ""
    return source.problem(
        f"line {wrong.lineno}, column {wrong.colno}",
        found=repr(rest.splitlines()[0]) if rest.strip() else "the end of the file",
        expected=_EXPECTED.get(wrong.msg, f"JSON ({wrong.msg})"),
        hint="" if rest.strip() else "the file breaks off: copy it again",
    )
