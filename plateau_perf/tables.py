"""Many series, many methods, one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

import formats
from detectors.command.file_series import answers_in_order, measurements_in, series_of_measurement
from detectors.contract import Context, as_series
from detectors.detection_rows import SeriesInFile
from detectors.registry import DEFAULT_METHOD
from plateau_perf.answer import make_detector
from plateau_perf.tables_in_memory import library_of_table, rows_as_table, series_of_table


def read(path: str | PathLike[str]) -> list[formats.Measurement]:
    """The series of a file, with unit, settings and names: JMH, CSV, NumPy, plain text.

    A folder gives those of all measurement files in it. Raises `FormatError` with what, where,
    found and expected; `OSError` where there is no such file.
    """
    return list(chain.from_iterable(measurements_in(name) for name in _names([path])))


def detect_all(source: Any, methods: Sequence[str] = (DEFAULT_METHOD,), *, workers: int = 1) -> Any:
    """Ask methods for every series of a table, of files, or of arrays.

    Args:
        source: A file or folder or several; a pandas or polars data frame or an Arrow table, read
            by the rules of a CSV file (a column a series, or one row a value), or by the levels of
            its MultiIndex (a series a fork); an xarray (a series along `iteration`, else the last
            dimension); a mapping of names to values; or a sequence of series.
        methods: Slugs or keys.
        workers: Processes.

    Returns:
        A table of the kind that came in (of pandas for xarray); else a list of `DetectionRow`,
        which are named tuples.
        A series for which a method has no answer has the reason in `error`.

    Raises:
        FormatError: A file is not what it should be; `OSError` where there is none.
        BadSeries: Not one-dimensional, or not finite.
        UnknownDetector: No method has that name.

    Example:
        >>> rows = detect_all({"a": [3.0] * 20 + [1.0] * 980}, methods=["fixed?iteration=20"])
        >>> rows[0].series, rows[0].method, rows[0].steady_start
        ('a', 'fixed', 20)
    """
    detectors = [make_detector(method, {}) for method in methods]
    library = library_of_table(source)
    series = series_of_table(source, library) if library else _series_in(source)
    answered_rows = answers_in_order(detectors, series, workers=workers)
    rows = [row for row, _ in chain.from_iterable(answered_rows)]
    return rows_as_table(rows, library) if library else rows


def _series_in(source: Any) -> Iterator[SeriesInFile]:
    if isinstance(source, (str, PathLike)):
        yield from _series_of_files([source])
    elif isinstance(source, Mapping):
        yield from _named_series(source.items())
    elif not isinstance(source, np.ndarray) and all(
        isinstance(path, (str, PathLike)) for path in source
    ):
        yield from _series_of_files(source)
    else:
        is_single = len(source) > 0 and np.ndim(source[0]) == 0
        rows = [source] if is_single else source
        yield from _named_series((f"series[{index}]", values) for index, values in enumerate(rows))


def _named_series(named_items: Iterable[tuple[str, Any]]) -> Iterator[SeriesInFile]:
    for name, values in named_items:
        yield SeriesInFile("", str(name), as_series(values), Context())


def _series_of_files(paths: Iterable[str | PathLike[str]]) -> Iterator[SeriesInFile]:
    for name in _names(paths):
        for measurement in measurements_in(name):
            yield series_of_measurement(name, measurement)


def _names(paths: Iterable[str | PathLike[str]]) -> Iterator[str]:
    for path in paths:
        if Path(path).is_dir():
            yield from map(str, formats.measurement_files([Path(path)]))
        else:
            yield fspath(path)
