"""Reading any file: look at its first bytes, then let the reader of that format yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, TypeAlias

from formats.errors import FormatError
from formats.measurement import Measurement
from formats.options import Format, ReadOptions

OnProblem: TypeAlias = Callable[[FormatError], None]


def read(
    stream: BinaryIO,
    name: str,
    *,
    format: Format = "auto",
    options: ReadOptions | None = None,
    on_problem: OnProblem | None = None,
) -> Iterator[Measurement]:
    """The series in a file, one after the other, as they are read.

    `name` is the file's name: it names series where the file does not, and stands in errors.
    Raises `FormatError` at the first problem. With `on_problem`, a problem of one series is
    handed to it, that series is left out and reading goes on; a file that cannot be read at all,
    or passes a limit, raises in any case.
    """
    raise FormatError(name, "format", found="a file", expected="a reader that is being written")
    yield
