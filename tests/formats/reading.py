"""Reading bytes as a file of a given name, and the sentence of what is wrong with them."""

from __future__ import annotations

import io
from typing import Any

import pytest

import formats

EVERY_VALUE = "expected at least one value; give the value of every iteration"
CORRECT_IT = "; correct it, or leave the column out"
NO_GAPS = "; a series has no gaps: take the row out, or leave the column out"


def read(data: bytes, name: str = "sort.txt", **keywords: Any) -> list[formats.Measurement]:
    """The series in `data`; keywords beyond `format` are options."""
    format_name = keywords.pop("format", "auto")
    options = formats.ReadOptions(**keywords)
    return list(
        formats.read_series_of_file(io.BytesIO(data), name, format=format_name, options=options)
    )


def complaint(data: bytes, name: str = "sort.txt", **options: Any) -> str:
    with pytest.raises(formats.FormatError) as error:
        read(data, name, **options)
    return str(error.value)


def values(data: bytes, name: str = "sort.txt", **options: Any) -> list[list[float]]:
    return [m.values.tolist() for m in read(data, name, **options)]
