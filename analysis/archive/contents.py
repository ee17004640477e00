"""Contents of an archive, told before anything of it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from analysis.archive import reading
from analysis.archive.reading import ArchiveError, ArchiveFile
from analysis.archive.tables import PEOPLE, PEOPLE_COLUMNS, TABLES

SHOWN: Final = 200  # characters that a page shows of a text


def contents(path: Path) -> dict[str, Any]:
    """Title, licences, authors and version, and how many rows each table has, by its words.

    Every digest and the shape of every table is checked. Raises ArchiveError.
    """
    with reading.open_archive(path) as archive:
        package = archive.package
        return {
            "title": _text(package.get("title")),
            "about": _text(package.get("description")),
            "program": _text(package["plateau"].get("program")),
            "licences": _texts(package.get("licenses")),
            "authors": _texts(package.get("contributors")),
            "unpacked": sum(member.file_size for member in archive.zip.infolist()),
            "rows": [[subject, count] for subject, count in _counts(archive) if count],
        }


def _counts(archive: ArchiveFile) -> list[tuple[str, int]]:
    people = sum(1 for _ in archive.rows(PEOPLE, tuple(PEOPLE_COLUMNS)))
    tables = [(table.name, sum(1 for _ in archive.table(table))) for table in TABLES]
    named_counts = [*tables, ("people", people)]
    return [
        (name.replace("datasets", "data sets").replace("-", " "), n) for name, n in named_counts
    ]


def _text(text: object) -> str:
    return str(text or "").replace("\0", "")[:SHOWN]


def _texts(entries: object) -> list[str]:
    """Titles of a list of a data package."""
    if entries is None:
        return []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ArchiveError("datapackage.json: found no list of licences or contributors")
    return [_text(entry.get("title") or entry.get("name")) for entry in entries[:20]]
