"""Published measurements, marks, labels and answers, from either layout that they come in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.statistics import NEVER, Answers
from bench import printed
from formats import replication

ANSWERED: Final = ("cp_ssd", "kb_kssd", "sdm", "t_test", "f_test", "r_test")
RECIPES: Final = {"jagt": "jagt", "jagt-published": "jagt_published"}

Numbered = Iterator[tuple[int, NDArray[np.float64]]]


class NotPublishedData(Exception):
    """The folder is neither layout; the message says what was looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """What a folder holds, aligned by row.

    systems   what each series is of
    marks     by annotator, empty for a series without marks
    labels    steady (a click's position) or never, of the first stage
    answers   published indices by method, as far as the folder has them
    truths    published ground truth by recipe, as far as the folder has it
    series    (row, values) of fork 0 of the series whose measurements are there
    totals    published figures, rounded to `decimals`; None if there are none for this selection
    """

    systems: Sequence[str]
    marks: Sequence[Mapping[str, int]]
    labels: Answers
    answers: Mapping[str, Answers]
    truths: Mapping[str, Sequence[int]]
    series: Callable[[], Numbered]
    totals: Mapping[str, Any] | None
    decimals: int


def read(folder: Path) -> Published:
    """The published data of a folder; raises NotPublishedData and FormatError."""
    if (folder / "expected.json").is_file() and (folder / "series.npz").is_file():
        return _subset(folder)
    root = with_series(folder)
    marks = next(folder.rglob("benchmark_database_steady_indices_*.json"), None)
    if root is None or marks is None:
        raise NotPublishedData(
            f"{folder}: found {'series' if root else 'no series'} and "
            f"{'marks' if marks else 'no marks'}, expected a checkout of the published packages "
            "(MartinBeseda/steady-state, with series and marks in analysis-v2, and for the "
            "answers of CP-SSD SEALABQualityGroup/steady-state, in one folder or side by side), or "
            "a folder with expected.json and series.npz. Name it as the first argument, or in "
            "PLATEAU_REPLICATION."
        )
    return _package(folder, root)


def checkouts(folder: Path) -> list[Path]:
    """The folder itself, and what lies in it: two checkouts may stand side by side."""
    below = sorted(folder.iterdir()) if folder.is_dir() else []
    return [folder, *(one for one in below if one.is_dir())]


def with_series(folder: Path) -> Path | None:
    """The first checkout that has series."""
    return next((one for one in checkouts(folder) if replication.is_package(one)), None)


def inside(folder: Path, inner: str) -> Path | None:
    """The folder `inner` of the first checkout that has it."""
    found = (one / inner for one in checkouts(folder))
    return next((path for path in found if path.is_dir()), None)


def _subset(folder: Path) -> Published:
    records = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    totals = folder / "expected_totals.json"
    return Published(
        systems=[record["benchmark"].partition("#")[0] for record in records],
        marks=[record["marks"] or {} for record in records],
        labels=Answers.of(record["binary"]["published"] for record in records),
        answers={key: Answers.of(record[key] for record in records) for key in ANSWERED},
        truths={
            recipe: [record[key] for record in records if record["marks"]]
            for recipe, key in RECIPES.items()
        },
        series=lambda: _rows(folder / "series.npz"),
        totals=json.loads(totals.read_text(encoding="utf-8")) if totals.is_file() else None,
        decimals=6,
    )


def _rows(path: Path) -> Numbered:
    with np.load(path) as arrays:
        yield from enumerate(arrays["fork0"])


Name = replication.SeriesName


def _package(folder: Path, root: Path) -> Published:
    """Rows are the labelled series, in order of their names."""
    labels = _labels(folder)
    marks: dict[Name, dict[str, int]] = {name: {} for name in labels}
    for row in replication.marks(folder):
        if row.steady_start is not None:
            name = Name(row.system, row.benchmark, row.params)
            marks.setdefault(name, {})[row.annotator] = row.steady_start
    names = sorted(marks, key=lambda name: (name.system, name.benchmark, name.params))
    return Published(
        systems=[name.system for name in names],
        marks=[marks[name] for name in names],
        labels=Answers.of(labels.get(name) for name in names),
        answers=_published_cp_ssd(folder, names),
        truths={},
        series=lambda: _fork_zero(root, names),
        totals=printed.TOTALS if len(names) == printed.SERIES else None,
        decimals=printed.DECIMALS,
    )


def _labels(folder: Path) -> dict[Name, int]:
    return {
        Name(one.system, one.benchmark, one.params): NEVER if one.position is None else one.position
        for one in replication.first_stage(folder)
        if one.stage == "published"
    }


def _published_cp_ssd(folder: Path, names: Sequence[Name]) -> dict[str, Answers]:
    """Steady starts that a package stores, of fork 0; none where a benchmark has no file."""
    starts: dict[Name, int] = {}
    stored = inside(folder, "data/classification")
    for path in sorted(stored.glob("*.json")) if stored else ():
        found = json.loads(path.read_text(encoding="utf-8"))
        starts[replication.name_of_file(path.name)] = int(found["steady_state_starts"][0])
    return {"cp_ssd": Answers.of(starts.get(name) for name in names)} if starts else {}


def _fork_zero(root: Path, names: Sequence[Name]) -> Numbered:
    rows = {name: row for row, name in enumerate(names)}
    for measurement in replication.series(root):
        name = Name(measurement.system, measurement.benchmark, measurement.params)
        if measurement.fork == replication.MARKED_FORK and name in rows:
            yield rows[name], measurement.values
