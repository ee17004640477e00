"""Cells of an archive's tables, read back as what the fields of a model take."""

from __future__ import annotations

import json
import math
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from analysis.archive.reading import ArchiveError
from analysis.archive.tables import ArchiveTable, is_person, is_reference
from people.public_id import ALPHABET


def parse_row(table: ArchiveTable, row_label: str, cells: list[str]) -> tuple[int, dict[str, Any]]:
    """The number of a row, and what it says by column; references are numbers, people words.

    Raises ArchiveError for what the field of that column would not take.
    """
    values = {}
    for name, text in zip(table.columns, cells[1:], strict=True):
        try:
            values[name] = _value(table.fields[name], text)
        except (ValidationError, ValueError, RecursionError) as error:
            reason = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
            raise ArchiveError(
                f"{row_label}, column {name}: found {text[:80]!r}: {reason}"
            ) from error
    return _number(row_label, cells[0]), values


def _number(row_label: str, cell: str) -> int:
    if not (cell.isascii() and cell.isdecimal() and len(cell) < 10):
        raise ArchiveError(f"{row_label}: found the number {cell[:20]!r}, expected 1, 2, …")
    return int(cell)


def _value(field: models.Field[Any, Any], cell: str) -> Any:
    if cell == "" and field.null:
        return None
    if is_reference(field):
        return int(cell)
    if is_person(field):
        return cell
    if isinstance(field, models.JSONField):
        document = json.loads(cell, parse_constant=_refuse_number)
        expected_type = dict if isinstance(field.get_default(), dict) else list
        if not isinstance(document, expected_type):
            raise ValueError(f"expected a JSON {expected_type.__name__}")  # noqa: TRY004
        return document
    value = field.clean(cell, None)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("expected a finite number")
    if field.name == "public_id" and not set(value) <= set(ALPHABET):
        raise ValueError(f"expected some of {ALPHABET}")
    return value


def _refuse_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")
