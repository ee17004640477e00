"""Reads a published study from either layout that it comes in.

A folder holds checkouts of the published packages (SEALABQualityGroup/steady-state: data,
MartinBeseda/steady-state: analysis-v2), or a subset of them with `expected.json`. A file of
measurements is read once, and its values stay in memory: 140 MB for 5,860 forks of 3,000 values.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from io import TextIOWrapper
from itertools import count, takewhile
from operator import methodcaller
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from analysis.statistics.answers import NEVER
from detectors.contract import Values, as_series
from evidence.replication import published_totals
from evidence.replication.comparison_tally import NO_DATA
from evidence.replication.published_study import (
    ANSWERED,
    RECIPES,
    Pair,
    PublishedBenchmark,
    PublishedStudy,
)
from formats import FormatError, read_path, replication

DEFAULT_FOLDER: Final = Path(__file__).resolve().parents[3] / "shared" / "replication"
STOPS: Final = {
    "SOP": "devconfig",
    "default": "default_config",
    "CV": "dynconfig/Cov",
    "RCIW": "dynconfig/Ci",
    "KLD": "dynconfig/Divergence",
    "georges": "georgesconfig",
}
"""Techniques, and their folders in `data`. SOP is the developers' configuration."""

KEYS: Final = {"SOP": "dev", "CV": "cov", "RCIW": "rciw", "KLD": "kld"}
"""Techniques that a subset names otherwise."""

CLASSES: Final = {"steady state": "S", "inconsistent": "I", "no steady state": "N"}
NO_STEADY_STATE: Final = "no steady state"
KB_KSSD_BY_FORK: Final = "analysis-v2/classes_detection/series_kbkssd.json"
SETTINGS: Final = {
    "warmup_seconds": ("warmup_time_s", "warmupTimeSec"),
    "warmup_iterations": ("warmup_iterations", "warmupIterations"),
    "measurement_seconds": ("measurement_time_s", "measurementTimeSec"),
    "measurement_iterations": ("measurement_iterations", "measurementIterations"),
}
"""The developers' settings as a subset names them, and as the list of subjects does."""

Name = replication.SeriesName
Made = TypeVar("Made")


class NotPublishedData(Exception):
    """The folder is neither layout; the message says what was looked for."""


option = partial(methodcaller, "add_argument")


def study_command(
    compute_status: Callable[[PublishedStudy, Namespace], int],
    *options: Callable[[ArgumentParser], object],
    description: str = "",
) -> Callable[..., int]:
    """The command of a module: `main(arguments=None)`, which gives the exit status.

    It asks `compute_status` with the study of FOLDER, which is the argument, else
    PLATEAU_REPLICATION, else ../shared/replication, and with the parsed arguments, of which
    `options` declare others. NO_DATA and a message where the study cannot be read.
    """

    def main(arguments: Sequence[str] | None = None) -> int:
        module = sys.modules[compute_status.__module__]
        name = module.__spec__.name if module.__spec__ else module.__name__
        parser = ArgumentParser(
            prog=f"python -m {name.removesuffix('.__main__')}",
            description=f"{module.__doc__}\n{description}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        default = Path(os.environ.get("PLATEAU_REPLICATION") or DEFAULT_FOLDER)
        words = "published data; else PLATEAU_REPLICATION, else ../shared/replication"
        parser.add_argument(
            "folder", nargs="?", type=Path, default=default, help=words, metavar="FOLDER"
        )
        for declare_option in options:
            declare_option(parser)
        parsed_arguments = parser.parse_args(arguments)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)  # a row is seen when it is known
        try:
            return compute_status(read_study(parsed_arguments.folder), parsed_arguments)
        except (NotPublishedData, FormatError) as error:
            print(error, file=sys.stderr)
            return NO_DATA

    return main


