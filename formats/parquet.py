"""Parquet tables, read by the rules of the CSV file that they would be: one set of rules for both.

Source: apache/parquet-format: README.md. Rows come in groups of 10,000; what a file says of its
rows is checked before any is read. Needs the package pyarrow (`plateau-perf[frames]`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any, Final

from formats import csv_file
from formats.measurement import Measurement
from formats.reader import FileReader, FileStart
from formats.source import InputSource, open_source, size_error

MAGIC: Final = b"PAR1"
ROWS: Final = 10_000  # at once
WRITE_AGAIN: Final = "write the table again, or save it as CSV"
NEEDED: Final = "pip install pyarrow where files are read, or save the table as CSV"


def read(source: InputSource) -> Iterator[Measurement]:
    """The series of the table, in the layout that its columns or the options say."""
    csv_buffer = BytesIO()
    _write_csv(source, _open_parquet(source), csv_buffer)
    csv_buffer.seek(0)
    options = replace(source.options, separator=",", decimal=".", header="yes", encoding="auto")
    table = open_source(csv_buffer, source.name, options, source.on_problem, source.stem)
    return csv_file.read(table)


def _open_parquet(source: InputSource) -> Any:
    try:
        parquet = importlib.import_module("pyarrow.parquet")
        pyarrow = importlib.import_module("pyarrow")
    except ImportError as error:
        actual, expected = "a Parquet file", "pyarrow, which reads it"
        raise source.problem("first bytes", found=actual, expected=expected, hint=NEEDED) from error
    try:
        return parquet.ParquetFile(pyarrow.BufferReader(source.stream.read()))
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        actual = str(error).partition("\n")[0][:100]
        raise source.problem(
            "the whole file", found=actual, expected="a Parquet table", hint=WRITE_AGAIN
        ) from error


def _write_csv(source: InputSource, file: Any, csv_buffer: BytesIO) -> None:
    """Raises where the table is larger than a CSV file may be."""
    pyarrow, writer = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.csv")
    metadata, most_bytes = file.metadata, source.options.limits.memory // 32
    cells = metadata.num_rows * max(metadata.num_columns, 1)
    if cells > most_bytes:
        actual, expected = f"{cells:,} cells", f"at most {most_bytes:,} cells"
        raise source.limit_error("the whole file", "memory", found=actual, expected=expected)
    try:
        with writer.CSVWriter(csv_buffer, file.schema_arrow) as csv_writer:
            for rows in file.iter_batches(ROWS):
                csv_writer.write_batch(rows)
                _check_text(source, csv_buffer.tell())
    except (pyarrow.ArrowException, OSError) as error:
        actual = str(error).partition("\n")[0][:100]
        expected, hint = "columns of numbers, text and times", "leave the other columns out"
        raise source.problem(
            "the whole file", found=actual, expected=expected, hint=hint
        ) from error


def _check_text(source: InputSource, byte_count: int) -> None:
    limits = source.options.limits
    if byte_count > limits.file_bytes:
        raise size_error(source.name, f"more than {byte_count:,} bytes of text", limits)


def _recognise(start: FileStart) -> str:
    return "PAR1 at its beginning: a Parquet table" if start.data.startswith(MAGIC) else ""


READER = FileReader(
    name="parquet",
    title="Parquet table",
    endings=(".parquet",),
    recognise=_recognise,
    read=read,
    options=tuple(
        name for name in csv_file.READER.options if name not in {"separator", "decimal", "header"}
    ),
    named_values=csv_file.READER.named_values,
)
