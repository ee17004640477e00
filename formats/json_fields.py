"""Fields of JSON objects, with a place for every complaint."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping

import numpy as np

from formats.measurement import Values
from formats.source import InputSource


def mapping(source: InputSource, value: object, where: str) -> Mapping[str, object]:
    """`value` as an object; raises `FormatError` for anything else."""
    if isinstance(value, dict):
        return value
    raise source.problem(where, found=json_excerpt(value), expected="an object")


def entries(source: InputSource, value: object, where: str) -> list[object]:
    """`value` as a list; raises `FormatError` for anything else."""
    if isinstance(value, list):
        return value
    raise source.problem(where, found=json_excerpt(value), expected="a list")


def text_of(value: object) -> str:
    """A text of the file; anything but text or a number says nothing."""
    return str(value) if isinstance(value, str | int | float) and value else ""


def is_number(value: object) -> bool:
    """JSON's numbers, less the whole numbers beyond 1.8e308 (float64 has none)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, float) or abs(value) < 10**308


def numbers(source: InputSource, data: object, where: str, noun: str) -> list[float]:
    """`data` as a list of numbers that float64 can hold."""
    if not isinstance(data, list):
        raise source.problem(
            where, found=json_excerpt(data), expected=f"a list with a number an {noun}"
        )
    if set(map(type, data)) <= {float}:
        return data
    for index, value in enumerate(data):
        if not is_number(value):
            actual = json_excerpt(value)
            raise source.problem(
                f"{where}, {noun} {index}", found=actual, expected="a finite number"
            )
    return data


def array(source: InputSource, data: object, where: str) -> Values:
    """Return `data` as an array, one number an iteration."""
    return np.array(numbers(source, data, where, "iteration"), dtype=np.float64)


def json_excerpt(value: object) -> str:
    """A JSON value in an error: short, and named as JSON names it."""
    if value is None:
        return "nothing"
    if isinstance(value, (list, dict)) and not value:
        return "an empty list" if isinstance(value, list) else "an empty object"
    if isinstance(value, dict):
        return "an object"
    excerpt = reprlib.repr(value)  # never all of a list: it may be the whole file
    return excerpt if len(excerpt) <= 40 else f"{excerpt[:40]}…"
