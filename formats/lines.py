"""Plain text with a value a line; ``#`` starts a comment."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from formats.checks import A_NUMBER, bad_value, check_count, read_only_values
from formats.errors import FormatError
from formats.measurement import Measurement
from formats.numbers import has_comma, hint_for, is_gap, parse_number
from formats.params import canonical_text
from formats.reader import FileReader
from formats.source import InputSource
from formats.units import Unit, storage_unit


def read(source: InputSource) -> Iterator[Measurement]:
    """The one series in the file. Memory grows with its values, not with its text."""
    unit = storage_unit(source.options.unit)
    values = array("d")
    for line_number, line in enumerate(source.lines(), start=1):
        # What is not text decodes to U+FFFD, and so fails below with a line number.
        if text := line.partition("#")[0].strip():
            values.append(_value(source, text, line_number, unit))
        if len(values) > source.options.limits.points_per_series:
            break
    check_count(source, "end of file", len(values))
    yield Measurement(
        benchmark=source.options.benchmark or source.stem,
        system=source.options.system,
        params=canonical_text(source.options.params),
        values=read_only_values(np.array(values, dtype=np.float64)),
        label=source.stem,
        unit=unit.name,
    )


def _value(source: InputSource, text: str, line_number: int, unit: Unit) -> float:
    value = None if " " in text else parse_number(text, source.options.decimal)  # blanks: columns
    if value is None:
        raise _line_problem(source, text, line_number, A_NUMBER)
    value = unit.convert(value)
    if expected := bad_value(value, unit):
        raise _line_problem(source, text, line_number, expected)
    return value


def _line_problem(source: InputSource, text: str, line_number: int, expected: str) -> FormatError:
    hint = _hint(text) if expected == A_NUMBER else ""
    return source.problem(
        f"line {line_number}", found=repr(text[:40]), expected=expected, hint=hint
    )


def _hint(text: str) -> str:
    """Advice on a line that is no number."""
    if has_comma(text):
        return hint_for(text)
    if is_gap(text):
        return "a series has no gaps: take the line out"
    if "\ufffd" in text:
        return "save the file as UTF-8"
    if any(separator in text for separator in ",;\t|"):
        return (
            "a table has as many cells in every row; beside decimal commas, separate by semicolons"
        )
    if parse_number(text.split(maxsplit=1)[0], "auto") is None:
        return "a line of words is left out if it begins with #"
    return "give the numbers alone, or a table with a comma or a tab between its cells"


READER = FileReader(
    name="text",
    title="a number a line",
    endings=(".txt",),
    recognise=lambda start: "no columns found: a number a line" if start.text else "",
    read=read,
    takes_any_text=True,
    options=("unit", "system", "benchmark", "params", "decimal"),
)
