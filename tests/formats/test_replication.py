"""Folders in the layout of the published replication packages."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import formats
from formats import replication
from tests.published_data import replication_folder

SORT = "owner__repo#org.Sort.quick#type=int&size=10.json"


def write_lists(path: Path, entries: dict[str, int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    main = [{"keyname": key, "value": value, "datatype": "int"} for key, value in entries.items()]
    path.write_text(json.dumps({"main": main}))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package that we made up, with files named for people as the published one has them."""
    series = tmp_path / "data" / "timeseries" / "all"
    series.mkdir(parents=True)
    (series / SORT).write_text("[[3.0, 2.0, 1.0], [4.0, 2.0]]")
    (series / "owner__repo#org.Sort.merge#.json").write_text("[[5.0, 6.0]]")
    for place, person in enumerate(["carl", "dora", "emil", "boris", "anna"]):
        name = f"benchmark_database_steady_indices_{person}.json"
        write_lists(tmp_path / "analysis" / name, {f"{SORT}_0_0": place})
        write_lists(tmp_path / "copies" / name, {f"{SORT}_0_0": place})
    write_lists(tmp_path / "benchmark_database_binary.json", {f"{SORT}_0": -1})
    write_lists(tmp_path / "ground_truth_benchmark.json", {f"{SORT}_0": 0})
    return tmp_path


def test_every_fork_is_a_series_named_by_its_file(package: Path) -> None:
    series = [m for path in replication.series_files(package) for m in formats.read_path(path)]

    assert [(m.benchmark, m.params, m.fork) for m in series] == [
        ("org.Sort.merge", "", 0),
        ("org.Sort.quick", "size=10&type=int", 0),
        ("org.Sort.quick", "size=10&type=int", 1),
    ]
    assert {(m.system, m.unit) for m in series} == {("owner__repo", "s/op")}
    assert series[1].values.tolist() == [3.0, 2.0, 1.0]


def test_people_become_pseudonyms_in_the_published_order(package: Path) -> None:
    marks = list(replication.second_stage_marks(package))

    # In the order of names: anna, boris, carl, dora, emil are a3, a4, a5, a2, a1.
    assert [(mark.annotator, mark.steady_start) for mark in marks] == [
        ("a1", 2),
        ("a2", 1),
        ("a3", 4),
        ("a4", 3),
        ("a5", 0),
    ]
    assert {(mark.benchmark, mark.params, mark.fork) for mark in marks} == {
        ("org.Sort.quick", "size=10&type=int", 0)
    }


def test_first_stage_labels_do_not_claim_a_fork(package: Path) -> None:
    published_label, round1_label = replication.first_stage(package)

    assert (published_label.stage, published_label.answer, published_label.position) == (
        "published",
        "never",
        None,
    )
    assert (round1_label.stage, round1_label.answer, round1_label.position) == (
        "round1",
        "steady",
        0,
    )
    assert published_label.fork is round1_label.fork is None


def test_a_single_file_of_lists_is_read_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "forks.json"
    path.write_text("[9.5, 8.5]")

    (series,) = formats.read_path(path, options=formats.ReadOptions(unit="ms"))

    assert (series.benchmark, series.fork, series.unit) == ("forks", 0, "s")
    assert series.values.tolist() == [0.0095, 0.0085]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[[1, 2], [1, NaN]]",
            (
                "owner__repo#org.Sort.quick#type=int&size=10.json, "
                "benchmark org.Sort.quick (size=10&type=int), fork 1, iteration 1: "
                "found NaN, expected a finite number"
            ),
        ),
        (
            "[[1, 2], 3]",
            (
                "owner__repo#org.Sort.quick#type=int&size=10.json, "
                "benchmark org.Sort.quick (size=10&type=int), fork 1: "
                "found 3, expected a list with a number an iteration"
            ),
        ),
        (
            "[[1, null]]",
            (
                "owner__repo#org.Sort.quick#type=int&size=10.json, "
                "benchmark org.Sort.quick (size=10&type=int), fork 0, iteration 1: "
                "found nothing, expected a finite number"
            ),
        ),
    ],
)
def test_complaint_names_benchmark_fork_and_iteration(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / SORT).write_text(text)

    with pytest.raises(formats.FormatError) as error:
        list(formats.read_path(tmp_path / SORT, format="replication"))

    assert str(error.value) == message


def test_series_that_come_with_the_marks_are_read_once(package: Path) -> None:
    series_folder = package / "data" / "timeseries" / "all"
    copy_folder = package / "analysis-v2" / "man_steady_comparison" / "data_st"
    copy_folder.mkdir(parents=True)
    for path in list(series_folder.iterdir()):
        path.rename(copy_folder / path.name)
    (copy_folder / f"{SORT}_0").write_text("[3.0, 2.0, 1.0]")

    assert [path.name for path in replication.series_files(package)] == [
        "owner__repo#org.Sort.merge#.json",
        SORT,
    ]


def test_a_folder_that_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(formats.FormatError) as error:
        replication.series_files(tmp_path)

    assert str(error.value) == (
        f"{tmp_path}, folder: found no series in data/timeseries/all or "
        "analysis-v2/man_steady_comparison/data_st, expected the root of a replication package"
    )


