"""The series of files that a command is given; what cannot be read is noted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from detectors.__main__ import UsageError
from detectors.command.file_series import measurements_in
from formats import FormatError, Measurement, measurement_files


def series_in_files(
    names: Sequence[str], unreadable_files: list[object]
) -> Iterator[tuple[Path, Measurement]]:
    """The series of all files and folders; the next file is read where one cannot be."""
    try:
        paths = list(measurement_files(map(Path, names)))
    except FormatError as error:
        raise UsageError(str(error)) from None
    for path in paths:
        try:
            for measurement in measurements_in(str(path), unreadable_files.append):
                yield path, measurement
        except OSError as error:
            unreadable_files.append(f"{path}: {error.strerror or error}")
        except FormatError as error:
            unreadable_files.append(error)
