"""A table of a command as CSV or JSON: the same columns, the same figures."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import OutputWrapper

from annotate.management import output as destination
from formats import tables
from formats.tables import Cell


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=["csv", "json"], default="csv")
    parser.add_argument("--output", metavar="FILE", type=Path)


def write_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    options: Mapping[str, Any],
    stdout: OutputWrapper,
) -> None:
    """Write `rows` as the options of `add_arguments` say; in JSON an empty cell is null."""
    if options["format"] == "csv":
        pieces: Iterable[str] = tables.write(columns, rows)
    else:
        objects = [dict(zip(columns, row, strict=True)) for row in rows]
        pieces = [json.dumps(objects, indent=2, allow_nan=False) + "\n"]
    destination.write(pieces, options["output"], stdout)
