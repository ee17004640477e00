"""Answers of the published panel, from a folder of published measurements."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from detectors.contract import NEVER, Values, as_series
from detectors.training.labels.panel_answers import MarkedSeries, PanelAnswers, ShownSeries

FILES: Final = ("expected.json", "index.csv", "series.npz", "stage1.npz")


class NoPanel(ValueError):
    """A folder that does not hold what a panel answered; the sentence says what is missing."""


def panel_of_folder(folder: Path) -> PanelAnswers:
    """Marks on fork 0, and first-stage labels on the forks that were shown for them.

    Raises `NoPanel`.
    """
    if missing_files := [name for name in FILES if not (folder / name).is_file()]:
        raise NoPanel(f"{folder}: found no {', '.join(missing_files)}, expected {', '.join(FILES)}")
    try:
        records = json.loads((folder / "expected.json").read_text("utf-8"))
        systems = [
            row["system"]
            for row in csv.DictReader((folder / "index.csv").read_text("utf-8").splitlines())
        ]
        with (
            np.load(folder / "series.npz") as series_file,
            np.load(folder / "stage1.npz") as first_stage,
        ):
            forks, shown_forks = series_file["fork0"], first_stage["shown"]
        rows = list(zip(systems, records, forks, shown_forks, strict=True))
        return PanelAnswers(
            [
                _marked_row(system, record, as_series(fork))
                for system, record, fork, _ in rows
                if record["marks"]
            ],
            [_shown_row(system, record, as_series(fork)) for system, record, _, fork in rows],
        )
    except (KeyError, TypeError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise NoPanel(f"{folder}: cannot be read: {error!r}") from error


def _marked_row(system: str, record: Mapping[str, Any], values: Values) -> MarkedSeries:
    start, is_clustered = int(record["jagt_published"]), bool(record["clustered"])
    return MarkedSeries(system, values, start, is_clustered, dict(record["marks"]))


def _shown_row(system: str, record: Mapping[str, Any], values: Values) -> ShownSeries:
    labels = record["binary"]
    rounds = (labels["round1"], labels["round2"])
    marks = tuple(answer["value"] for answer in rounds if answer and answer["value"] != NEVER)
    return ShownSeries(system, values, marks, labels["published"] != NEVER)
