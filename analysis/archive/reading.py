"""A file that is said to be an archive: checked as a whole before anything of it is believed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from django.conf import settings

from analysis.archive.descriptors import FORMAT, PACKAGE, READABLE, SUMS
from analysis.archive.tables import ArchiveTable
from analysis.archive.zip_writing import BLOCK
from formats.tables import unguard_cell

MOST_FILES: Final = 10_000
MOST_DESCRIPTION: Final = 50_000_000  # bytes of datapackage.json and of SHA256SUMS
MOST_CELL: Final = 10_000_000  # characters
MOST_ROWS: Final = 20_000_000  # rows of one table
_SUM: Final = re.compile(r"([0-9a-f]{64})  (\S.*)")
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError)
"""What reading a damaged .zip raises."""
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENTRY: Final = 400  # most bytes of a file's entry in the directory of a .zip that we write
_DIRECTORY_SIZE: Final = 5  # index at which `zipfile` keeps the size of the directory


class ArchiveError(ValueError):
    """The archive cannot be read or stored, and nothing of it was; the message says why."""


class ArchiveFile:
    """An archive whose files are those that its own list of digests has.

    Nothing of it is ever written under a name of its own, so no name can lead out of a folder.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.zip = _bounded_zip(stream, MOST_FILES)
        self._check_entries()
        self._check_digests()
        self.package = self._description()

    # --- the whole ----------------------------------------------------------------------------
    def _check_entries(self) -> None:
        members = self.zip.infolist()
        names = [member.filename for member in members]
        for name in names:
            if name.startswith("/") or "\\" in name or ".." in name.split("/") or ":" in name:
                raise ArchiveError(f"found a file {name!r}, expected names inside the archive")
        if repeated_names := [name for name, count in Counter(names).items() if count > 1]:
            raise ArchiveError(
                f"found two files {repeated_names[0][:80]!r}, expected one of a name"
            )
        size_limit = settings.ARCHIVE_MAX_BYTES
        total_size = sum(member.file_size for member in members)
        if total_size > size_limit:
            raise ArchiveError(
                f"found {total_size:,} bytes when unpacked, expected at most {size_limit:,} "
                "(PLATEAU_ARCHIVE_MB)"
            )

    def _check_digests(self) -> None:
        listed_digests = _sums(self._limited_content(SUMS).decode("utf-8", "replace"))
        names = {member.filename for member in self.zip.infolist() if not member.is_dir()} - {SUMS}
        if missing_names := sorted(set(listed_digests) - names):
            raise ArchiveError(f"{missing_names[0]} is missing; {SUMS} names it")
        if unlisted_names := sorted(names - set(listed_digests)):
            raise ArchiveError(f"{unlisted_names[0]} is not in {SUMS}")
        for name, digest in listed_digests.items():
            with self.zip.open(name) as stream:
                file_digest = hashlib.file_digest(stream, "sha256")  # type: ignore[arg-type]  # it has all
            if file_digest.hexdigest() != digest:
                raise ArchiveError(f"{name} is not the file that {SUMS} has the digest of")

    def _limited_content(self, name: str) -> bytes:
        """A small file."""
        if name not in self.zip.namelist():
            raise ArchiveError(f"{name} is missing, which every archive of Plateau has")
        with self.zip.open(name) as stream:
            content = stream.read(MOST_DESCRIPTION + 1)
        if len(content) > MOST_DESCRIPTION:
            raise ArchiveError(f"{name}: expected at most {MOST_DESCRIPTION:,} bytes")
        return content

    def _description(self) -> dict[str, Any]:
        text = self._limited_content(PACKAGE)
        try:
            description = json.loads(text)
            version = description["plateau"]["format"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ArchiveError(f"{PACKAGE} does not say which format this is") from error
        if version not in READABLE or isinstance(version, bool | float):
            raise ArchiveError(
                f"{PACKAGE}: found format {version!r}, expected {FORMAT} or earlier; "
                "read it with the version of Plateau that wrote it"
            )
        return dict(description)

    # --- its parts ----------------------------------------------------------------------------
    def rows(self, path: str, head: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
        """Place and cells of each row of a CSV, which must have these columns."""
        if path not in self.zip.namelist():
            raise ArchiveError(f"{path} is missing")
        with self.zip.open(path) as stream:
            text = io.TextIOWrapper(stream, "utf-8", newline="")
            yield from _rows(_lines(text), path, head)

    def table(self, table: ArchiveTable) -> Iterator[tuple[str, list[str]]]:
        """Rows of a table; none of one that archives of this format did not have yet.

        Columns that they did not have are filled with what a new row begins with.
        """
        version: int = self.package["plateau"]["format"]
        if table.since_format > version:
            return
        lacking_columns = table.lacking_columns(version)
        defaults = (table.fields[name].get_default() for name in lacking_columns)
        default_cells = ["" if default is None else str(default) for default in defaults]
        head = tuple(column for column in table.head if column not in lacking_columns)
        for row_label, cells in self.rows(table.path, head):
            yield row_label, [*cells, *default_cells]

    @contextmanager
    def arrays(self, path: str, most_values: int) -> Iterator[ArchivedArrays]:
        """The arrays of a .npz, at most so many, copied to disk: a .zip in a .zip cannot be
        searched. None where there is no such file."""
        with tempfile.TemporaryFile() as file:
            if path in self.zip.namelist():
                with self.zip.open(path) as stream:
                    shutil.copyfileobj(stream, file, BLOCK)
            else:
                zipfile.ZipFile(file, "w").close()
            with _bounded_zip(file, most_values) as npz:
                yield ArchivedArrays(path, npz)


class ArchivedArrays:
    """Arrays by name; no more of one is read than was asked for."""

    def __init__(self, path: str, npz: zipfile.ZipFile) -> None:
        self.path = path
        self.npz = npz
        self.names = set(npz.namelist())

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self.names

    def array(self, name: str, dtype: str, n: int) -> np.ndarray[Any, Any]:
        """The n numbers of an array in one dimension, which it must begin by saying."""
        if name not in self:
            raise ArchiveError(f"{self.path}: {name} is missing")
        # The header as NumPy writes it: comparing is safer than reading one from elsewhere
        buffer = io.BytesIO()
        header_fields = {"descr": dtype, "fortran_order": False, "shape": (n,)}
        np.lib.format.write_array_header_1_0(buffer, header_fields)
        header = buffer.getvalue()
        with self.npz.open(f"{name}.npy") as stream:
            found_header, data = stream.read(len(header)), stream.read(n * 8)
        if found_header != header or len(data) < n * 8:
            raise ArchiveError(f"{self.path}: {name}: expected {n:,} numbers of type {dtype}")
        return np.frombuffer(data, dtype)


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveFile]:
    """The archive at `path`, checked. Raises `ArchiveError`, also for what goes wrong later."""
    try:
        with path.open("rb") as stream:
            yield ArchiveFile(stream)
    except _BROKEN as error:
        raise ArchiveError(f"this .zip cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise ArchiveError(f"a table is not UTF-8: {error}") from error
    except csv.Error as error:
        raise ArchiveError(f"a table cannot be read: {error}") from error


def _bounded_zip(stream: IO[bytes], max_files: int) -> zipfile.ZipFile:
    """A .zip whose list of files is no longer than that of `max_files`: it is read into memory."""
    end = zipfile._EndRecData(stream)  # type: ignore[attr-defined]  # noqa: SLF001  # as it reads it
    if end and end[_DIRECTORY_SIZE] > max_files * _ENTRY:
        raise ArchiveError(f"found a list of more files than the {max_files:,} that can be in it")
    stream.seek(0)
    archive = zipfile.ZipFile(stream)
    for member in archive.infolist():
        if member.flag_bits & 1 or member.compress_type not in _METHODS:
            raise ArchiveError(f"{member.filename} is encrypted, or compressed in an unusual way")
    return archive


def _sums(text: str) -> dict[str, str]:
    digests = {}
    for number, line in enumerate(text.splitlines(), start=1):
        sum_match = _SUM.fullmatch(line)
        if sum_match is None:
            raise ArchiveError(
                f"{SUMS}, line {number}: found {line[:80]!r}, "
                "expected a digest, two blanks and a name"
            )
        digests[sum_match[2]] = sum_match[1]
    return digests


def _lines(text: io.TextIOWrapper) -> Iterator[list[str]]:
    """Lines of a CSV with long cells. The limit is of the process: it is put back at each line."""
    lines = csv.reader(text, strict=True)
    while True:
        limit_before = csv.field_size_limit(MOST_CELL)
        try:
            line = next(lines, None)
        finally:
            csv.field_size_limit(limit_before)
        if line is None:
            return
        yield line


def _rows(
    lines: Iterator[list[str]], path: str, head: tuple[str, ...]
) -> Iterator[tuple[str, list[str]]]:
    columns = tuple(next(lines, []))
    if columns != head:
        raise ArchiveError(
            f"{path}: found the columns {', '.join(columns)[:500]}, expected {', '.join(head)}"
        )
    for row_number, cells in enumerate(lines, start=1):
        row_label = f"{path}, row {row_number}"
        if row_number > MOST_ROWS:
            raise ArchiveError(f"{path}: found more than {MOST_ROWS:,} rows")
        if len(cells) != len(head):
            raise ArchiveError(f"{row_label}: found {len(cells)} cells, expected {len(head)}")
        if any("\0" in cell for cell in cells):
            raise ArchiveError(f"{row_label}: found a character NUL")
        yield row_label, [unguard_cell(cell) for cell in cells]
