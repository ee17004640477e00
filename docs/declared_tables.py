"""The tables of the guide that the code declares, written between the marker lines of its pages.

python -m docs.declared_tables [--check]
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import django

from docs.derived import is_stale

os.environ.setdefault("PLATEAU_MODE", "development")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # before any model is imported

from analysis.comparison.columns import LEADERBOARD
from analysis.comparison.exports import SECOND_COLUMNS
from analysis.trend.exports import COLUMNS as TREND_COLUMNS
from analysis.urls import DOWNLOADS
from annotate.importing.screening_table import screening_columns
from annotate.truth.exports import ground_truth_table
from api.urls import api
from detectors.shapes.shape_examples import LEVELS, confusion
from detectors.shapes.shape_words import MEANINGS, WORDS
from formats import marks, series_table, tables
from formats.markdown import markdown_table, replace_between
from formats.registry import READERS
from formats.tables import TableColumn

EXAMPLES: Final = 50  # simulated series of each shape
PLACEHOLDER: Final = re.compile(r"<\w+:(?P<name>\w+)>")  # a part of an address
EXPORTED_FILES: Final[Mapping[str, Iterable[TableColumn[Any]]]] = {
    "Ground truth of a campaign": ground_truth_table(),
    "Marks of a campaign": marks.COLUMNS,
    "Values of a data set": series_table.COLUMNS,
}
GUIDE: Final = Path(__file__).resolve().parent / "guide"


def formats() -> str:
    """Every registered reader, in the order in which a file is tried with them."""
    return markdown_table(
        ("format", "`--format`", "in a folder, files that end in", "options it looks at"),
        (
            (reader.title, f"`{reader.name}`", _codes(reader.endings), _codes(reader.options))
            for reader in READERS
        ),
    )


def exported_files() -> str:
    """Every file that is not a table of a page, with its columns in their order."""
    return "\n\n".join(
        f"### {title}\n\n{columns(table_columns)}"
        for title, table_columns in EXPORTED_FILES.items()
    )


def page_tables() -> str:
    """Every table of a page, with its address and its columns in their order."""
    return "\n\n".join(
        f"## {table.title}\n\n`/{PLACEHOLDER.sub(placeholder_name, address)}?what={name}`\n\n"
        f"{meanings(table.columns)}"
        for address, declared_table in DOWNLOADS.values()
        for name, table in declared_table.tables.items()
        if not callable(table.columns)
    )


def placeholder_name(placeholder: re.Match[str]) -> str:
    """Name of a part of an address, as commands name it."""
    return placeholder["name"].upper()


def columns(table_columns: Iterable[TableColumn[Any]]) -> str:
    """Every column of a file with its meaning, in their order."""
    return meanings(tables.meanings(table_columns))


def operations() -> str:
    """Every operation of the API: its address, what a token must be for, what may be asked."""
    paths = api.get_openapi_schema(path_prefix="/api/v1/")["paths"]
    return markdown_table(
        ("address", "token for", "what", "query"),
        (
            (
                f"`{verb.upper()} {path}`",
                operation["tags"][0],
                operation["summary"],
                _query_names(operation),
            )
            for path, methods in paths.items()
            for verb, operation in methods.items()
        ),
    )


def _query_names(operation: Mapping[str, Any]) -> str:
    names = (
        parameter["name"]
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query"
    )
    return _codes(tuple(names))


def meanings(columns: Mapping[str, str]) -> str:
    rows = ((f"`{name}`", meaning.replace("|", "\\|")) for name, meaning in columns.items())
    return markdown_table(("column", "meaning"), rows)


def confusion_table(n: int) -> str:
    """Shapes of simulated series of n values against what the rules say."""
    counts = confusion(LEVELS, count=EXAMPLES, n=n)
    column_shapes = [
        shape for shape in MEANINGS if any(shape_counts[shape] for shape_counts in counts.values())
    ]
    rows = (
        (WORDS[shape], *(shape_counts[name] or "" for name in column_shapes))
        for shape, shape_counts in counts.items()
    )
    return markdown_table(("", *(WORDS[name] for name in column_shapes)), rows)


def _codes(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)


TABLES: Final[Mapping[tuple[str, str], Callable[[], str]]] = {  # by page and name of the marker
    ("file-formats.md", "formats"): formats,
    ("file-formats.md", "exported files"): exported_files,
    ("tables.md", "tables of pages"): page_tables,
    ("api.md", "operations"): operations,
    ("campaigns.md", "screening columns"): lambda: columns(screening_columns()),
    ("shapes.md", "confusion of 3,000 values"): lambda: confusion_table(3000),
    ("shapes.md", "confusion of 200 values"): lambda: confusion_table(200),
    ("figures.md", "leaderboard"): lambda: meanings({**LEADERBOARD, **SECOND_COLUMNS}),
    ("trend.md", "trend columns"): lambda: meanings(TREND_COLUMNS),
}


def replace_table(page: str, name: str, text: str) -> str:
    """The text of a page, one table replaced. Raises `ValueError` without its marker lines."""
    return replace_between(
        page, f"<!-- {name}: written by `make docs` -->", f"<!-- /{name} -->", text
    )


def write_declared_tables(*, check: bool) -> int:
    """Write the tables afresh; with `check`, only say which are out of date."""
    are_stale = False
    for (page, name), make_table in TABLES.items():
        path = GUIDE / page
        text = replace_table(path.read_text("utf-8"), name, make_table())
        are_stale |= is_stale(path, text, check=check, part_name=f"table of {name}")
    return int(check and are_stale)


if __name__ == "__main__":
    raise SystemExit(write_declared_tables(check="--check" in sys.argv[1:]))
