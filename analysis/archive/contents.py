"""What an archive holds, told before anything of it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from analysis.archive import reading
from analysis.archive.reading import ArchiveError, ArchiveFile
from analysis.archive.tables import PEOPLE, PEOPLE_COLUMNS, TABLES

SHOWN: Final = 200  # characters of a text of its own


def contents(path: Path) -> dict[str, Any]:
    """Title, licences, authors and version, and how many rows each table has, by its words.

    Every digest and the shape of every table is checked. Raises ArchiveError.
    """
    with reading.opened(path) as archive:
        package = archive.package
        return {
            "title": _text(package.get("title")),
            "about": _text(package.get("description")),
            "program": _text(package["plateau"].get("program")),
            "licences": _texts(package.get("licenses")),
            "authors": _texts(package.get("contributors")),
            "unpacked": sum(each.file_size for each in archive.zip.infolist()),
            "rows": [[about, count] for about, count in _counts(archive) if count],
        }


def _counts(archive: ArchiveFile) -> list[tuple[str, int]]:
    people = sum(1 for _ in archive.rows(PEOPLE, tuple(PEOPLE_COLUMNS)))
    tables = [(each.name, sum(1 for _ in archive.table(each))) for each in TABLES]
    named = [*tables, ("people", people)]
    return [(name.replace("datasets", "data sets").replace("-", " "), n) for name, n in named]


def _text(said: object) -> str:
    return str(said or "").replace("\0", "")[:SHOWN]


def _texts(said: object) -> list[str]:
    """Titles of a list of a data package."""
    if said is None:
        return []
    if not isinstance(said, list) or not all(isinstance(each, dict) for each in said):
        raise ArchiveError("datapackage.json: found no list of licences or contributors")
    return [_text(each.get("title") or each.get("name")) for each in said[:20]]
