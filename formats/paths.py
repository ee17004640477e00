"""Names of measurement files: which files of a folder are some, and what a series is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Final

from formats import replication
from formats.companion_files import is_companion
from formats.errors import FormatError
from formats.names import normal
from formats.registry import ENDINGS

PACKED: Final = (".gz", ".bz2")
_NO_READERS: Final = (*PACKED, ".out", ".dat")  # endings of any text, cut off a name all the same


def measurement_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and in place of a folder those in it that look like measurements.

    A folder is searched through, by name, and files that only describe others are left out; of a
    replication package, in a folder or being it, only the series are taken.
    Raises `FormatError` for a path that is not there, a folder without such a file, or one with
    the results of a package that left its series out.
    """
    for path in paths:
        if path.is_dir():
            yield from _measurement_files(path)
        elif path.exists():
            yield path
        else:
            expected = "a file or a folder"
            raise FormatError(str(path), "path", found="nothing there", expected=expected)


def is_measured_file(name: str) -> bool:
    """Return whether a file's name is that of a measurement file, packed or not."""
    unpacked_name = name.lower()
    for packed_ending in PACKED:
        unpacked_name = unpacked_name.removesuffix(packed_ending)
    return unpacked_name.endswith(ENDINGS)


def stem(name: str) -> str:
    """A file's name without folder and without the endings of measurement files."""
    path = PurePath(normal(name).replace("\\", "/"))
    while path.suffix.lower() in (*ENDINGS, *_NO_READERS):
        path = path.with_suffix("")
    return "stdin" if name == "-" else path.name


def _measurement_files(folder: Path) -> list[Path]:
    if package := replication.package_in(folder):
        return replication.series_files(package)
    replication.refuse_results(folder)
    files = (path for path in folder.rglob("*") if path.is_file() and is_measured_file(path.name))
    measured_files = sorted(
        path for path in files if not (_is_hidden(path.relative_to(folder)) or is_companion(path))
    )
    if not measured_files:
        expected = f"files that end in {', '.join(ENDINGS)} or these with {PACKED[0]}"
        raise FormatError(str(folder), "folder", found="no measurement file", expected=expected)
    return measured_files


def _is_hidden(path: Path) -> bool:
    return any(name.startswith(".") or name == "node_modules" for name in path.parts)
