"""Backup and restore: everything comes back, and nothing is overwritten by a wrong file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COUNT = (
    "from people.models import Study; print(sorted(Study.objects.values_list('slug', flat=True)))"
)
MAKE = "from people.models import Study; Study.objects.create(name='{0}', slug='{0}')"


def manage(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PLATEAU_DATA": str(data), "PLATEAU_MODE": "development"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup") / "data"
    assert manage(folder, "migrate", "-v0").returncode == 0
    return folder


def test_what_was_there_comes_back(data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "plateau.backup"
    manage(data, "shell", "--no-imports", "-c", MAKE.format("before"))

    made = manage(data, "backup", str(copy))
    manage(data, "shell", "--no-imports", "-c", MAKE.format("after"))
    restored = manage(data, "restore", str(copy))

    assert (made.returncode, restored.returncode) == (0, 0), made.stderr + restored.stderr
    assert manage(data, "shell", "--no-imports", "-c", COUNT).stdout.strip() == "['before']"


def test_a_backup_overwrites_nothing(data: Path, tmp_path: Path) -> None:
    there = tmp_path / "notes.txt"
    there.write_text("mine")

    done = manage(data, "backup", str(there))

    assert (done.returncode, there.read_text()) == (2, "mine")
    assert "is there already; choose another name" in done.stderr


def test_a_wrong_file_is_refused_before_anything_is_lost(data: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.backup"
    wrong.write_bytes(b"not a database")

    done = manage(data, "restore", str(wrong))

    assert done.returncode == 2
    assert "is no backup of a SQLite installation" in done.stderr
    assert manage(data, "shell", "--no-imports", "-c", COUNT).returncode == 0


@pytest.mark.parametrize("kept", [0.5, 0.0001])
def test_a_backup_that_was_cut_off_is_refused(data: Path, tmp_path: Path, kept: float) -> None:
    whole, cut = tmp_path / "whole.backup", tmp_path / "cut.backup"
    assert manage(data, "backup", str(whole)).returncode == 0
    content = whole.read_bytes()
    cut.write_bytes(content[: int(len(content) * kept)])
    there = manage(data, "shell", "--no-imports", "-c", COUNT).stdout

    done = manage(data, "restore", str(cut))

    assert done.returncode == 2
    assert done.stderr.startswith(f"CommandError: {cut} is")
    assert "Traceback" not in done.stderr
    assert manage(data, "shell", "--no-imports", "-c", COUNT).stdout == there != ""


def test_an_older_backup_says_that_it_wants_migrations(data: Path, tmp_path: Path) -> None:
    older = tmp_path / "older.backup"
    manage(data, "backup", str(older))
    with closing(sqlite3.connect(older)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app = 'axes'")

    done = manage(data, "restore", str(older))

    assert done.stdout.endswith("made by an older version. Type: python manage.py migrate\n")
