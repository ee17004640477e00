"""Artefact of a study for a paper: a folder with its data, ground truth, tables and figures.

The same state of a study and the same settings give the same bytes.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from shlex import quote
from typing import Final
from urllib.parse import parse_qs

from analysis.archive.artefact_tables import FOLDER, FORMATS, ArtefactTable, study_tables
from analysis.archive.bundle import StudyArchive, StudyChanged
from analysis.archive.descriptors import SUMS
from analysis.archive.models import ArchiveSettings
from analysis.comparison.basis_sentence import basis
from analysis.comparison.command_line import command_line
from analysis.comparison.exports import COMPARISON_FIGURES, WHATS
from analysis.comparison.inputs import read_inputs
from analysis.comparison.table import ComparisonResult
from analysis.report import content
from analysis.report.bundle import Report, program
from analysis.web.figures import WebFigure
from analysis.web.pdf_figure import figure_pdf
from annotate.blind import EVERYTHING

DATA: Final = "data-package.zip"
TRUTH: Final = "ground-truth"
COMPARISON: Final = "comparison"
FIGURES: Final = "figures"
README, COMMANDS = "README.md", "commands.sh"
BESIDE: Final = {
    "series.csv": "Every series with its digest, the yardstick's answer and those of all methods",
    content.MARKS: "Marks of the compared series",
    content.GROUND_TRUTH: "Ground truth of the compared series",
}
"""Titles of tables that only a report has."""


@dataclass(frozen=True)
class StudyArtefact:
    """All files of the artefact. No file tells when it was written, by whom or in which folder."""

    compared: ComparisonResult
    archive_settings: ArchiveSettings

    @cached_property
    def report(self) -> Report:
        return Report(self.compared)

    def write(self, folder: Path) -> None:
        """Fill the empty `folder`. Raises StudyChanged if somebody answers meanwhile."""
        archive_path = folder / DATA
        for _ in StudyArchive(self.compared.yardstick.study, self.archive_settings).write(
            archive_path
        ):
            pass
        truth_paths = _unpack_ground_truth(archive_path, folder)
        for name, text in self.report.files.items():
            _write_text(folder / COMPARISON / name, text)
        for path, figure in self.figures.items():
            _write_bytes(folder / path, figure_pdf(figure))
        study = self.compared.yardstick.study
        tables = [table for table in study_tables(study) if table.write(folder)]
        for empty_folder in (folder / FOLDER).glob("*"):
            if not any(empty_folder.iterdir()):
                empty_folder.rmdir()
        self._check_unchanged()
        _write_text(folder / COMMANDS, "".join(self._script(truth_paths, tables)))
        _write_text(folder / README, "\n".join(self._readme(truth_paths, tables)))
        _write_text(folder / SUMS, "".join(_sums(folder)))

    def _check_unchanged(self) -> None:
        """Answers may have come between the comparison, the archive and the tables."""
        inputs = read_inputs(self.compared.yardstick, EVERYTHING, self.compared.asked)
        if inputs.digest != self.compared.inputs.digest:
            raise StudyChanged("answers changed meanwhile; write the artefact again")

    @cached_property
    def figures(self) -> dict[str, WebFigure]:
        """Figures that have something to draw, by the path of their PDF."""
        drawn_figures = {
            f"{FIGURES}/{name}.pdf": draw(self.compared)
            for name, draw in COMPARISON_FIGURES.items()
        }
        return {path: figure for path, figure in drawn_figures.items() if figure}

    # --- commands ---------------------------------------------------------------------------------
    def _script(self, truth_paths: Sequence[str], tables: Sequence[ArtefactTable]) -> Iterator[str]:
        """Shell script that makes the files again where `manage.py` is."""
        report_zip = f'"$to/{COMPARISON}.zip"'
        yield "#!/bin/sh\n"
        yield "# Makes data, ground truth and comparison again, in the folder of Plateau's\n"
        yield f"# manage.py: sh {COMMANDS} NEW-FOLDER\n"
        yield f'set -e\nto="${{1:?name a new folder}}"\nmkdir -p "$to/{TRUTH}" "$to/{FIGURES}"\n'
        yield f'{self._archive_command} --to "$to/{DATA}"\n'
        for path, command in self._truth_commands(truth_paths).items():
            yield f'{command} --output "$to/{path}"\n'
        for path, command in self._figure_commands.items():
            yield f'{command} --output "$to/{path}"\n'
        for folder in dict.fromkeys(Path(table.path("csv")).parent for table in tables):
            yield f'mkdir -p "$to/{folder}"\n'
        for table, form in product(tables, FORMATS):
            yield f"{table.script_line(form)}\n"
        yield f"{command_line(self.compared, 'report', report_zip)}\n"
        yield f'python -m zipfile -e {report_zip} "$to/{COMPARISON}"\nrm {report_zip}\n'

    @property
    def _study(self) -> str:
        return self.compared.yardstick.study.slug

    @property
    def _archive_command(self) -> str:
        licence, authors = self.archive_settings.licence, self.archive_settings.authors
        options = [f"python manage.py archive {self._study}"]
        options += [f"--licence {quote(licence)}"] if licence else []
        options += [f"--author {quote(author)}" for author in authors]
        return " ".join(options)

    def _truth_commands(self, truth_paths: Sequence[str]) -> Mapping[str, str]:
        return {
            path: f"python manage.py ground_truth {self._study}/{Path(path).stem}"
            for path in truth_paths
        }

    @property
    def _figure_commands(self) -> Mapping[str, str]:
        base = command_line(self.compared)
        return {path: f"{base} --what {Path(path).stem} --format pdf" for path in self.figures}

    # --- README -----------------------------------------------------------------------------------
    def _readme(self, truth_paths: Sequence[str], tables: Sequence[ArtefactTable]) -> Iterator[str]:
        study = self.compared.yardstick.study
        yield INTRODUCTION.format(
            study=study.name,
            program=program(),
            digest=self.report.digest,
            basis=basis(self.compared),
        )
        yield from _section(
            "Data and ground truth",
            ("file", "is", "command"),
            [
                (f"`{DATA}`", "everything that the study holds", f"`{self._archive_command}`"),
                *(
                    (f"`{path}`", _truth_title(path), f"`{command}`")
                    for path, command in self._truth_commands(truth_paths).items()
                ),
            ],
        )
        yield from _section("Figures", ("figure", "PDF", "values", "command"), self._figure_rows())
        heads = ("table", "CSV", "LaTeX", "command")
        yield from _section("Tables of the comparison", heads, self._table_rows())
        yield from _section(
            "Tables of campaigns and data sets",
            heads,
            [
                (
                    f"{table.title}: {table.scope.partition('/')[2]}",
                    *(f"`{table.path(form)}`" for form in FORMATS),
                    f"`{table.command_line('csv')}`",
                )
                for table in tables
            ],
        )
        yield from _section(
            "Settings of the comparison", ("setting", "value"), self.report.settings
        )
        yield from _section(
            "Methods",
            ("code", "method", "version and parameters", "source"),
            [
                (method.code, method.title, f"`{method.key}`", _method_source(method))
                for method in content.report_methods(self.compared)
            ],
        )
        yield from _section(
            "Series whose error does not count",
            ("reason", "series"),
            content.uncounted_by_rule(self.compared),
        )
        versions = {"Python": platform.python_version(), **self.report.package_versions}
        yield from _section("Versions", ("package", "version"), versions.items())

    def _figure_rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Words, file, table and command of each figure."""
        for path, figure in self.figures.items():
            table_name = parse_qs(figure.file.partition("?")[2]).get("what", ["series"])[0]
            label = figure.label[:1].upper() + figure.label[1:]
            words = f"{label}. {figure.sentence}".removesuffix(" ")
            values_path = f"`{COMPARISON}/{table_name}.csv`"
            yield words, f"`{path}`", values_path, f"`{self._figure_commands[path]}`"

    def _table_rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Title, files and command of each table; some are in the .zip of the report alone."""
        report_line = command_line(self.compared, "report", f"{COMPARISON}.zip")
        command_by_file = {name: line for _, name, line in content.table_commands(self.compared)}
        titles = {f"{name}.csv": title for name, title in WHATS.items()} | BESIDE
        for name in self.report.tables:
            tex_path = f"latex/{Path(name).stem}.tex"
            yield (
                titles[name],
                f"`{COMPARISON}/{name}`",
                f"`{COMPARISON}/{tex_path}`" if tex_path in self.report.latex_files else "–",
                f"`{command_by_file.get(name, report_line)}`",
            )


INTRODUCTION: Final = """\
# {study}: data, ground truth, tables and figures