def read_study(folder: Path) -> PublishedStudy:
    """The study of a folder; raises NotPublishedData and FormatError."""
    if (folder / "expected.json").is_file() and (folder / "series.npz").is_file():
        totals = folder / "expected_totals.json"
        totals_document = _json(totals, dict) if totals.is_file() else None
        return PublishedStudy(folder, tuple(_subset(folder)), totals_document)
    benchmarks = tuple(_package(folder))
    if not benchmarks:
        raise NotPublishedData(
            f"{folder}: found no published series, marks or answers, expected a checkout of the "
            "published packages (MartinBeseda/steady-state, with series and marks in "
            "analysis-v2, and SEALABQualityGroup/steady-state, with answers in data; in one "
            "folder or side by side), or a folder with expected.json and series.npz. Name it as "
            "the first argument, or in PLATEAU_REPLICATION."
        )
    labelled_benchmarks = [benchmark for benchmark in benchmarks if benchmark.label is not None]
    measured_count = sum(benchmark.read is not None for benchmark in labelled_benchmarks)
    is_complete = len(labelled_benchmarks) == published_totals.SERIES and measured_count in {
        0,
        published_totals.SERIES,
    }
    totals_of_all = published_totals.TOTALS if is_complete else None
    return PublishedStudy(folder, benchmarks, totals_of_all, published_totals.DECIMALS)


