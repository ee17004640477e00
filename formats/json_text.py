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


BREAKS_OFF: Final = "plateau: breaks off"
"""Field of a document that breaks off: a note on what is left out."""


def elements(source: InputSource, *, flat_field: str = "") -> Iterator[object]:
    """The elements of the list that the file holds, or the one thing that it holds.

    One element is in memory at a time, beside the text of the file.
    flat_list  last field of the one thing, a list of objects without objects in them: where the
               file breaks off within it, its complete objects are given, and `BREAKS_OFF`
    """
    text = source.text()
    _check_cost(source, text)
    position = _skip(text, 0)
    if text[position : position + 1] != "[":
        try:
            element, position = _element(source, text, position)
        except FormatError:
            element, position = _object_until_break(text, position, flat_field), len(text)
            if element is None:
                raise
        yield element
    else:
        position = _skip(text, position + 1)
        while text[position : position + 1] != "]":
            element, position = _element(source, text, position)
            yield element
            position = _position_after_element(source, text, _skip(text, position))
        position += 1
    if _skip(text, position) < len(text):
        raise _syntax_error(source, json.JSONDecodeError("Extra data", text, _skip(text, position)))


def _object_until_break(text: str, position: int, flat_field: str) -> dict[str, object] | None:
    """An object up to the last complete one in its list, with a note; None where there is none."""
    end = text.rfind("}") + 1
    if not flat_field or not 0 <= text.find(f'"{flat_field}"', position) < end:
        return None
    try:
        element = _DECODER.decode(f"{text[position:end]}]}}")
    except (RecursionError, ValueError):
        return None
    line = text.count("\n", 0, end) + 1
    return {**element, BREAKS_OFF: f"the file breaks off behind line {line}: the rest is left out"}


def documents(source: InputSource) -> Iterator[object]:
    """The documents that stand in the file one after the other, such as one a line."""
    text = source.text()
    _check_cost(source, text)
    position = _skip(text, 0)
    while position < len(text):
        document, end = _element(source, text, position)
        yield document
        position = _skip(text, end)


def assigned_document(source: InputSource, variable: str) -> object:
    """The document that a script sets `variable` to, such as ``x = {…};``."""
    text = source.text()
    _check_cost(source, text)
    position = text.find("=", text.find(variable))
    if variable not in text or position < 0:
        raise source.problem("start of the file", found=repr(text[:20]), expected=f"{variable} =")
    document, _ = _element(source, text, _skip(text, position + 1))
    return document


def _check_cost(source: InputSource, text: str) -> None:
    """Refuse what would take more memory than the limit, before any of it is built."""
    cost = sum(sign_cost * text.count(sign) for sign, sign_cost in _COSTS.items())
    if cost > source.options.limits.memory:
        actual = f"lists and numbers that take {cost:,} bytes"
        raise source.limit_error("the whole file", "memory", found=actual)


class _RepeatedName(ValueError):
    """A name that stands twice in one object: nobody can say which of the two is meant."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        times = Counter(name for name, _ in pairs)
        raise _RepeatedName(next(name for name in fields if times[name] > 1))
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _skip(text: str, position: int) -> int:
    space_match = _SPACE.match(text, position)
    return space_match.end() if space_match else position


def _position_after_element(source: InputSource, text: str, position: int) -> int:
    """The place of what follows an element: the next one, or the closing bracket."""
    if text[position : position + 1] == "]":
        return position
    if text[position : position + 1] != ",":
        raise _syntax_error(source, json.JSONDecodeError("Expecting ',' delimiter", text, position))
    next_position = _skip(text, position + 1)
    if text[next_position : next_position + 1] == "]":
        raise _syntax_error(source, json.JSONDecodeError("Expecting value", text, next_position))
    return next_position


def _element(source: InputSource, text: str, position: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        raise _syntax_error(source, error) from error
    except (RecursionError, ValueError) as error:
        line = text.count("\n", 0, position) + 1
        raise source.problem(
            f"element that starts in line {line}",
            found=_fault_text(error),
            expected=_expected_text(error),
        ) from error


def _fault_text(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "lists in lists in lists without end"
    if isinstance(error, _RepeatedName):
        return f"{str(error)[:40]!r} twice in one object"
    return "a number with thousands of digits"


def _expected_text(error: Exception) -> str:
    return "every name once" if isinstance(error, _RepeatedName) else "measurements"


def _syntax_error(source: InputSource, error: json.JSONDecodeError) -> FormatError:
    remainder = error.doc[error.pos : error.pos + 20]
    if error.msg.startswith("Unterminated"):
        remainder = ""
    return source.problem(
        f"line {error.lineno}, column {error.colno}",
        found=repr(remainder.splitlines()[0]) if remainder.strip() else "the end of the file",
        expected=_EXPECTED.get(error.msg, f"JSON ({error.msg})"),
        hint="" if remainder.strip() else "the file breaks off: copy it again",
    )
