"""Measurement files in, tables out; pure, streaming, bounded."""

from __future__ import annotations

from formats.errors import FormatError, TooLarge
from formats.limits import Limits
from formats.measurement import Counts, Measurement, RecordingHint, Samples, Setting, Values
from formats.options import Format, ReadOptions, Role
from formats.reading import OnProblem, read, read_path

__all__ = [
    "Counts",
    "Format",
    "FormatError",
    "Limits",
    "Measurement",
    "OnProblem",
    "ReadOptions",
    "RecordingHint",
    "Role",
    "Samples",
    "Setting",
    "TooLarge",
    "Values",
    "read",
    "read_path",
]
