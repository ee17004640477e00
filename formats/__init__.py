"""Measurement files in, tables out; pure, streaming, bounded."""

from __future__ import annotations

from formats.errors import FormatError, TooLarge
from formats.limits import ReadLimits
from formats.measurement import Counts, Measurement, RawSamples, RecordingHint, Setting, Values
from formats.options import Format, ReadOptions, Role
from formats.paths import measurement_files
from formats.preview import Preview, preview
from formats.reader import ColumnChoice
from formats.reading import OnProblem, read_path, read_series_of_file

__all__ = [
    "ColumnChoice",
    "Counts",
    "Format",
    "FormatError",
    "Measurement",
    "OnProblem",
    "Preview",
    "RawSamples",
    "ReadLimits",
    "ReadOptions",
    "RecordingHint",
    "Role",
    "Setting",
    "TooLarge",
    "Values",
    "measurement_files",
    "preview",
    "read_path",
    "read_series_of_file",
]
