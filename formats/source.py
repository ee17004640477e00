"""A file while it is read: bounded, unpacked, with the name that its problems carry."""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeVar, cast

from formats.encodings import encoding_of, title_of
from formats.errors import FormatError, TooLarge
from formats.limits import ReadLimits
from formats.names import MOST_TEXT, OVERHEAD, flaw, normal
from formats.options import ReadOptions

T = TypeVar("T")

HEAD_BYTES = 1 << 20  # what sniffing may look at: the header of a table of thousands of columns
PACKED_BLOCK = 1 << 13  # bytes that are unpacked together, so that few are unpacked in vain
# Measurements pack to a tenth, and a table of long names and few different values to a fiftieth.
# Beyond this a few bytes would cost seconds; short files are read however well they are packed.
MOST_PACKED = 200
UNPACKED_FREELY = 2_000_000  # bytes
COUNTED_NOUNS = {  # nouns of what limits count
    "series": "series",
    "points_per_series": "values a series",
    "points": "values in all",
    "text": f"characters in all, where each series counts {OVERHEAD} more",
    "memory": "bytes",
    "events": "events",
}
GZIP_MAGIC, BZIP2_MAGIC = b"\x1f\x8b", b"BZh"
TOOL_BY_MAGIC = {GZIP_MAGIC: "gzip", BZIP2_MAGIC: "bzip2"}  # by the first bytes of a packed file


class BoundedStream(io.RawIOBase):
    """A stream that refuses more than `limits.file_bytes`, and gives `block` bytes at a time."""

    def __init__(
        self, inner_stream: BinaryIO, name: str, limits: ReadLimits, block_bytes: int = HEAD_BYTES
    ) -> None:
        super().__init__()
        self._inner = inner_stream
        self._name = name
        self._limits = limits
        self._block_bytes = block_bytes
        self.given_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._read(min(len(buffer), self._block_bytes))
        self.given_bytes += len(data)
        if self.given_bytes > self._limits.file_bytes:
            raise size_error(self._name, "more when unpacked or read", self._limits)
        buffer[: len(data)] = data
        return len(data)

    def _read(self, size: int) -> bytes:
        return self._inner.read(size)


class UnpackedStream(BoundedStream):
    """Content of a packed file: refused where it is damaged, or packed as no measurements are."""

    def __init__(self, packed: BinaryIO, name: str, limits: ReadLimits, tool: str) -> None:
        self._packed, self._tool = BoundedStream(packed, name, limits, PACKED_BLOCK), tool
        packed_stream = cast("BinaryIO", self._packed)
        opener_by_tool: dict[str, Callable[[], object]] = {
            "gzip": lambda: gzip.GzipFile(fileobj=packed_stream),
            "bzip2": lambda: bz2.BZ2File(packed_stream),
        }
        super().__init__(cast("BinaryIO", opener_by_tool[tool]()), name, limits)

    def _read(self, size: int) -> bytes:
        check_packing(self._name, self.given_bytes, self._packed.given_bytes)
        try:
            return super()._read(size)
        except (EOFError, OSError, zlib.error) as error:
            truncation_words = f"a {self._tool} file that breaks off"
            actual = truncation_words if isinstance(error, EOFError) else str(error)
            raise FormatError(
                self._name,
                f"after {self.given_bytes:,} unpacked bytes",
                found=actual,
                expected=f"a whole {self._tool} file",
                hint="copy or pack the file again",
            ) from error


