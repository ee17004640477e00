"""Folders in the layout of the published replication packages: series, marks, first-stage labels.

``<owner>__<repository>#<benchmark>#<params>.json`` holds a list of values, in seconds per
operation, for each fork; an iteration lasts 0.1 s. These files lie in ``data/timeseries/all``
once the package of 2023 has made them there from its separate measurements; the package of 2025
brings them along, in ``data_st`` beside its comparison. Marks and labels are lists
``{"main": [{"keyname": "<file name>_0_0", "value": 322}, …]}`` anywhere in the folder.

The ``_0`` at the end of a key says nothing about the fork. The marks of the second stage were
given on fork 0 of the file. The labels of the first stage (steady or never) were given on a fork
drawn at random, whose number the packages do not state, while published comparisons apply them
to fork 0: a label's fork is None here, and what it is applied to is the caller's choice to state.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from formats.checks import check_count, check_values, read_only_values
from formats.errors import FormatError
from formats.iterations import Conditions
from formats.jmh_names import place, series_label
from formats.json_text import elements
from formats.marks import MarkRow
from formats.measurement import Measurement
from formats.params import canonical_text
from formats.reader import FileReader, FileStart
from formats.source import InputSource
from formats.units import storage_unit

SERIES_FOLDERS = (
    "data/timeseries/all",
    "timeseries/all",
    "analysis-v2/man_steady_comparison/data_st",
)
# What the package of 2023 computed from its series, in files named as those of the series.
RESULT_FOLDERS = frozenset(
    {"changepoints", "classification", "default_config", "devconfig", "dynconfig", "georgesconfig"}
)
_NO_COINCIDENCE = 2  # so many of these folders side by side are results of a package
MARKED_FORK = 0
PUBLISHED: Conditions = {"seconds_per_iteration": 0.1}
"""What was configured for every published measurement; the files themselves do not say it."""
_MARKS = re.compile(r"benchmark_database_steady_indices_(?P<annotator>.+)\.json")
_PSEUDONYM = re.compile(r"a\d+")
# The published comparison lists its five people in another order than that of their names.
_PSEUDONYMS = ("a3", "a4", "a5", "a2", "a1")
_LISTS = re.compile(r"\[\s*(\[\s*)?(-?\d|NaN|-?Infinity)")
_KEY = re.compile(r"(?P<file>.+\.json)(?:_\d+)*")

Stage = Literal["published", "round1", "round2", "tie_break"]
_STAGES: dict[Stage, str] = {
    "published": "benchmark_database_binary",
    "round1": "ground_truth_benchmark",
    "round2": "ground_truth_benchmark_2",
    "tie_break": "relabelled_disagreements",
}


@dataclass(frozen=True, slots=True)
class SeriesName:
    """Parts of a file name of the package."""

    system: str
    benchmark: str
    params: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStageLabel:
    """Somebody's "steady" or "never" of the first stage.

    `position` is where was clicked, 0-based; in `published` only its sign means anything.
    `fork` is the fork that was looked at; None, since the packages do not say it.
    """

    stage: Stage
    system: str
    benchmark: str
    params: str
    answer: Literal["steady", "never"]
    position: int | None
    fork: int | None = None


def is_package(folder: Path) -> bool:
    """Return whether series of a replication package lie in `folder`."""
    return series_folder(folder) is not None


def series_folder(folder: Path) -> Path | None:
    """Find the folder of the package that holds the series with all forks; None if there is
    none.
    """
    candidates = (folder / inner_path for inner_path in SERIES_FOLDERS)
    return next((path for path in candidates if path.is_dir() and _series_in(path)), None)


def package_in(folder: Path) -> Path | None:
    """`folder` if series of a package lie in it, else the one checkout in it that has series.

    Raises `FormatError` if several have some: which of them is meant has to be said.
    """
    if is_package(folder):
        return folder
    packages = [checkout for checkout in _folders(folder) if is_package(checkout)]
    if len(packages) > 1:
        raise FormatError(
            str(folder),
            "folder",
            found=f"series in {' and '.join(checkout.name for checkout in packages)}",
            expected="one replication package",
            hint="give one of these folders",
        )
    return packages[0] if packages else None


def enclosing_package(folder: Path) -> Path | None:
    """The root of the package in which `folder` is the place of the series; None if it is not."""
    root_path = folder.resolve()
    parents = (
        Path(*root_path.parts[: -len(Path(inner_path).parts)]) for inner_path in SERIES_FOLDERS
    )
    return next((root for root in parents if series_folder(root) == root_path), None)


def refuse_results(folder: Path) -> None:
    """Raise `FormatError` if results of a package lie in `folder`, or it is one of them.

    Change points and stops of a package are lists of numbers in files named as its series are:
    nothing inside tells that they are no measurements.
    """
    base = folder.absolute()
    child_folders = (
        root / inner_path for root in (base, *_folders(base)) for inner_path in ("", "data")
    )
    parent_folders = (
        ancestor.parent for ancestor in (base, base.parent) if ancestor.name in RESULT_FOLDERS
    )
    results_folder = next(
        (candidate for candidate in (*child_folders, *parent_folders) if _has_results(candidate)),
        None,
    )
    if results_folder is not None:
        raise FormatError(
            str(folder),
            "folder",
            found=f"change points and other results, without the series, in {results_folder}",
            expected=f"series in {SERIES_FOLDERS[0]} or {SERIES_FOLDERS[-1]}",
            hint="give the package that brings its series, or have this one make them first",
        )


def series_files(folder: Path) -> list[Path]:
    """The files of the package that hold series, by name; each is read by
    `formats.read_series_of_file`.

    `folder` is what `package_in` takes, or the very folder in which the series lie.
    """
    package = package_in(folder)
    if series_root := package and series_folder(package):
        return _series_in(series_root)
    refuse_results(folder)
    named_files = [path for path in _series_in(folder) if name_of_file(path.name).system]
    if not named_files:
        raise FormatError(
            str(folder),
            "folder",
            found=f"no series in {SERIES_FOLDERS[0]} or {SERIES_FOLDERS[-1]}",
            expected="the root of a replication package",
        )
    return named_files


def second_stage_marks(folder: Path) -> Iterator[MarkRow]:
    """The marks of the second stage, annotator after annotator in the order of pseudonyms.

    Annotators are called a1, a2, …, whatever the files call them: where the five files carry
    people's names, pseudonyms follow the order in which the published comparison lists them.
    """
    for annotator, path in _mark_files(folder):
        for keyname, value in _pairs(path):
            name = _name_of_key(path, keyname)
            yield MarkRow(
                system=name.system,
                benchmark=name.benchmark,
                params=name.params,
                fork=MARKED_FORK,
                annotator=annotator,
                answer="steady" if value >= 0 else "never",
                steady_start=value,
            )


def first_stage(folder: Path) -> Iterator[FirstStageLabel]:
    """The labels of the first stage: published ones, both rounds, tie break, as far as there."""
    for stage, title in _STAGES.items():
        for path in sorted(folder.rglob(f"{title}.json"))[:1]:  # further copies are identical
            yield from _labels(path, stage)


def read(source: InputSource) -> Iterator[Measurement]:
    """The forks in one file of lists of numbers, named by the file's name."""
    name = _name_of(source.stem)
    lists = list(elements(source))
    if lists and not isinstance(lists[0], list):
        lists = [lists]
    if not lists:
        raise source.problem("list of forks", found="no fork", expected="at least one")
    if len(lists) > source.options.limits.series:
        raise source.limit_error("list of forks", "series", found=f"{len(lists):,} forks")
    yield from source.attempts(
        partial(_measurement, source, name, fork, data) for fork, data in enumerate(lists)
    )


