"""Change points of annotators as JSON, as AnnotateChange and the Turing Change Point Dataset have
them: series, annotator, list of change points.

A change point is the position, counted from 0, of the first value of a new segment; an empty list
says that nothing changes. Source: alan-turing-institute/TCPD: annotations.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final, NamedTuple

from formats.errors import FormatError

MOST_BYTES: Final = 50_000_000
MOST_NAME: Final = 2_000  # characters of a series' name
MOST_ANNOTATOR: Final = 40
_WHOLE: Final = "an object of series, each an object of annotators, each a list of positions"


class AnnotatedSeries(NamedTuple):
    """Change points that one annotator marked in one series: positions from 0, rising; empty for
    no change.
    """

    series: str
    annotator: str
    change_points: tuple[int, ...]


def change_points_text(annotations: Mapping[str, Mapping[str, list[int]]]) -> str:
    """The file: the same annotations give the same text."""
    return json.dumps(annotations, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read_change_points(stream: BinaryIO, name: str) -> Iterator[AnnotatedSeries]:
    """Read the annotations of a file in its order; raises `FormatError` at the first that is
    wrong.
    """
    document = _document(stream.read(MOST_BYTES + 1), name)
    for series, annotators in document.items():
        if not isinstance(annotators, dict) or not 0 < len(series) <= MOST_NAME:
            raise FormatError(
                name, f"series {series[:80]!r}", found=_excerpt(annotators), expected=_WHOLE
            )
        for annotator, points in annotators.items():
            where = f"series {series[:80]!r}, annotator {annotator[:80]!r}"
            if not 0 < len(annotator) <= MOST_ANNOTATOR:
                expected = f"a name of 1 to {MOST_ANNOTATOR} characters"
                raise FormatError(name, where, found=_excerpt(annotator), expected=expected)
            yield AnnotatedSeries(series, annotator, _points(points, name, where))


def _document(content: bytes, name: str) -> dict[str, object]:
    if len(content) > MOST_BYTES:
        actual = f"more than {MOST_BYTES:,} bytes"
        expected, hint = f"at most {MOST_BYTES:,}", "split the series into several files"
        raise FormatError(name, "file", found=actual, expected=expected, hint=hint)
    try:
        actual = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FormatError(name, "file", found=f"no JSON: {error}", expected=_WHOLE) from error
    if not isinstance(actual, dict):
        raise FormatError(name, "file", found=_excerpt(actual), expected=_WHOLE)
    return actual


def _points(points: object, name: str, where: str) -> tuple[int, ...]:
    """Each position once: annotators click twice."""
    if not isinstance(points, list):
        raise FormatError(name, where, found=_excerpt(points), expected="a list of positions")
    for position in points:
        if not isinstance(position, int) or isinstance(position, bool) or not 0 <= position < 2**31:
            expected = "positions from 0, whole numbers"
            raise FormatError(name, where, found=_excerpt(position), expected=expected)
    return tuple(sorted(set(points)))


def _excerpt(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:80]