Written by Plateau {program}. Figures with an equal digest rest on equal answers and settings. The
digest of this comparison is

    {digest}

- `sha256sum -c SHA256SUMS` says whether a file was changed.
- `python manage.py import_archive data-package.zip` stores the study in another installation.
- `sh commands.sh NEW-FOLDER` makes the files again, with the same bytes. A command below writes
  its file with `--output FILE` (`archive` with `--to FILE`), and LaTeX with `--format tex` instead
  of `--format csv`; `--columns method,n,median_abs` takes these columns alone.
- Every figure and table of the comparison rests on: {basis}.
- `comparison/report.html` is the comparison as one document, with all of its figures.
  `comparison/COLUMNS.md` says what each column of a table means, `docs/guide/tables.md` of Plateau
  those of the tables of campaigns and data sets.
"""


def _section(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Lines of a heading and its table; nothing without rows."""
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    if lines:
        yield f"## {title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}"
        yield from lines
        yield ""


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _method_source(method: content.ReportMethod) -> str:
    """Publication of the method, or the file with its answers; the series that it learned from."""
    source = method.source
    parts = [f"answers from the file {method.answers_file}"] if method.answers_file else []
    if source:
        address = f"doi:{source.doi}" if source.doi else source.url
        parts += [", ".join(filter(None, (source.citation, source.section))), address]
    return ". ".join(filter(None, (*parts, method.overlap_sentence)))


def _truth_title(path: str) -> str:
    return f"ground truth of the campaign {Path(path).stem}"


def _unpack_ground_truth(archive_path: Path, folder: Path) -> list[str]:
    """Copy the ground truth out of the archive, so that both are of the same moment."""
    with zipfile.ZipFile(archive_path) as archive:
        paths = [name for name in archive.namelist() if name.startswith(f"{TRUTH}/")]
        for path in paths:
            (folder / path).parent.mkdir(exist_ok=True)
            with archive.open(path) as packed_file, (folder / path).open("wb") as unpacked_file:
                shutil.copyfileobj(packed_file, unpacked_file)
    return paths


def _write_text(path: Path, text: str) -> None:
    _write_bytes(path, text.encode())


def _write_bytes(path: Path, content_bytes: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content_bytes)


def _sums(folder: Path) -> Iterator[str]:
    """A line a file, as `sha256sum -c` reads them."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        yield f"{digest}  {path.relative_to(folder).as_posix()}\n"
