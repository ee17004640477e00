"""`COLUMNS.md` of the .zip: every file, its columns, and what each of them means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def columns_page(files: Mapping[str, Mapping[str, str]]) -> str:
    """The text of the page: meanings of columns by the name of the file."""
    return "\n".join(_lines(files))


def _lines(files: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    yield "# Columns of the files\n"
    for file, columns in files.items():
        yield f"## {file}\n\n| column | meaning |\n|---|---|"
        yield from (f"| `{name}` | {meaning} |" for name, meaning in columns.items())
        yield ""