def name_of_file(name: str) -> SeriesName:
    """System, benchmark and parameters that a file name of the package says."""
    return _name_of(name.removesuffix(".gz").removesuffix(".json"))


def _name_of(stem: str) -> SeriesName:
    parts = stem.split("#")
    if len(parts) != 3:
        return SeriesName("", stem, "")
    system, benchmark, params = parts
    return SeriesName(system, benchmark, canonical_text(params))


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _has_results(folder: Path) -> bool:
    return sum((folder / name).is_dir() for name in RESULT_FOLDERS) >= _NO_COINCIDENCE


def _series_in(folder: Path) -> list[Path]:
    """Sort series files by name. Files that end in `.json_0` are left: fork 0 of a series alone,
    once more.
    """
    return sorted(path for path in folder.iterdir() if path.name.endswith((".json", ".json.gz")))


def _measurement(source: InputSource, name: SeriesName, fork: int, data: object) -> Measurement:
    options = source.options
    benchmark = name.benchmark if name.system else options.benchmark or name.benchmark
    params = name.params if name.system else canonical_text(options.params)
    where = place(benchmark, params, fork)
    unit = storage_unit("s/op" if name.system else options.unit)
    values = unit.convert_all(np.array(_numbers(source, data, where), dtype=np.float64))
    check_values(source, values, unit, lambda index: f"{where}, iteration {index}")
    return Measurement(
        benchmark=benchmark,
        system=name.system or options.system,
        params=params,
        fork=fork,
        values=read_only_values(values),
        label=series_label(benchmark, params, fork),
        unit=unit.name,
        settings={} if options.iteration or not name.system else PUBLISHED,
    )


