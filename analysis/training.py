"""What a panel answered, from a campaign or from a folder of published measurements."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from annotate.models import Campaign
from annotate.results import Result, results
from detectors.contract import NEVER, Values, door
from detectors.folded import benchmark_key
from detectors.methods.plateau import SHORTEST
from detectors.training.answers import Group, Marked, Panel, Shown
from series.models import SeriesValues

FILES: Final = ("expected.json", "index.csv", "series.npz", "stage1.npz")


class NoPanel(ValueError):
    """A folder that does not hold what a panel answered; the sentence says what is missing."""


def of_campaign(campaign: Campaign) -> Panel:
    """The settled ground truth of a campaign, with the marks it was made of.

    Series that are too short to be judged, and undecided ones, are left out. Groups are systems;
    of a campaign with one system, benchmarks.
    """
    settled = [
        each
        for each in results(campaign, None)
        if each.settled.steady is not None and each.series.n >= SHORTEST
    ]
    stored = SeriesValues.objects.filter(series__in=[each.series.pk for each in settled])
    values = {each.series_id: door(each.array()) for each in stored}
    systems = {each.series.benchmark.system for each in settled}
    group: Group = "system" if len(systems) > 1 else "benchmark"
    return Panel(
        [_marked(each, group, values[each.series.pk]) for each in settled if each.settled.steady],
        [_shown(each, group, values[each.series.pk]) for each in settled],
        group,
    )


def _group(result: Result, group: Group) -> str:
    of = result.series.benchmark
    return of.system if group == "system" else benchmark_key(of.system, of.name, of.params)


def _marked(result: Result, group: Group, values: Values) -> Marked:
    truth = result.settled
    return Marked(
        _group(result, group),
        values,
        int(truth.value or 0),
        truth.agreement == "clustered",
        dict(_steady_marks(result)),
    )


def _shown(result: Result, group: Group, values: Values) -> Shown:
    marks = tuple(mark for _, mark in _steady_marks(result))
    return Shown(_group(result, group), values, marks, result.settled.steady)


def _steady_marks(result: Result) -> Iterator[tuple[str, int]]:
    for vote in result.votes:
        if vote.cell is not None and vote.cell != NEVER:
            yield vote.pseudonym, vote.cell


def of_folder(folder: Path) -> Panel:
    """Marks on fork 0, and first-stage labels on the forks that were shown for them.

    Raises `NoPanel`.
    """
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        raise NoPanel(f"{folder}: found no {', '.join(missing)}, expected {', '.join(FILES)}")
    try:
        records = json.loads((folder / "expected.json").read_text("utf-8"))
        systems = [
            row["system"]
            for row in csv.DictReader((folder / "index.csv").read_text("utf-8").splitlines())
        ]
        with np.load(folder / "series.npz") as zero, np.load(folder / "stage1.npz") as shown:
            forks, labelled = zero["fork0"], shown["shown"]
        rows = list(zip(systems, records, forks, labelled, strict=True))
        return Panel(
            [
                _marked_row(system, record, door(fork))
                for system, record, fork, _ in rows
                if record["marks"]
            ],
            [_shown_row(system, record, door(fork)) for system, record, _, fork in rows],
        )
    except (KeyError, TypeError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise NoPanel(f"{folder}: cannot be read: {error!r}") from error


def _marked_row(system: str, record: Mapping[str, Any], values: Values) -> Marked:
    start, clustered = int(record["jagt_published"]), bool(record["clustered"])
    return Marked(system, values, start, clustered, dict(record["marks"]))


def _shown_row(system: str, record: Mapping[str, Any], values: Values) -> Shown:
    labels = record["binary"]
    rounds = (labels["round1"], labels["round2"])
    marks = tuple(each["value"] for each in rounds if each and each["value"] != NEVER)
    return Shown(system, values, marks, labels["published"] != NEVER)
