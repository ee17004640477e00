"""Simulated series with known answers, from a folder of the corpus."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from detectors.contract import as_series
from detectors.training.labels.panel_answers import KnownSeries
from detectors.training.labels.published import NoPanel

FILES: Final = ("manifest.csv", "series.npz")
NANOSECONDS: Final = 1e9  # in a second: values are stored in whole ones


def known_series_of_folder(folder: Path) -> list[KnownSeries]:
    """The series that `make corpus` makes, in seconds; raises `NoPanel`."""
    if missing_files := [name for name in FILES if not (folder / name).is_file()]:
        raise NoPanel(
            f"{folder}: found no {', '.join(missing_files)}; `make corpus` makes a folder"
        )
    try:
        with np.load(folder / "series.npz", allow_pickle=False) as arrays:
            rows = csv.DictReader((folder / "manifest.csv").read_text("utf-8").splitlines())
            return [_known_series(row, arrays) for row in rows]
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise NoPanel(f"{folder}: cannot be read: {error!r}") from error


def _known_series(row: Mapping[str, str], arrays: Mapping[str, Any]) -> KnownSeries:
    values = as_series(arrays[row["benchmark"]].astype(np.float64) / NANOSECONDS)
    digest = sha256(values.astype("<f8").tobytes()).hexdigest()
    if digest != row["series_digest"]:
        raise ValueError(
            f"{row['benchmark']}: found values with the digest {digest[:8]}, "
            f"expected {row['series_digest'][:8]}"
        )
    return KnownSeries(row["noise"], values, int(row["steady_start"]))