def test_lists_of_another_shape_are_named(tmp_path: Path) -> None:
    path = tmp_path / "benchmark_database_binary.json"
    path.write_text('{"main": [{"keyname": "x"}]}')

    with pytest.raises(formats.FormatError) as error:
        list(replication.first_stage(tmp_path))

    assert str(error.value) == (
        "benchmark_database_binary.json, list 'main': found KeyError: 'value', "
        'expected objects with "keyname" and a whole "value"'
    )


def test_published_series_are_read_to_the_bit() -> None:
    folder = replication_folder()
    with (folder / "index.csv").open() as stream:
        index = {(r["system"], r["benchmark"], r["params"]): r for r in csv.DictReader(stream)}
    fork0 = np.load(folder / "series.npz")["fork0"]

    series = [
        m for path in replication.series_files(folder / "package") for m in formats.read_path(path)
    ]

    assert len(series) == 30
    for measurement in series[::10]:
        row = int(index[measurement.system, measurement.benchmark, measurement.params]["row"])
        assert measurement.values.tobytes() == fork0[row].tobytes()


def test_published_marks_and_labels_are_read_as_they_are() -> None:
    folder = replication_folder()
    with (folder / "index.csv").open() as stream:
        index = {(r["system"], r["benchmark"], r["params"]): r for r in csv.DictReader(stream)}
    expected = json.loads((folder / "expected.json").read_text())
    rows = (
        {int(row["row"]): row for row in expected}
        if "row" in expected[0]
        else dict(enumerate(expected))
    )

    marks = list(replication.second_stage_marks(folder / "package"))
    labels = list(replication.first_stage(folder / "package"))

    assert Counter(mark.annotator for mark in marks) == dict.fromkeys(
        ["a1", "a2", "a3", "a4", "a5"], 264
    )
    for mark in marks:
        row = int(index[mark.system, mark.benchmark, mark.params]["row"])
        assert _mark(rows[row], mark.annotator) == mark.steady_start
    for label in labels:
        row = int(index[label.system, label.benchmark, label.params]["row"])
        published_start = rows[row]["binary"]["published"]
        assert (published_start == -1) == (label.answer == "never")


def _mark(record: dict[str, object], annotator: str) -> object:
    marks = record["marks"]
    return marks[annotator] if isinstance(marks, dict) else marks[int(annotator[1]) - 1]  # type: ignore[index]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A checkout with change points and stops, whose series were never made."""
    data = tmp_path / "results" / "data"
    for name in ("changepoints", "classification", "devconfig", "dynconfig/Cov"):
        (data / name).mkdir(parents=True)
    (data / "changepoints" / SORT).write_text("[[1, 540, 1619, 2999], [16, 826, 2999]]")
    (data / "devconfig" / SORT).write_text("[[49, 99]]")
    (data / "dynconfig" / "Cov" / SORT).write_text("[[49, 99]]")
    return data.parent


@pytest.mark.parametrize(
    "inner_path", ["", "..", "data", "data/changepoints", "data/devconfig", "data/dynconfig/Cov"]
)
def test_results_of_a_package_are_no_series(results: Path, inner_path: str) -> None:
    folder = (results / inner_path).resolve()

    for find in (replication.series_files, lambda path: list(formats.measurement_files([path]))):
        with pytest.raises(formats.FormatError) as error:
            find(folder)

        assert str(error.value) == (
            f"{folder}, folder: found change points and other results, without the series, in "
            f"{results / 'data'}, expected series in data/timeseries/all or "
            "analysis-v2/man_steady_comparison/data_st; give the package that brings its series, "
            "or have this one make them first"
        )


def test_of_checkouts_side_by_side_the_one_with_series_is_taken(
    package: Path, results: Path, tmp_path: Path
) -> None:
    parent_folder = tmp_path / "both"
    parent_folder.mkdir()
    results.rename(parent_folder / "results")
    (package / "data").rename(parent_folder / "data")
    (parent_folder / "brings").mkdir()
    (parent_folder / "data").rename(parent_folder / "brings" / "data")

    assert replication.package_in(parent_folder) == parent_folder / "brings"
    assert set(formats.measurement_files([parent_folder])) == set(
        replication.series_files(parent_folder)
    )
    assert {path.parent.name for path in replication.series_files(parent_folder)} == {"all"}


def test_which_of_two_packages_has_to_be_said(tmp_path: Path) -> None:
    for name in ("one", "two"):
        series = tmp_path / name / "data" / "timeseries" / "all"
        series.mkdir(parents=True)
        (series / SORT).write_text("[[3.0, 2.0, 1.0]]")

    with pytest.raises(formats.FormatError, match="found series in one and two, expected one"):
        replication.series_files(tmp_path)


def test_the_very_folder_of_the_series_will_do(package: Path) -> None:
    series_folder = package / "data" / "timeseries" / "all"

    assert replication.series_files(series_folder) == replication.series_files(package)
    assert replication.enclosing_package(series_folder) == package
    assert replication.enclosing_package(package) is None


@pytest.mark.parametrize(("text", "doubts"), [("[[1, 540, 2999]]", 1), ("[[3, 2.5]]", 0)])
def test_positions_are_read_with_a_doubt(tmp_path: Path, text: str, doubts: int) -> None:
    (tmp_path / SORT).write_text(text)

    (series,) = formats.read_path(tmp_path / SORT)

    assert sum("look like positions" in note for note in series.notes) == doubts
