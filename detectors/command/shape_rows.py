"""Shapes of the series of files, as lines of a command: table, CSV, JSON lines."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from detectors.contract import Values
from detectors.detection_rows import aligned
from detectors.shapes.noise import shape_and_noise
from detectors.shapes.shape_words import REASONS, WORDS
from formats import tables

COLUMNS: Final = ("file", "series", "n", "shape", "classes", "noise", "reasons")


def shape_row(file: str, series: str, values: Values) -> dict[str, Any]:
    """Row of one series: `COLUMNS`, and the numbers of both under `numbers`."""
    shape, noise = shape_and_noise(values)
    return {
        "file": file,
        "series": series,
        "n": shape.n,
        "shape": shape.shape,
        "classes": list(shape.classes),
        "noise": noise.noise,
        "reasons": list(noise.reasons),
        "numbers": {**dataclasses.asdict(noise), **dataclasses.asdict(shape)},
    }


def pieces(rows: Iterable[Mapping[str, Any]], form: str) -> Iterator[str]:
    """The rows as text; form: table, csv or jsonl. Only JSON has the numbers."""
    if form == "jsonl":
        return (json.dumps(row) + "\n" for row in rows)
    if form == "csv":
        return tables.table_text(COLUMNS, (_cells(row) for row in rows))
    words = [
        ("series", "iterations", "shape", "noise"),
        *((row["series"], f"{row['n']:,}", _shape(row), _noise(row)) for row in rows),
    ]
    return iter([aligned(words)])


def _cells(row: Mapping[str, Any]) -> tuple[str | int, ...]:
    row_cells = (row[name] for name in COLUMNS)
    return tuple(" ".join(cell) if isinstance(cell, list) else cell for cell in row_cells)


def _shape(row: Mapping[str, Any]) -> str:
    other_shapes = (shape for shape in row["classes"] if shape != row["shape"])
    return ", ".join(WORDS[shape] for shape in (row["shape"], *other_shapes))


def _noise(row: Mapping[str, Any]) -> str:
    reasons = ", ".join(REASONS[reason] for reason in row["reasons"])
    return f"{row['noise'] or '-'}{': ' if reasons else ''}{reasons}"