def _json(path: Path, make: Callable[[Any], Made]) -> Made:
    """Build from a file by `make`; raises FormatError where it cannot."""
    try:
        return make(json.loads(path.read_text("utf-8-sig")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        expected = "the published form of this file"
        raise FormatError(str(path), "contents", found=problem, expected=expected) from error


def _pairs(warmups_and_ends: Iterable[Sequence[int]]) -> tuple[Pair, ...]:
    return tuple((int(warmup), int(end)) for warmup, end in warmups_and_ends)


# --- subset ---------------------------------------------------------------------------------------


class _Stored:
    """Arrays of a subset: fork 0 of every row, and all forks of some."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def first(self) -> Any:
        with np.load(self.folder / "series.npz") as arrays:
            return arrays["fork0"]

    @cached_property
    def more(self) -> Mapping[str, Any]:
        path = self.folder / "forks.npz"
        return np.load(path) if path.is_file() else {}

    def forks(self, row: int) -> Sequence[Values]:
        name = f"b{row:03d}"
        stored_rows = self.more[name] if name in self.more else self.first[row : row + 1]
        return [as_series(values) for values in stored_rows]


def _subset(folder: Path) -> Iterator[PublishedBenchmark]:
    stops = _json_of(folder / "config_published.json").get("benchmarks", {})
    changes, stored_series = _json_of(folder / "cp_published.json"), _Stored(folder)
    for row, record in enumerate(_json(folder / "expected.json", list)):
        name = record["benchmark"]
        configured_stops, points = stops.get(name, {}), changes.get(name, {})
        settings = configured_stops.get("settings", {})
        answers = {key: (record[key],) for key in ANSWERED}
        yield PublishedBenchmark(
            name,
            read=partial(stored_series.forks, row),
            marks=record["marks"] or {},
            label=record["binary"]["published"],
            answers=answers | ({"cp_ssd": points["s"]} if points else {}),
            changes=points.get("cp", ()),
            verdict=points.get("c", ""),
            stops={
                technique: _pairs(configured_stops[KEYS.get(technique, technique)])
                for technique in STOPS
                if configured_stops
            },
            settings={
                own_name: settings[key] for own_name, (key, _) in SETTINGS.items() if settings
            },
            executed=settings.get("forks"),
            truths={recipe: record[key] for recipe, key in RECIPES.items() if record["marks"]},
        )


def _json_of(path: Path) -> dict[str, Any]:
    return _json(path, dict) if path.is_file() else {}


# --- package --------------------------------------------------------------------------------------


def checkouts(folder: Path) -> list[Path]:
    """The folder itself, and what lies in it: two checkouts may stand side by side."""
    inner_paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return [folder, *(path for path in inner_paths if path.is_dir())]


def find_inside(folder: Path, inner_path: str) -> Path | None:
    """The file or folder `inner_path` of the first checkout that has it."""
    candidates = (checkout / inner_path for checkout in checkouts(folder))
    return next((path for path in candidates if path.exists()), None)


def _package(folder: Path) -> Iterator[PublishedBenchmark]:
    """Every benchmark of which the checkouts hold anything, in order of names."""
    root = next(
        (checkout for checkout in checkouts(folder) if replication.is_package(checkout)), None
    )
    path_by_name = {_name(path): path for path in (replication.series_files(root) if root else ())}
    marks, labels = _marks(folder), _labels(folder)
    classes = _results(folder, "classification", _class_and_starts)
    changes = _results(folder, "changepoints", list)
    stops = {
        technique: _results(folder, inner_path, _pairs) for technique, inner_path in STOPS.items()
    }
    kb_kssd, subjects = _kb_kssd(folder), dict(_subjects(folder))
    names = set().union(path_by_name, marks, labels, classes, changes, *stops.values())
    for name in sorted(names, key=lambda name: (name.system, name.benchmark, name.params)):
        verdict, starts = classes.get(name, ("", ()))
        settings, executed = subjects.get(name, ({}, None))
        answers = {"cp_ssd": starts, "kb_kssd": kb_kssd.get(name, ())}
        yield PublishedBenchmark(
            f"{name.system}#{name.benchmark}#{name.params}",
            read=partial(_forks, path_by_name[name]) if name in path_by_name else None,
            marks=marks.get(name, {}),
            label=labels.get(name),
            answers={
                method: method_answers
                for method, method_answers in answers.items()
                if method_answers
            },
            changes=changes.get(name, ()),
            verdict=verdict,
            stops={
                technique: stops_of_technique[name]
                for technique, stops_of_technique in stops.items()
                if name in stops_of_technique
            },
            settings=settings,
            executed=executed,
        )


def _name(path: Path) -> Name:
    return replication.name_of_file(path.name)


def _forks(path: Path) -> Iterator[Values]:
    yield from (as_series(fork.values) for fork in read_path(path, format="replication"))


def _results(folder: Path, inner_path: str, make: Callable[[Any], Made]) -> dict[Name, Made]:
    """Contents of one folder of `data`, by benchmark."""
    results_folder = find_inside(folder, f"data/{inner_path}")
    return (
        {_name(path): _json(path, make) for path in sorted(results_folder.glob("*.json"))}
        if results_folder
        else {}
    )


def _class_and_starts(document: Mapping[str, Any]) -> tuple[str, tuple[int, ...]]:
    """Class and steady indices; -1 for forks never steady, where early commits keep an index."""
    starts = tuple(
        NEVER if fork_class == NO_STEADY_STATE else int(start)
        for fork_class, start in zip(
            document["forks"], document["steady_state_starts"], strict=True
        )
    )
    return CLASSES[document["run"]], starts


def _marks(folder: Path) -> dict[Name, dict[str, int]]:
    marks: dict[Name, dict[str, int]] = {}
    for row in replication.second_stage_marks(folder):
        if row.steady_start is not None:
            name = Name(row.system, row.benchmark, row.params)
            marks.setdefault(name, {})[row.annotator] = row.steady_start
    return marks


def _labels(folder: Path) -> dict[Name, int]:
    return {
        Name(answer.system, answer.benchmark, answer.params): NEVER
        if answer.position is None
        else answer.position
        for answer in replication.first_stage(folder)
        if answer.stage == "published"
    }


def _kb_kssd(folder: Path) -> dict[Name, tuple[int, ...]]:
    """Indices of forks 0, 1, …, up to the first that is not there."""
    path = find_inside(folder, KB_KSSD_BY_FORK)
    indices_by_name = _json(path, _answers_by_fork) if path else {}
    return {
        name: tuple(index_by_fork[fork] for fork in takewhile(index_by_fork.__contains__, count()))
        for name, index_by_fork in indices_by_name.items()
    }


def _answers_by_fork(answer_by_key: Mapping[str, Any]) -> dict[Name, dict[int, int]]:
    """Group keys of the form `<file name>_<fork>` by fork."""
    indices_by_name: dict[Name, dict[int, int]] = {}
    for key, answer in answer_by_key.items():
        file, _, fork = key.rpartition("_")
        index_by_fork = indices_by_name.setdefault(replication.name_of_file(file), {})
        index_by_fork[int(fork)] = int(answer["steadiness_idx_kbkssd"])
    return indices_by_name


def _subjects(folder: Path) -> Iterator[tuple[Name, tuple[dict[str, float], int]]]:
    """The developers' settings, and the forks of their test, by benchmark."""
    path = find_inside(folder, "data/subjects.csv")
    for row in csv.DictReader(path.read_text("utf-8-sig").splitlines()) if path else ():
        system = row["project"].replace("/", "__")
        name = replication.name_of_file(f"{system}#{row['benchmark']}#{row['params'] or ''}.json")
        settings = {
            own_name: float(row[key]) for own_name, (_, key) in SETTINGS.items() if row.get(key)
        }
        yield name, (settings, int(float(row["forks"])))
