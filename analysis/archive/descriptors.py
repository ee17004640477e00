"""Texts that describe an archive: README, data package, citation."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.archive.models import ArchiveSettings
from analysis.archive.tables import (
    ID,
    ID_MEANING,
    PEOPLE,
    PEOPLE_COLUMNS,
    TABLES,
    ArchiveTable,
    references,
)
from analysis.archive.zip_writing import ArchivedFile
from analysis.report.bundle import PACKAGES, package_version, program
from formats.tables import TableColumn
from people.models import Study

FORMAT: Final = 5  # raised where an older program could misread the archive
READABLE: Final = (1, 2, 3, 4, 5)  # formats that are read; columns of later ones stay empty
PACKAGE, SUMS, README, CITATION = "datapackage.json", "SHA256SUMS", "README.md", "CITATION.cff"
VALUES, SAMPLES = "values.npz", "samples.npz"
LICENCES: Final = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC-BY-NC-4.0": "https://creativecommons.org/licenses/by-nc/4.0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
    "MIT": "https://opensource.org/license/mit",
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
}
"""Licences by SPDX identifier with their texts' addresses; any other is told in its words."""
_NO_NAME: Final = re.compile(r"[^-a-zA-Z0-9._]+")
_BOOLEANS: Final = {"trueValues": ["1"], "falseValues": ["0"]}


@dataclass(frozen=True, slots=True)
class ReadableTable:
    """A file for readers, which an import does not need: the same as pages give."""

    path: str
    summary: str
    columns: Sequence[TableColumn[Any]]


# --- data package -----------------------------------------------------------------------------
def data_package(
    study: Study,
    archive_settings: ArchiveSettings,
    files: Iterable[ArchivedFile],
    readable_tables: Mapping[str, ReadableTable],
) -> str:
    """`datapackage.json`, as the Frictionless Data Package specification (version 1) has it."""
    package: dict[str, Any] = {
        "profile": "data-package",
        "name": study.slug.lower(),
        "title": study.name,
        "description": study.about,
        "licenses": _licences(study, archive_settings),
        "contributors": [
            {"title": author, "role": "author"} for author in archive_settings.authors
        ],
        "resources": [_resource(file, readable_tables) for file in files],
        "plateau": {"format": FORMAT, "study": study.slug, **versions()},
    }
    filled_fields = {name: value for name, value in package.items() if value}
    return json.dumps(filled_fields, indent=2, ensure_ascii=False) + "\n"


def versions() -> dict[str, Any]:
    """Versions of the program and of the packages that it computes with."""
    packages = {name: package_version(name) for name in PACKAGES}
    return {"program": program(), "python": platform.python_version(), "packages": packages}


def _licences(study: Study, archive_settings: ArchiveSettings) -> list[dict[str, str]]:
    """The one that was said for all; else those of the data sets."""
    stated_licences = (
        study.datasets.exclude(licence="").order_by("pk").values_list("licence", flat=True)
    )
    return [
        _licence(licence)
        for licence in (
            [archive_settings.licence]
            if archive_settings.licence
            else dict.fromkeys(stated_licences)
        )
    ]


def _licence(text: str) -> dict[str, str]:
    licence = {"name": _NO_NAME.sub("-", text).strip("-") or "other", "title": text}
    return licence | ({"path": LICENCES[text]} if text in LICENCES else {})


def _resource(file: ArchivedFile, readable_tables: Mapping[str, ReadableTable]) -> dict[str, Any]:
    stem, _, file_ending = file.path.rpartition(".")
    common_fields = {
        "name": f"{stem}-{file_ending}".lower().replace("/", "-"),
        "path": file.path,
        "bytes": file.size,
        "hash": f"sha256:{file.digest}",
    }
    if schema := _schema(file.path, readable_tables):
        csv_fields = {"format": "csv", "mediatype": "text/csv", "encoding": "utf-8"}
        return common_fields | {"profile": "tabular-data-resource", **csv_fields, "schema": schema}
    return common_fields | {"format": file_ending}


def _schema(path: str, readable_tables: Mapping[str, ReadableTable]) -> dict[str, Any]:
    if table := next(
        (archive_table for archive_table in TABLES if archive_table.path == path), None
    ):
        return _table_schema(table)
    if path == PEOPLE:
        columns = PEOPLE_COLUMNS.items()
        fields = [_field(name, type_name, meaning) for name, (type_name, meaning) in columns]
        return {"fields": fields, "primaryKey": "person"}
    if file := readable_tables.get(path):
        return {"fields": [_field(column.name, "any", column.explained) for column in file.columns]}
    return {}


