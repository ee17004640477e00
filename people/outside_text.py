"""Texts from outside, of forms, addresses, cookies and JSON: refused where no database stores them.

Lengths are those of the columns, which forms and the schemas of the API declare field by field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from django.http.multipartparser import MultiPartParserError

from formats.names import MOST_TEXT, unstorable

MOST_NESTED: Final = 100  # lists and objects of a JSON document inside one another


class UnstorableText(MultiPartParserError):
    """A request holds one. Of this kind, because Django answers it with 400 wherever it reads."""


def refuse_unstorable(place: str, texts: Iterable[str]) -> None:
    """UnstorableText for the first text with a NUL or a lone surrogate.

    No text that a person types has one. SQLite stores them; PostgreSQL raises an error, which would
    be a fault of every view that asks the database for such a text.
    """
    for text in texts:
        if character := unstorable(text):
            raise UnstorableText(
                f"Found a {character} in {place}, expected text without. Take it out and try again."
            )


def refuse_unstorable_document(document: object) -> None:
    """UnstorableText for a JSON document with such a text, a longer one, or too deep a nesting."""
    for text in texts_in(document):
        refuse_unstorable("the document", [text])
        if len(text) > MOST_TEXT:
            raise UnstorableText(
                f"Found a text of {len(text):,} characters in the document, expected at most "
                f"{MOST_TEXT:,}. Shorten it, and try again."
            )


def texts_in(document: object) -> Iterator[str]:
    """Every text of a JSON document, names of fields among them."""
    unvisited = [(document, 0)]
    while unvisited:
        node, depth = unvisited.pop()
        if depth > MOST_NESTED:
            raise UnstorableText(f"Found more than {MOST_NESTED} lists inside one another.")
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            yield from node
            unvisited += [(value, depth + 1) for value in node.values()]
        elif isinstance(node, list):
            unvisited += [(value, depth + 1) for value in node]
