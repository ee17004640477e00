"""A .zip whose bytes repeat: entries without times, each with its size and SHA-256."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
BLOCK: Final = 1 << 20  # bytes copied at once


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A file in the archive."""

    path: str
    size: int
    digest: str


class DigestingArchive:
    """Writes entries one after the other, and keeps what a reader checks them by.

    `check_claim` is called for every piece: it may tell that it goes on, or raise to end it.
    """

    def __init__(self, path: Path, check_claim: Callable[[], object]) -> None:
        self.check_claim = check_claim
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.files: list[ArchivedFile] = []

    def add(self, path: str, chunks: Iterable[bytes], *, is_stored: bool = False) -> None:
        """One entry; `is_stored` without compression, of what is compressed already."""
        digest, size = hashlib.sha256(), 0
        with self.zip.open(_entry(path, is_stored=is_stored), "w", force_zip64=True) as stream:
            for chunk in chunks:
                self.check_claim()
                stream.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self.files.append(ArchivedFile(path, size, digest.hexdigest()))

    def add_text(self, path: str, texts: Iterable[str]) -> None:
        self.add(path, (text.encode() for text in texts))

    def add_arrays(self, path: str, arrays: Iterable[tuple[str, np.ndarray[Any, Any]]]) -> None:
        """A NumPy .npz, which is a .zip itself; one array is in memory at a time."""
        with tempfile.TemporaryFile() as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as npz:
                for name, array in arrays:
                    self.check_claim()
                    with npz.open(_entry(f"{name}.npy"), "w", force_zip64=True) as stream:
                        np.lib.format.write_array(stream, array, (1, 0), allow_pickle=False)
            file.seek(0)
            self.add(path, blocks(file), is_stored=True)

    @property
    def sums(self) -> str:
        """A line a file, as `sha256sum -c` reads them."""
        return "".join(f"{file.digest}  {file.path}\n" for file in self.files)


@contextmanager
def digesting_archive(path: Path, check_claim: Callable[[], object]) -> Iterator[DigestingArchive]:
    """An archive at `path`, complete at the end."""
    archive = DigestingArchive(path, check_claim)
    with archive.zip:
        yield archive


def blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the remaining bytes of a stream, in blocks."""
    while block := stream.read(BLOCK):
        yield block


def _entry(path: str, *, is_stored: bool = False) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, LONG_AGO)
    entry.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