def _table_schema(table: ArchiveTable) -> dict[str, Any]:
    fields = [_field(ID, "integer", ID_MEANING)]
    fields += [
        _field(name, table.type_of(name), meaning) for name, meaning in table.columns.items()
    ]
    return {"fields": fields, "primaryKey": ID, "foreignKeys": _foreign_keys(table)}


def _foreign_keys(table: ArchiveTable) -> list[dict[str, Any]]:
    names = {
        archive_table.model: f"tables-{archive_table.name}-csv" for archive_table in TABLES
    } | {table.model: ""}
    return [
        {"fields": name, "reference": {"resource": names[model], "fields": ID}}
        for name, model in references(table).items()
    ]


def _field(name: str, type_name: str, meaning: str) -> dict[str, Any]:
    field: dict[str, Any] = {"name": name, "type": type_name, "description": meaning}
    return field | (_BOOLEANS if type_name == "boolean" else {})


# --- citation ---------------------------------------------------------------------------------
def citation(study: Study, archive_settings: ArchiveSettings) -> str:
    """`CITATION.cff` (Citation File Format 1.2); a text in JSON is one in YAML, too."""
    authors = archive_settings.authors or (f"Contributors of the study {study.name}",)
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these data, please cite them as below.",
        "type: dataset",
        f"title: {_quoted(study.name)}",
        "authors:",
        *(f"  - name: {_quoted(author)}" for author in authors),
    ]
    if study.about:
        lines.append(f"abstract: {_quoted(study.about)}")
    if archive_settings.licence in LICENCES:
        lines.append(f"license: {archive_settings.licence}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# --- README -----------------------------------------------------------------------------------
def readme(
    study: Study, archive_settings: ArchiveSettings, readable_tables: Iterable[ReadableTable]
) -> str:
    """README that explains every file, with every column."""
    licences = (
        ", ".join(licence["title"] for licence in _licences(study, archive_settings))
        or "none is stated"
    )
    parts = [
        INTRODUCTION.format(study=study.name, program=program(), licences=licences, format=FORMAT),
        "## Tables\n",
        _section(PEOPLE, "people", {name: text for name, (_, text) in PEOPLE_COLUMNS.items()}),
        *(
            _section(table.path, table.summary, {ID: ID_MEANING, **table.columns})
            for table in TABLES
        ),
        "## The same for readers\n",
        *(
            _section(table.path, table.summary, {c.name: c.explained for c in table.columns})
            for table in readable_tables
        ),
    ]
    return "\n".join(parts)


def _section(path: str, summary: str, columns: Mapping[str, str]) -> str:
    rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in columns.items())
    return f"### `{path}`: {summary}\n\n| column | meaning |\n|---|---|\n{rows}\n"


INTRODUCTION: Final = """\
# {study}

Everything that the study holds: measurements, people's marks, ground truth and the answers of
detectors. Written by Plateau {program}, archive format {format}.

Licence: {licences}

An iteration is a position in a series, counted from 0. `steady_start` is the first iteration of the
steady state; -1 means that there is none. People have pseudonyms (p1, p2, … in all
files, and a1, a2, … in each campaign); simulated annotators are named as such.
Cells are UTF-8, separated by commas; an empty cell means no value. A cell that a spreadsheet would
run as a formula has a ' before it.

- `sha256sum -c SHA256SUMS` says whether a file was changed.
- `datapackage.json` describes every column for programs (Frictionless Data Package, version 1).
- `python manage.py import_archive FILE.zip` stores all of it in an installation of Plateau, whose
  ground truth and comparisons are then the same.
- `values.npz` has the values of each series under the SHA-256 that is its `digest` in
  `tables/series.csv`: `numpy.load("values.npz")[digest]`, float64, in the benchmark's unit.
- `samples.npz`, where there is one, has raw values of iterations, by number of the series:
  `7.values` and `7.counts`. Iteration i of series 7 has those from `7.offsets[i]` up to
  `7.offsets[i + 1]`.

Not in it, and why:

- accounts, memberships, invitations, tokens and the audit log: they are about people, not the data;
- runs, explorations, reports and trainings as jobs: their results are here with their keys, and
  they can be started again;
- weights of methods that the study trained itself: an import must not run such programs; their
  answers are here;
- uploaded files as they were: their values are here.
"""