@dataclass(slots=True)
class InputSource:
    """Input of a reader: the unpacked bytes, the options, and where problems go.

    `stem` is the file's name without folder and ending, see `formats.paths.stem`.
    """

    name: str
    stream: io.BufferedReader[BoundedStream]
    options: ReadOptions
    on_problem: Callable[[FormatError], None] | None = None
    stem: str = ""

    def head(self) -> bytes:
        """The first bytes, which stay to be read."""
        return self.stream.peek(HEAD_BYTES)[:HEAD_BYTES]

    def head_text(self) -> str:
        """The first bytes as text; the last character or line may be cut off."""
        return self.head().decode(self.encoding, errors="replace")

    @property
    def encoding(self) -> str:
        """Python's name of the encoding of the file, as it is chosen or begins."""
        return encoding_of(self.head(), self.options.encoding)

    def lines(self, *, newline: str | None = None) -> io.TextIOWrapper:
        """The file as text. What is no letter becomes U+FFFD, and so fails with a place."""
        return io.TextIOWrapper(self.stream, self.encoding, errors="replace", newline=newline)

    def text(self) -> str:
        """The whole file as text; raises where it is not UTF-8, or longer than its limit."""
        data = self.stream.read()
        encoding = encoding_of(data[:HEAD_BYTES], self.options.encoding)
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            raise FormatError(
                self.name,
                f"byte {error.start:,}",
                found=f"0x{data[error.start]:02X}",
                expected=f"text in {title_of(encoding) or 'UTF-8'}",
                hint="save the file as UTF-8, or choose its encoding",
            ) from error

    def problem(self, where: str, *, found: str, expected: str, hint: str = "") -> FormatError:
        return FormatError(self.name, where, found=found, expected=expected, hint=hint)

    def limit_error(self, where: str, limit: str, *, found: str, expected: str = "") -> TooLarge:
        """A limit that is passed, known before anything is built of what lies beyond it.

        limit  name of its field in `ReadLimits`
        """
        limits = self.options.limits
        if not expected:
            expected = f"at most {getattr(limits, limit):,} {COUNTED_NOUNS[limit]}"
        hint = limits.hints.get(limit, "")
        return TooLarge(self.name, where, found=found, expected=expected, hint=hint)

    def check_text(self, where: str, text: str, most_length: int = MOST_TEXT) -> None:
        """Raise for a text that cannot be stored."""
        if flaw_text := flaw(text, most_length):
            hint = "save the file as UTF-8 (in Excel: CSV UTF-8)" if "\ufffd" in text else ""
            raise self.problem(where, found=flaw_text.found, expected=flaw_text.expected, hint=hint)

    def cell_problem(self, row: int, column: str, text: str, expected: str) -> FormatError:
        """The problem of one cell of a table with a header."""
        actual = repr(text[:40]) if text else "an empty cell"
        return self.problem(f"row {row}, column {column!r}", found=actual, expected=expected)

    def report(self, problem: FormatError) -> None:
        """Raise a problem of one series, or hand it to whoever collects them."""
        if self.on_problem is None or isinstance(problem, TooLarge):
            raise problem
        self.on_problem(problem)

    def attempt(self, make: Callable[[], T]) -> T | None:
        """Return what `make` gives; None once its problem has been reported."""
        try:
            return make()
        except FormatError as problem:
            self.report(problem)
            return None

    def attempts(self, makers: Iterable[Callable[[], T]]) -> Iterator[T]:
        """Yield what each of `makers` gives, without those whose problem has been reported."""
        for make in makers:
            if (outcome := self.attempt(make)) is not None:
                yield outcome


def open_source(
    stream: BinaryIO,
    name: str,
    options: ReadOptions,
    on_problem: Callable[[FormatError], None] | None,
    stem: str = "",
) -> InputSource:
    """`stream` ready to be read: too big a file is refused here, before any of it is read."""
    name, limits = normal(name), options.limits
    size = _size(stream)
    if size is not None and size > limits.file_bytes:
        raise size_error(name, f"{size:,} bytes", limits)
    packed_stream = io.BufferedReader(BoundedStream(stream, name, limits), HEAD_BYTES)
    head = packed_stream.peek(3)
    tool = next((tool for mark, tool in TOOL_BY_MAGIC.items() if head.startswith(mark)), "")
    if not tool:
        return InputSource(name, packed_stream, options, on_problem, stem)
    unpacked = UnpackedStream(packed_stream, name, limits, tool)
    return InputSource(name, io.BufferedReader(unpacked, HEAD_BYTES), options, on_problem, stem)


def size_error(name: str, actual: str, limits: ReadLimits) -> TooLarge:
    """Refusal of a file larger than `limits.file_bytes`."""
    expected, hint = f"at most {limits.file_bytes:,} bytes", limits.hints.get("file_bytes", "")
    return TooLarge(name, "size of the file", found=actual, expected=expected, hint=hint)


def check_packing(name: str, unpacked_bytes: int, packed_bytes: int) -> None:
    """Refuse what is packed as no measurements are, by its sizes in bytes."""
    if unpacked_bytes > max(UNPACKED_FREELY, MOST_PACKED * packed_bytes):
        raise TooLarge(
            name,
            "size of the file",
            found=f"{unpacked_bytes:,} bytes packed into {packed_bytes:,}",
            expected=f"at most {MOST_PACKED} times as many, as measurements have",
            hint="unpack it and give the file in it",
        )


def _size(stream: BinaryIO) -> int | None:
    """Bytes from the stream's position to its end; None for a pipe."""
    if not stream.seekable():
        return None
    position = stream.tell()
    end = stream.seek(0, io.SEEK_END)
    stream.seek(position)
    return end - position
