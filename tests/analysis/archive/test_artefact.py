"""The artefact of a study: equal bytes when made twice, also by its own commands."""

from __future__ import annotations

import io
import shlex
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.archive.artefact import StudyArtefact
from analysis.archive.artefact_tables import ArtefactTable, study_tables
from analysis.archive.bundle import StudyChanged
from analysis.archive.models import ArchiveSettings
from analysis.comparison.exports import COMPARISON_FIGURES
from analysis.comparison.query import ComparisonQuery
from analysis.comparison.table import compare_stored
from analysis.report.bundle import Report
from analysis.runs.models import Detection
from annotate.blind import EVERYTHING
from annotate.models import Campaign
from series.models import Recording, Series

pytestmark = pytest.mark.django_db


def made_files(folder: Path, *words: str) -> dict[str, bytes]:
    """Every file of the artefact by its path in `folder`."""
    call_command("paper", *words, "--to", str(folder), stdout=io.StringIO())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_an_artefact_is_made_again_byte_by_byte(compared_study: Campaign, tmp_path: Path) -> None:
    study, again = compared_study.study.slug, tmp_path / "by commands"
    files = made_files(tmp_path / "first", study, "--tolerance", "9")

    assert (
        made_files(tmp_path / "second", study, "--campaign", "first-look", "--tolerance", "9")
        == files
    )
    lines = files["commands.sh"].decode().splitlines()
    figure_lines = [line for line in lines if "--format pdf" in line]
    left_out = {*figure_lines[2:], *(line for line in lines if "--format tex" in line)}
    for line in (line for line in lines if line.startswith(("python", "mkdir"))):
        words = shlex.split(line.partition(" || ")[0].replace("$to", str(again)))
        if words[1] == "manage.py" and line not in left_out:
            call_command(*words[2:], stdout=io.StringIO())
        for folder in words[2:] if words[:1] == ["mkdir"] else ():
            Path(folder).mkdir(parents=True)
    with zipfile.ZipFile(again / "comparison.zip") as report:
        comparison = {f"comparison/{name}": report.read(name) for name in report.namelist()}
    by_commands = comparison | {
        path: (again / path).read_bytes() for path in files if (again / path).is_file()
    }
    figures = [line.partition("$to/")[2].rstrip('"') for line in figure_lines]
    assert {Path(path).stem for path in figures} == COMPARISON_FIGURES.keys() - {"average-ranks"}
    tables = {path for path in files if path.startswith("tables/")}
    assert "tables/first-look/agreement.csv" in tables
    other_names = {"README.md", "SHA256SUMS", "commands.sh", *figures[2:]}
    other_names |= {path for path in tables if path.endswith(".tex")}
    assert set(figures) == {path for path in files if path.startswith("figures/")}
    assert by_commands == {path: files[path] for path in files if path not in other_names}
    readme = files["README.md"].decode()
    table_paths = [path for path in files if path.endswith((".csv", ".tex"))]
    assert all(f"`{path}`" in readme for path in [*figures, *table_paths])
    assert "| tolerance | 9 iterations |" in readme
    assert "`fixed@1?iteration=50`" in readme


def test_each_kind_of_campaign_brings_the_tables_that_it_has(
    compared_study: Campaign, tmp_path: Path
) -> None:
    compared_study.purpose = Campaign.Purpose.CHANGES
    compared_study.save()

    tables = {table.command: table for table in study_tables(compared_study.study)}

    assert "agreement" not in tables
    assert not tables["change_scores"].write(tmp_path)  # of no series, so it has no rows
    assert not list(tmp_path.rglob("*.csv"))


def test_a_trend_comes_though_the_newest_recording_has_no_result(
    compared_study: Campaign,
    recording: Recording,
    make_series: Callable[..., Series],
    tmp_path: Path,
) -> None:
    Recording.objects.update(measured_at=datetime(2026, 1, 1, tzinfo=UTC))
    newest = Recording.objects.create(
        dataset=recording.dataset, label="newest", measured_at=datetime(2026, 2, 1, tzinfo=UTC)
    )
    Series.objects.filter(pk=make_series([1.0] * 100, fork=9).pk).update(recording=newest)
    trend = ArtefactTable("trend", "startup-times/nightly", "Trend")

    with pytest.raises(SystemExit, match="4"):
        call_command(trend.command, trend.scope, stdout=io.StringIO(), stderr=io.StringIO())
    assert trend.write(tmp_path)
    assert (tmp_path / trend.path("csv")).is_file()
    assert trend.script_line("csv").endswith("|| test $? -eq 4")


def test_nothing_is_overwritten_or_left_half_made(
    compared_study: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, target = compared_study.study.slug, tmp_path / "artefact"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="expected a new or an empty folder"):
        made_files(target, study)
    with pytest.raises(CommandError, match="expected a folder"):
        made_files(target / "mine.txt", study)

    monkeypatch.setattr(Report, "document", property(lambda _: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        made_files(tmp_path / "other", study)
    assert [path.name for path in tmp_path.iterdir()] == ["artefact"]


def test_a_comparison_older_than_the_data_is_refused(
    compared_study: Campaign, tmp_path: Path
) -> None:
    comparison = compare_stored(compared_study.study, EVERYTHING, ComparisonQuery())
    assert comparison is not None
    Detection.objects.filter(outcome="answer").latest("pk").delete()

    with pytest.raises(StudyChanged, match="write the artefact again"):
        StudyArtefact(comparison, ArchiveSettings()).write(tmp_path)
