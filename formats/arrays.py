"""NumPy's `.npy` and `.npz`: a series an array, or a series a row of a table."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, NamedTuple

import numpy as np
from numpy.lib import format as npy

from formats.checks import check_count, check_values, read_only_values
from formats.errors import FormatError
from formats.measurement import Measurement, Values
from formats.params import canonical_text
from formats.reader import FileReader, FileStart, FirstRows
from formats.source import InputSource, check_packing, size_error
from formats.units import storage_unit

_NUMPY = b"\x93NUMPY"
_ZIP = b"PK\x03\x04"
_WHOLE = "a whole .npy file"
_SAVE_AGAIN = "write it again with numpy.save, or copy it again"
_ENTRY = b"PK\x01\x02"  # begins each entry of an archive's table of contents
# What the standard library raises for an archive whose bytes were changed.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


# What NumPy raises for a header that is no dictionary of the kind it writes.
_BAD_HEADER = (
    ValueError,
    SyntaxError,
    TypeError,
    KeyError,
    MemoryError,
    RecursionError,
    tokenize.TokenError,
)


class _Array(NamedTuple):
    name: str
    benchmark: str
    values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]


def read(source: InputSource) -> Iterator[Measurement]:
    """The series of the file: arrays in the archive's order, rows from the top."""
    for array in _archive(source) if source.head().startswith(b"PK") else _single_array(source):
        yield from _series(source, array)


def _single_array(source: InputSource) -> Iterator[_Array]:
    name = source.options.benchmark or source.stem
    yield _array(source, source.stream, source.stem, "the array")._replace(benchmark=name)


def _archive(source: InputSource) -> Iterator[_Array]:
    # A zip file has its contents at the end: all of it is needed, within the limit.
    data = source.stream.read()
    # An entry without any data takes a kilobyte of memory once it is read
    count = data.count(_ENTRY)
    if count > source.options.limits.series:
        raise source.limit_error("the archive", "series", found=f"{count:,} entries")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGED as error:
        raise source.problem(
            "end of file",
            found="a zip archive that breaks off",
            expected="a whole .npz file",
            hint="copy the file again",
        ) from error
    _check_size(source, archive, packed_bytes=len(data))
    members = [member for member in archive.infolist() if member.filename.endswith(".npy")]
    for member in members:
        yield _member(source, archive, member)


def _check_size(source: InputSource, archive: zipfile.ZipFile, *, packed_bytes: int) -> None:
    """A member never unpacks to more than it declares, so the declarations are enough."""
    total_bytes = sum(member.file_size for member in archive.infolist())
    if total_bytes > source.options.limits.file_bytes:
        raise size_error(source.name, f"{total_bytes:,} bytes unpacked", source.options.limits)
    check_packing(source.name, total_bytes, packed_bytes)


def _member(source: InputSource, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Array:
    name = member.filename.removesuffix(".npy")
    try:
        with archive.open(member) as stream:
            return _array(source, stream, name, f"array {name!r}")
    except FormatError:
        raise
    except _DAMAGED as error:
        actual = str(error) or "an array that breaks off"
        raise source.problem(
            f"array {name!r}", found=actual, expected=_WHOLE, hint=_SAVE_AGAIN
        ) from error


def _array(source: InputSource, stream: IO[bytes], name: str, where: str) -> _Array:
    """One array, never unpickled, its size known before any of it is read."""
    shape, is_fortran, dtype = _header(source, stream, where)
    if dtype.kind not in "fiu":
        actual, hint = f"values of type {dtype}", "save them as float64"
        raise source.problem(where, found=actual, expected="real numbers", hint=hint)
    if len(shape) not in {1, 2} or min(shape) < 0:
        raise source.problem(
            where, found=_dimensions(shape), expected="one series, or a series a row"
        )
    _check_shape(source, shape, where)
    size = math.prod(shape) * dtype.itemsize
    if size > source.options.limits.file_bytes:
        raise size_error(source.name, f"{size:,} bytes in {where}", source.options.limits)
    data = stream.read(size)
    if len(data) < size:
        actual = f"{len(data):,} of {size:,} bytes"
        raise source.problem(where, found=actual, expected=_WHOLE, hint="copy the file again")
    values = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if is_fortran else "C")
    return _Array(name, name, values)


def _check_shape(source: InputSource, shape: tuple[int, ...], where: str) -> None:
    """Refuse by the header what has too many rows or values, before any of it is read."""
    limits, values = source.options.limits, shape[-1]
    rows = 1 if len(shape) == 1 else shape[0]
    counts = (
        (rows, "series", "rows"),
        (values, "points_per_series", "values"),
        (rows * values, "points", "values"),
    )
    for count, limit_name, counted_noun in counts:
        if count > getattr(limits, limit_name):
            raise source.limit_error(where, limit_name, found=f"{count:,} {counted_noun}")


def _header(
    source: InputSource, stream: IO[bytes], where: str
) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    try:
        version = npy.read_magic(stream)
        if version == (1, 0):
            return npy.read_array_header_1_0(stream)
        return npy.read_array_header_2_0(stream)
    except _BAD_HEADER as error:
        raise source.problem(
            where, found="a header that cannot be read", expected=_WHOLE, hint=_SAVE_AGAIN
        ) from error


def _dimensions(shape: tuple[int, ...]) -> str:
    return f"{len(shape)} dimensions" if min(shape, default=0) >= 0 else f"the shape {shape}"


def _series(source: InputSource, array: _Array) -> Iterator[Measurement]:
    if not len(array.values) and array.values.ndim == 2:
        source.report(
            source.problem(f"array {array.name!r}", found="no row", expected="a series a row")
        )
    yield from source.attempts(
        partial(_measurement, source, array.benchmark, label, fork, values)
        for label, fork, values in _rows(array)
    )


def _rows(
    array: _Array,
) -> Iterator[tuple[str, int, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]]:
    if array.values.ndim == 1:
        yield array.name, 0, array.values
        return
    for row, row_values in enumerate(array.values):
        yield f"{array.name}[{row}]", row, row_values


def _measurement(
    source: InputSource,
    benchmark: str,
    label: str,
    fork: int,
    raw_values: np.ndarray[tuple[int, ...], np.dtype[np.generic]],
) -> Measurement:
    options = source.options
    unit = storage_unit(options.unit)
    check_count(source, label, raw_values.size)
    values: Values = unit.convert_all(raw_values.astype(np.float64))
    check_values(source, values, unit, lambda index: f"{label}, iteration {index}")
    return Measurement(
        benchmark=benchmark,
        system=options.system,
        params=canonical_text(options.params),
        fork=fork,
        values=read_only_values(values),
        label=label,
        unit=unit.name,
    )


def _recognise(start: FileStart) -> str:
    if start.data.startswith(_NUMPY):
        return "starts as a NumPy array: .npy"
    archive = start.data.startswith(_ZIP) and b".npy" in start.data[:512]
    return "a zip archive of NumPy arrays: .npz" if archive else ""


READER = FileReader(
    name="npy",
    title="NumPy array",
    endings=(".npy", ".npz"),
    recognise=_recognise,
    read=read,
    options=("unit", "system", "benchmark", "params"),
    first_rows=lambda _source, _count: FirstRows(rows=[]),
)