def _numbers(source: InputSource, data: object, where: str) -> list[float]:
    if not isinstance(data, list):
        actual = reprlib.repr(data)[:40]
        raise source.problem(where, found=actual, expected="a list with a number an iteration")
    check_count(source, where, len(data))
    if set(map(type, data)) <= {float}:  # what is not finite is refused later, all at once
        return data
    for index, value in enumerate(data):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 10**308:
            _refuse_no_number(source, value, f"{where}, iteration {index}")
    return data


def _refuse_no_number(source: InputSource, value: object, where: str) -> None:
    """Let floats pass (they are checked together later); raise for what is no number."""
    if not isinstance(value, float):
        actual = "nothing" if value is None else reprlib.repr(value)[:40]
        raise source.problem(where, found=actual, expected="a finite number")


def _mark_files(folder: Path) -> list[tuple[str, Path]]:
    """(pseudonym, file), a file for each annotator; further copies are identical."""
    file_by_name: dict[str, Path] = {}
    for path in sorted(folder.rglob("benchmark_database_steady_indices_*.json")):
        if name_match := _MARKS.fullmatch(path.name):
            file_by_name.setdefault(name_match["annotator"], path)
    names = sorted(file_by_name)
    if all(_PSEUDONYM.fullmatch(name) for name in names):
        return sorted(file_by_name.items(), key=lambda pair: int(pair[0][1:]))
    pseudonyms = _PSEUDONYMS if len(names) == len(_PSEUDONYMS) else tuple(_fork_names(len(names)))
    return sorted(zip(pseudonyms, (file_by_name[name] for name in names), strict=True))


def _fork_names(count: int) -> Iterator[str]:
    width = len(str(count))
    return (f"a{number:0{width}}" for number in range(1, count + 1))


def _labels(path: Path, stage: Stage) -> Iterator[FirstStageLabel]:
    for keyname, value in _pairs(path):
        name = _name_of_key(path, keyname)
        yield FirstStageLabel(
            stage=stage,
            system=name.system,
            benchmark=name.benchmark,
            params=name.params,
            answer="steady" if value >= 0 else "never",
            position=value if value >= 0 else None,
        )


def _name_of_key(path: Path, keyname: str) -> SeriesName:
    match = _KEY.fullmatch(keyname)
    if match is None:
        expected = "<system>#<benchmark>#<params>.json_0"
        raise FormatError(path.name, "keyname", found=repr(keyname), expected=expected)
    return name_of_file(match["file"])


def _pairs(path: Path) -> Iterator[tuple[str, int]]:
    """The (keyname, value) pairs of a list in the package."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8-sig"))["main"]
        yield from [(str(entry["keyname"]), int(entry["value"])) for entry in entries]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise FormatError(
            path.name,
            "list 'main'",
            found=f"{type(error).__name__}: {error}",
            expected='objects with "keyname" and a whole "value"',
        ) from error


def _recognise(start: FileStart) -> str:
    return "a list of numbers a fork: time series in JSON" if _LISTS.match(start.json) else ""


READER = FileReader(
    name="replication",
    title="lists of numbers (replication package)",
    endings=(".json",),
    recognise=_recognise,
    read=read,
    options=("unit", "system", "benchmark", "params"),
)
