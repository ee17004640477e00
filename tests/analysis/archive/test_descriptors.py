"""What describes an archive to people and to programs."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from analysis.archive.models import ArchiveSettings
from analysis.archive.tables import TABLES
from formats import read_series_of_file
from people.models import Study
from series.models import Dataset, Series
from tests.analysis.archive.conftest import contents

pytestmark = pytest.mark.django_db
Archived = Callable[..., Path]
SAID = ArchiveSettings("CC-BY-4.0", ("Ada “Countess” Lovelace", "Mary: Somerville"))


@pytest.fixture
def package_of() -> Iterator[Callable[[Path], Any]]:
    """Frictionless' package of a folder; it raises the longest cell of every CSV of the process."""
    size_limit = csv.field_size_limit()
    from frictionless import Package  # noqa: PLC0415  # not while tests are collected: see above

    yield lambda folder: Package(str(folder / "datapackage.json"))
    csv.field_size_limit(size_limit)


@pytest.fixture
def unpacked_path(full_study: Study, archived: Archived, tmp_path: Path) -> Path:
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(archived(full_study, SAID)) as archive:
        archive.extractall(folder)  # our own
    return folder


def test_the_data_package_is_valid_and_so_is_every_cell(
    unpacked_path: Path, package_of: Callable[[Path], Any]
) -> None:
    """Schema of the package, digests and sizes, types, keys and references of every table."""
    package = package_of(unpacked_path)
    report = package.validate()

    assert package.profile == "data-package"
    assert report.flatten(["title", "rowNumber", "fieldName", "note"]) == []
    assert {table.path for table in TABLES} < {resource.path for resource in package.resources}


def test_a_wrong_cell_or_reference_is_found_by_it(
    unpacked_path: Path, package_of: Callable[[Path], Any]
) -> None:
    tasks, marks = unpacked_path / "tables/tasks.csv", unpacked_path / "tables/marks.csv"
    tasks.write_text(tasks.read_text().replace("\n1,1,", "\n1,99,"))
    marks.write_text(marks.read_text().replace(",1,steady,", ",one,steady,"))

    report = package_of(unpacked_path).validate()

    kinds = {kind for (kind,) in report.flatten(["type"])}
    assert {"foreign-key", "type-error", "hash-count"} <= kinds


def test_sha256sum_takes_the_list(unpacked_path: Path) -> None:
    program = shutil.which("sha256sum")
    if program is None:
        pytest.skip("no sha256sum on this machine")
    words = [program, "-c", "SHA256SUMS"]
    completed_process = subprocess.run(words, cwd=unpacked_path, capture_output=True, check=False)

    assert completed_process.returncode == 0
    assert (
        completed_process.stdout.count(b": OK\n")
        == sum(path.is_file() for path in unpacked_path.rglob("*")) - 1
    )


def test_every_column_is_in_the_readme(unpacked_path: Path) -> None:
    text = (unpacked_path / "README.md").read_text()
    package = json.loads((unpacked_path / "datapackage.json").read_text())

    for resource in package["resources"]:
        for field in resource.get("schema", {}).get("fields", []):
            assert f"| `{field['name']}` | {field['description']} |" in text
        assert resource["path"] in text or not resource["path"].endswith(".csv")
    for file in unpacked_path.rglob("*.csv"):
        header_columns = file.read_text().partition("\n")[0].split(",")
        schema = next(
            csv_resource["schema"]
            for csv_resource in package["resources"]
            if csv_resource["path"] == str(file.relative_to(unpacked_path))
        )
        assert [schema_field["name"] for schema_field in schema["fields"]] == header_columns


def test_the_citation_is_one(unpacked_path: Path) -> None:
    citation = yaml.safe_load((unpacked_path / "CITATION.cff").read_text())

    assert citation["cff-version"] == "1.2.0"
    assert (citation["type"], citation["title"]) == ("dataset", "Startup times")
    assert [author["name"] for author in citation["authors"]] == list(SAID.authors)
    assert citation["license"] == "CC-BY-4.0"


def test_the_licence_is_what_was_said_or_those_of_the_data_sets(
    full_study: Study, archived: Archived
) -> None:
    def licences(archive_settings: ArchiveSettings) -> list[dict[str, str]]:
        files = contents(archived(full_study, archive_settings))
        listed_licences: list[dict[str, str]] = json.loads(files["datapackage.json"]).get(
            "licenses", []
        )
        assert all(licence["title"].encode() in files["README.md"] for licence in listed_licences)
        return listed_licences

    [cc] = licences(SAID)
    assert cc["path"] == "https://creativecommons.org/licenses/by/4.0/"
    assert licences(ArchiveSettings()) == [{"name": "CC-BY-4.0", "title": "CC BY, 4.0"}]
    Dataset.objects.update(licence="")
    assert licences(ArchiveSettings()) == []


def test_numpy_reads_the_values(unpacked_path: Path) -> None:
    stored_values = np.load(unpacked_path / "values.npz")

    for series_row in Series.objects.select_related("stored"):
        assert stored_values[series_row.digest].tobytes() == series_row.array().tobytes()
    samples = np.load(unpacked_path / "samples.npz")
    assert samples["6.offsets"].tolist() == [0, 1, 2, 3]
    assert samples["6.values"].tolist() == [1.5, 2.0, 0.1]


def test_the_values_are_a_file_that_an_import_takes(unpacked_path: Path) -> None:
    dataset = Dataset.objects.get(slug="rates")
    with (unpacked_path / "values/rates.csv").open("rb") as stream:
        series = list(read_series_of_file(stream, "rates.csv"))

    stored_series = Series.objects.filter(benchmark__dataset=dataset)
    assert [measurement.values.tobytes() for measurement in series] == [
        series_row.array().tobytes() for series_row in stored_series
    ]
    assert series[0].unit == "ops/ms"
