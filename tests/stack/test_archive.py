"""A study of SQLite, archived and imported into PostgreSQL: the same answers and figures there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from evidence.bench.processes import ROOT
from tests.stack.conftest import new_database

WRITTEN = """
from django.core.management import call_command
for words in (
    ["ground_truth", "startup-times/first-look", "--output", "{to}/truth.csv"],
    ["comparison", "startup-times", "--format", "json", "--output", "{to}/comparison.json"],
    ["comparison", "startup-times", "--format", "csv", "--output", "{to}/comparison.csv"],
    ["report", "startup-times", "{to}/report.zip"],
    ["archive", "startup-times", "--to", "{to}/archive.zip"],
):
    call_command(*words, stdout=open("/dev/null", "w"))
"""
THERE = """
from django.core.management import call_command
from people.models import User
User.objects.create_superuser("olga", password="never-signs-in")
call_command("import_archive", "{archive}")
"""


def test_a_study_of_sqlite_is_the_same_in_postgresql(
    postgres: str, older_study: Path, tmp_path: Path
) -> None:
    shutil.copy(older_study, tmp_path / "plateau.sqlite3")
    database_url = new_database(postgres, "archived")
    folders = tmp_path / "sqlite", tmp_path / "postgresql"
    for folder in folders:
        folder.mkdir()

    run(WRITTEN.format(to=folders[0]), tmp_path, DATABASE_URL="")
    archive = folders[0] / "archive.zip"
    program = THERE.format(archive=archive) + WRITTEN.format(to=folders[1])
    run(program, folders[1], DATABASE_URL=database_url)

    files_before, files_after = map(files, folders)
    # Who brought a file is not in an archive: the report cannot say it any more.
    document = "report.zip/report.html"
    assert b" by olga" in files_before[document]
    files_before[document] = files_before[document].replace(b" by olga", b"")
    assert sorted(files_before) == sorted(files_after)
    assert [name for name in files_before if files_before[name] != files_after[name]] == []
    assert files_before["truth.csv"].count(b"\n") > 2
    assert files_before["comparison.json"].count(b'"') > 100
    assert "report.zip/leaderboard.csv" in files_before
    assert (folders[1] / "archive.zip").read_bytes() == archive.read_bytes()


def run(program: str, data: Path, **settings: str) -> None:
    environment = {"PLATEAU_DATA": str(data), "PLATEAU_MODE": "development", **settings}
    command = [sys.executable, "-W", "ignore", "manage.py", "shell", "--no-imports", "-c", program]
    process = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr


def files(folder: Path) -> dict[str, bytes]:
    """What was written, by name; of a .zip every file in it."""
    content_by_path: dict[str, bytes] = {}
    for path in folder.iterdir():
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                content_by_path |= {
                    f"{path.name}/{name}": archive.read(name) for name in archive.namelist()
                }
        elif path.suffix in {".csv", ".json"}:
            content_by_path[path.name] = path.read_bytes()
    return content_by_path
