"""A table of a command as CSV, JSON or lines: the same columns, the same figures."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.core.management.base import OutputWrapper

from annotate.management import output as destination
from formats import tables
from formats.tables import Cell

Rows = Iterable[Sequence[Cell]]


def add_arguments(parser: ArgumentParser, *formats: str) -> None:
    """`--format`, of which the first is the usual one, and `--output`."""
    formats = formats or ("csv", "json")
    parser.add_argument("--format", choices=formats, default=formats[0])
    destination.add_argument(parser)


def write_command_table(
    options: Mapping[str, Any],
    stdout: OutputWrapper,
    columns: Sequence[str],
    rows: Rows,
    *,
    document: Callable[[], object],
    text: Callable[[], Iterable[str]] | None = None,
    allow_nan: bool = False,
) -> None:
    """Write one table as the options of `add_arguments` say.

    document   makes the JSON; ValueError for a figure that JSON has no word for, unless `allow_nan`
    text       makes the lines; None for a table that is written as CSV in their place
    """
    pieces: Iterable[str]
    if options["format"] == "json":
        pieces = [json.dumps(document(), indent=2, allow_nan=allow_nan) + "\n"]
    elif options["format"] == "csv" or text is None:
        pieces = tables.table_text(columns, rows)
    else:
        pieces = text()
    destination.write_pieces(pieces, options["output"], stdout)
