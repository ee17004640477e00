"""Series in the tables of pandas, polars, Arrow and xarray, none of which is imported here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, Final

import numpy as np

from detectors.command.file_series import measurements_in, series_of_measurement
from detectors.contract import Context, as_series
from detectors.detection_rows import COLUMNS, DetectionRow, SeriesInFile

FRAME: Final = "frame.csv"  # what a table in memory is called in messages
ITERATION: Final = "iteration"


def library_of_table(source: Any) -> str:
    """``pandas``, ``polars``, ``pyarrow`` or ``xarray`` for one of their tables, else empty."""
    library = type(source).__module__.partition(".")[0]
    # A LazyFrame warns where its columns are asked for.
    is_table = any(hasattr(source, name) for name in ("collect", "dims", "to_frame", "columns"))
    return library if is_table and library in _READERS else ""


def series_of_table(table: Any, library: str) -> Iterator[SeriesInFile]:
    """Series of a table of `library`; raises `FormatError` and `BadSeries`."""
    return _READERS[library](table)


def _pandas_series(table: Any) -> Iterator[SeriesInFile]:
    frame = table.to_frame() if hasattr(table, "to_frame") else table
    if frame.index.nlevels == 1:
        yield from _csv_series(frame.to_csv(index=False).encode())
        return
    # Rows that the index tells apart are iterations of what its other levels name.
    levels = list(range(frame.index.nlevels - frame.index.is_unique))
    for column in frame.columns:
        for labels, values in frame[column].groupby(level=levels, sort=False, dropna=False):
            names = [*([column] if frame.columns.size > 1 else ()), *np.atleast_1d(labels)]
            yield _named_series(" ".join(map(str, names)), values)


def _polars_series(table: Any) -> Iterator[SeriesInFile]:
    frame = table.collect() if hasattr(table, "collect") else table
    yield from _csv_series(frame.write_csv().encode())


def _arrow_series(table: Any) -> Iterator[SeriesInFile]:
    buffer = BytesIO()
    importlib.import_module("pyarrow.csv").write_csv(table, buffer)
    yield from _csv_series(buffer.getvalue())


def _csv_series(content: bytes) -> Iterator[SeriesInFile]:
    """A table as the CSV file that it would be: one set of rules for both, no digit lost."""
    for measurement in measurements_in(FRAME, stream=BytesIO(content)):
        yield series_of_measurement(FRAME, measurement)


def _xarray_series(table: Any) -> Iterator[SeriesInFile]:
    """A series along the dimension `iteration`, else the last, of every variable."""
    variables = {table.name or "": table} if hasattr(table, "name") else table.data_vars
    for name, column in variables.items():
        dimension = ITERATION if ITERATION in column.dims else column.dims[-1]
        rows = column.transpose(..., dimension)
        for place in np.ndindex(rows.shape[:-1]):
            row = rows[place]
            labels = [
                f"{dim}={row.coords[dim].item() if dim in row.coords else index}"
                for dim, index in zip(rows.dims, place, strict=False)
            ]
            yield _named_series(" ".join([str(name), *labels]).strip(), row.to_numpy())


def _named_series(name: str, values: Any) -> SeriesInFile:
    return SeriesInFile(FRAME, name, as_series(values), Context())


def rows_as_table(rows: Sequence[DetectionRow], library: str) -> Any:
    """Rows as a table of `library`; as one of pandas for xarray, which has none."""
    columns = {name: [row[index] for row in rows] for index, name in enumerate(COLUMNS)}
    if library in {"pandas", "xarray"}:
        integer_columns = ("steady_start", "published_index", "decided_at")
        frame = importlib.import_module("pandas").DataFrame(columns)
        return frame.astype(dict.fromkeys(integer_columns, "Int64"))
    module = importlib.import_module(library)
    return module.DataFrame(columns) if library == "polars" else module.table(columns)


_READERS: Final = {
    "pandas": _pandas_series,
    "polars": _polars_series,
    "pyarrow": _arrow_series,
    "xarray": _xarray_series,
}
